//! Notifications to registered endpoints: a JSON body, the access key in a header, tried three times.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::mpsc::UnboundedReceiver;

use super::order::{Status, Tracking};
use super::service::Service;
use super::state::News;

const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_secs(1);
const TIMEOUT: Duration = Duration::from_secs(10);

/// The interface shows no body; this is the sandbox's.
#[derive(Serialize)]
struct Notification<'a> {
    pw_order_id: &'a str,
    order_name: &'a str,
    order_status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'static str>,
    trackings: &'a [Tracking],
}

/// Sends what comes, one after the other, until the service is shut down.
pub(crate) async fn send_all(
    service: Arc<Service>,
    mut news: UnboundedReceiver<News>,
    client: reqwest::Client,
) {
    loop {
        let one = tokio::select! {
            one = news.recv() => one,
            () = service.stop.cancelled() => None,
        };
        let Some(one) = one else { return };
        send(&service, &client, &one).await;
    }
}

/// A client for plain HTTP; endpoints that speak TLS are not trusted, and so are not notified.
pub(crate) fn client() -> std::io::Result<reqwest::Client> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(std::io::Error::other)?
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .no_proxy()
        .timeout(TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(std::io::Error::other)
}

async fn send(service: &Service, client: &reqwest::Client, news: &News) {
    let status = news.order.status();
    let notification = Notification {
        pw_order_id: &news.order.pw_order_id,
        order_name: &news.order.order_name,
        order_status: status,
        message: (status == Status::Problem).then_some("the artwork cannot be printed"),
        trackings: &news.order.trackings,
    };
    let body = match serde_json::to_string(&notification) {
        Ok(body) => body,
        Err(error) => return tracing::error!(%error, "a notification cannot be written"),
    };
    for attempt in 1..=TRIES {
        let request = client
            .post(&news.to.endpoint)
            .header("content-type", "application/json")
            .header(&service.options.access_key_header, &news.to.access_key)
            .body(body.clone());
        match request.send().await.and_then(reqwest::Response::error_for_status) {
            Ok(_answer) => return,
            Err(error) => {
                let error = error.without_url();
                tracing::warn!(%error, attempt, hook = news.hook.name(), "a notification was not taken");
            }
        }
        service.wait(PAUSE).await;
    }
}
