//! A proxy before the sandbox that writes down what passes through it.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};

/// A request and its answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Exchange {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: String,
    pub(super) body: String,
    pub(super) has_token: bool,
    pub(super) status: u16,
    pub(super) answer: String,
}

/// The proxy; it runs for as long as the test does.
pub(super) struct Recorder {
    pub(super) base_url: String,
    seen: Arc<Mutex<Vec<Exchange>>>,
}

#[derive(Clone)]
struct Way {
    service: String,
    client: reqwest::Client,
    seen: Arc<Mutex<Vec<Exchange>>>,
}

impl Recorder {
    /// A proxy before a service.
    pub(super) async fn before(service: String) -> Self {
        let seen = Arc::new(Mutex::default());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth();
        let way = Way {
            service,
            client: reqwest::Client::builder()
                .tls_backend_preconfigured(tls)
                .no_proxy()
                .build()
                .unwrap(),
            seen: Arc::clone(&seen),
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(pass).with_state(way);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { base_url, seen }
    }

    /// What has passed so far.
    pub(super) fn exchanges(&self) -> Vec<Exchange> {
        self.seen.lock().unwrap().clone()
    }
}

async fn pass(State(way): State<Way>, request: Request) -> (StatusCode, HeaderMap, Bytes) {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let url = format!("{}{}", way.service, head.uri.path_and_query().unwrap());
    let mut headers = head.headers.clone();
    headers.remove("host");
    let answer = way
        .client
        .request(head.method.clone(), url)
        .headers(headers)
        .body(body.clone())
        .send()
        .await
        .unwrap();
    let (status, headers) = (answer.status(), answer.headers().clone());
    let bytes = answer.bytes().await.unwrap();
    way.seen.lock().unwrap().push(Exchange {
        method: head.method.to_string(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        body: String::from_utf8(body.to_vec()).unwrap(),
        has_token: head.headers.contains_key("pw-access-token"),
        status: status.as_u16(),
        answer: String::from_utf8(bytes.to_vec()).unwrap(),
    });
    (status, headers, bytes)
}
