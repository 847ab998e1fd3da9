//! The machine sleeps after the service has told its time, or the service tells one that is none.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::super::{Client, Settings};
use super::machine;
use super::stub::{Act, Stub};

#[tokio::test]
async fn the_services_clock_goes_on_while_the_machine_sleeps() {
    let login = r#"{"status":200,"message":"ok","result":{"access_token":"T1"}}"#;
    let date = "Date: Sat, 21 Nov 2026 12:00:00 GMT";
    let stub = Stub::start(move |_seen| Act::AnswerWith(200, date, login.to_owned())).await;
    let clock = machine();
    let client = Client::new(Settings {
        clock: clock.clone(),
        ..stub.settings()
    })
    .unwrap();
    assert_eq!(client.service_now(), None);
    client.log_in().await.unwrap();
    let noon: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
    let tells = |after: Duration| {
        let passed = client.service_now().unwrap().duration_since(noon + after);
        assert!(
            passed >= SignedDuration::ZERO && passed < SignedDuration::from_mins(1),
            "{passed}"
        );
    };
    tells(Duration::ZERO);
    let night = Duration::from_hours(8);
    clock.sleep(night);
    tells(night);
}

#[tokio::test]
async fn a_time_that_no_clock_can_show_is_none() {
    for date in [
        "Date: Thu, 01 Jan 1970 00:00:00 GMT",
        "Date: Fri, 31 Dec 9999 23:59:59 GMT",
    ] {
        let login = r#"{"status":200,"message":"ok","result":{"access_token":"T1"}}"#;
        let stub = Stub::start(move |_seen| Act::AnswerWith(200, date, login.to_owned())).await;
        let client = stub.client();
        client.log_in().await.unwrap();
        assert_eq!(client.service_now(), None, "{date}");
    }
}
