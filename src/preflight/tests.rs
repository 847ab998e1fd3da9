use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::Redirect;
use axum::routing::get;
use jiff::Timestamp;

use super::*;
use crate::finding::Code;

/// The first bytes of a PNG of ten by ten pixels.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x0a\0\0\0\x0a\x08\x06\0\0\0\0\0\0\0";

fn settings(private_addresses: bool) -> config::Preflight {
    config::Preflight {
        enabled: true,
        unit: None,
        max_bytes: 1000,
        timeout: Duration::from_secs(20),
        at_once: 4,
        private_addresses,
    }
}

/// A host of files on this machine; counts what it is asked for.
async fn host() -> (String, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let (counted, shaky) = (Arc::clone(&asked), Arc::new(AtomicUsize::new(0)));
    let files = Router::new()
        .route(
            "/front.png",
            get(move || async move {
                counted.fetch_add(1, Ordering::SeqCst);
                PNG
            }),
        )
        .route(
            "/page",
            get(|| async { "<!doctype html><title>front.png</title>" }),
        )
        .route("/large", get(|| async { vec![0_u8; 1001] }))
        .route("/empty", get(|| async {}))
        .route("/moved", get(|| async { Redirect::temporary("/front.png") }))
        .route("/circle", get(|| async { Redirect::temporary("/circle") }))
        .route(
            "/inward",
            get(|| async { Redirect::temporary("http://169.254.169.254/key") }),
        )
        .route(
            "/file",
            get(|| async { [(header::LOCATION, "file:///etc/passwd")].into_response_302() }),
        )
        .route("/login", get(|| async { StatusCode::FORBIDDEN }))
        .route(
            "/shaky",
            get(move || async move {
                if shaky.fetch_add(1, Ordering::SeqCst) == 0 {
                    Err(StatusCode::SERVICE_UNAVAILABLE)
                } else {
                    Ok(PNG)
                }
            }),
        );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, files).await });
    (base, asked)
}

trait Moved {
    fn into_response_302(self) -> axum::response::Response;
}

impl Moved for [(header::HeaderName, &'static str); 1] {
    fn into_response_302(self) -> axum::response::Response {
        axum::response::IntoResponse::into_response((StatusCode::FOUND, self))
    }
}

fn is_image(found: &Found) -> bool {
    matches!(found, Found::File { kind: artwork::kind::Kind::Image(image), .. } if image.width == 10)
}

#[tokio::test]
async fn a_link_is_what_it_gives_through_redirects_and_a_second_try() {
    let (base, _) = host().await;
    let fetcher = Fetcher::new(&settings(true)).unwrap();
    for path in ["/front.png", "/moved", "/shaky"] {
        let found = fetcher.fetch(&format!("{base}{path}")).await;
        assert!(is_image(&found), "{path}: {found:?}");
    }
    for (path, expected) in [
        ("/page", artwork::kind::Kind::Page),
        ("/empty", artwork::kind::Kind::Empty),
    ] {
        let found = fetcher.fetch(&format!("{base}{path}")).await;
        assert!(
            matches!(&found, Found::File { kind, .. } if *kind == expected),
            "{path}: {found:?}"
        );
    }
    assert_eq!(
        fetcher.fetch(&format!("{base}/large")).await,
        Found::TooLarge { limit: 1000 }
    );
}

#[tokio::test]
async fn a_link_that_gives_nothing_says_why() {
    let (base, _) = host().await;
    let fetcher = Fetcher::new(&settings(true)).unwrap();
    for (link, expected) in [
        (format!("{base}/none"), "there is no such file (404)"),
        (format!("{base}/login"), "it asks for a login (403)"),
        (format!("{base}/circle"), "it redirects without end"),
        (format!("{base}/file"), "it is no web address"),
        ("ftp://127.0.0.1/x.png".to_owned(), "it is no web address"),
        ("front.png".to_owned(), "it is no web address"),
        (
            "http://127.0.0.1:1/x.png".to_owned(),
            "its host cannot be reached",
        ),
    ] {
        assert_eq!(
            fetcher.fetch(&link).await,
            Found::Unreachable(expected.to_owned()),
            "{link}"
        );
    }
}

#[tokio::test]
async fn private_addresses_are_not_asked_by_number_by_name_or_by_redirect() {
    let (base, asked) = host().await;
    let strict = Fetcher::new(&settings(false)).unwrap();
    let port = base.rsplit(':').next().unwrap();
    for link in [
        format!("{base}/front.png"),
        format!("http://localhost:{port}/front.png"),
        format!("http://[::ffff:127.0.0.1]:{port}/front.png"),
        format!("http://2130706433:{port}/front.png"),
    ] {
        let found = strict.fetch(&link).await;
        assert!(
            matches!(&found, Found::Unreachable(why) if why.contains("not public")),
            "{link}: {found:?}"
        );
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_redirect_inward_is_not_followed() {
    let (base, _) = host().await;
    // Of all addresses this one counts as public here, so that the first step is allowed and the second is not.
    let strict = Fetcher::asking(&settings(false), |address| address.is_loopback()).unwrap();
    assert!(is_image(&strict.fetch(&format!("{base}/moved")).await));
    let found = strict.fetch(&format!("{base}/inward")).await;
    assert!(
        matches!(&found, Found::Unreachable(why) if why.contains("not public")),
        "{found:?}"
    );
}

#[tokio::test]
async fn an_orders_links_are_fetched_at_once_as_many_as_there_are_places_and_told_in_their_order() {
    // A link is answered when another one is asked too: one after the other none would be.
    let (asked, pair) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(tokio::sync::Barrier::new(2)),
    );
    let (under_way, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counts = (Arc::clone(&asked), Arc::clone(&most));
    let files = Router::new().fallback(move || async move {
        asked.fetch_add(1, Ordering::SeqCst);
        most.fetch_max(under_way.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        pair.wait().await;
        under_way.fetch_sub(1, Ordering::SeqCst);
        StatusCode::NOT_FOUND
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, files).await });
    let folder = tempfile::tempdir().unwrap();
    let cache = Arc::new(Cache::open(&folder.path().join("catalog.db")).unwrap());
    let catalog = Snapshot::new(Timestamp::UNIX_EPOCH, Vec::new(), Vec::new());
    let settings = config::Preflight {
        at_once: 2,
        timeout: Duration::from_secs(5),
        ..settings(true)
    };
    let preflight = Preflight::new(&settings, cache, Clock::system()).unwrap();
    // The fifth is the first once more.
    let artworks = [(2, 4), (3, 3), (4, 2), (5, 1), (6, 4)].map(|(row, link)| Artwork {
        row,
        column: Some(1),
        name: "artwork_front",
        url: format!("{base}/{link}.png"),
        sku: "TEE".to_owned(),
        location: String::new(),
    });
    let findings = preflight.findings(&artworks, &catalog).await;
    let rows: Vec<u32> = findings.iter().map(|finding| finding.row).collect();
    assert_eq!(rows, [2, 3, 4, 5, 6]);
    assert!(
        findings.iter().all(|found| found.message.contains("404")),
        "{findings:?}"
    );
    let (asked, most) = counts;
    assert_eq!(
        (asked.load(Ordering::SeqCst), most.load(Ordering::SeqCst)),
        (4, 2)
    );
}

#[tokio::test]
async fn each_link_is_fetched_once_a_sheet_and_other_bytes_are_told_the_next_time() {
    let (base, asked) = host().await;
    let folder = tempfile::tempdir().unwrap();
    let cache = Arc::new(Cache::open(&folder.path().join("catalog.db")).unwrap());
    let catalog = Snapshot::new(Timestamp::UNIX_EPOCH, Vec::new(), Vec::new());
    let artwork = |row| Artwork {
        row,
        column: Some(1),
        name: "artwork_front",
        url: format!("{base}/front.png"),
        sku: "TEE".to_owned(),
        location: String::new(),
    };
    let open = || Preflight::new(&settings(true), Arc::clone(&cache), Clock::system()).unwrap();
    let preflight = open();
    let (one, two) = ([artwork(2)], [artwork(3), artwork(4)]);
    let (a, b) = tokio::join!(
        preflight.findings(&one, &catalog),
        preflight.findings(&two, &catalog)
    );
    assert_eq!((a.len(), b.len()), (0, 0));
    assert_eq!(asked.load(Ordering::SeqCst), 1);

    let key = hex_digest(Sha256::digest(format!("{base}/front.png").as_bytes()));
    cache
        .swap_artwork(&key, "another file", Timestamp::UNIX_EPOCH)
        .unwrap();
    let findings = open().findings(&[artwork(9)], &catalog).await;
    let told: Vec<(Code, u32)> = findings
        .iter()
        .map(|finding| (finding.code, finding.row))
        .collect();
    assert_eq!(told, [(Code::ArtworkChanged, 9)]);
}

#[tokio::test]
async fn a_host_that_answers_nothing_is_not_waited_for_link_by_link() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", silent.local_addr().unwrap());
    let (other, _) = host().await;
    let fetcher = Fetcher::new(&config::Preflight {
        timeout: Duration::from_millis(50),
        ..settings(true)
    })
    .unwrap();
    for n in 0..3 {
        let found = fetcher.fetch(&format!("{base}/{n}.png")).await;
        let Found::Unreachable(why) = found else {
            panic!("{found:?}");
        };
        assert_eq!(why.contains("other links"), n == 2, "{why}");
    }
    // By its name it is another host, which answers.
    let other = other.replace("127.0.0.1", "localhost");
    assert!(is_image(&fetcher.fetch(&format!("{other}/front.png")).await));
}
