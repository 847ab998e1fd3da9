//! Web addresses of artwork.

use super::*;

#[test]
fn two_addresses_in_one_cell_are_none_and_one_within_another_is() {
    let told = |link: &'static str| codes(&[("artwork_front", link)]);
    for two in [
        "https://example.com/a.png;https://example.com/b.png",
        "https://example.com/a.png,http://example.com/b.png",
        "https://example.com/a.pnghttps://example.com/b.png",
        "https://example.com/a.png;;",
        "https://example.com/a.png,",
    ] {
        assert_eq!(told(two), [Code::BadUrl], "{two}");
    }
    for one in [
        "https://example.com/a?of=https://example.com/b.png",
        "https://example.com/fetch/w_400/https://example.com/b.png",
        "https://example.com/a?of%3Dhttps://example.com/b.png",
    ] {
        assert_eq!(told(one), [], "{one}");
    }
}
