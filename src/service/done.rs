//! What is done and shows nothing of it but its envelope: cancels, and changes of a webhook's registration.

use reqwest::Method;
use serde::Serialize;

use super::http::Reply;
use super::operation::{self, Operation, Shape};
use super::verdict::Body;
use super::{Client, Failure, Heard, NONE, Verdict, Webhook, WebhookKind, unreadable, wire};

impl Client {
    /// `orders/cancel-order`; gives the service's own message, empty where it has none. An answer that does not say that
    /// it was done is a failure of which the service said 200: the order's own words tell.
    pub async fn cancel(&self, pw_order_id: &str, order_name: &str) -> Result<String, Failure> {
        let ids = wire::OrderIds {
            pw_order_id,
            order_name,
        };
        let reply = self.have_done(&operation::CANCEL, Some(&ids)).await?;
        Ok(reply.message.unwrap_or_default())
    }

    /// The registration of a kind (GET); none where nothing is registered.
    pub async fn webhook(&self, kind: WebhookKind) -> Result<Option<Webhook>, Failure> {
        let operation = operation::webhook(kind, Method::GET);
        let answer: Result<wire::WebhookAnswer, Failure> = self.ask(&operation, NONE).await;
        match answer {
            // How the service says that nothing is registered is not shown: not to find it, in its own form, is one way.
            Err(failure) if failure.heard == Heard::Said(404) => Ok(None),
            answer => Ok(answer?.into_webhook()),
        }
    }

    /// Registers anew (POST).
    pub async fn register_webhook(&self, kind: WebhookKind, hook: &Webhook) -> Result<(), Failure> {
        let operation = operation::webhook(kind, Method::POST);
        let registration = wire::Registration::new(hook);
        self.have_done(&operation, Some(&registration)).await.map(drop)
    }

    /// Replaces a registration (PUT).
    pub async fn replace_webhook(&self, kind: WebhookKind, hook: &Webhook) -> Result<(), Failure> {
        let operation = operation::webhook(kind, Method::PUT);
        let registration = wire::Registration::new(hook);
        self.have_done(&operation, Some(&registration)).await.map(drop)
    }

    /// Removes a registration (DELETE).
    pub async fn remove_webhook(&self, kind: WebhookKind) -> Result<(), Failure> {
        let operation = operation::webhook(kind, Method::DELETE);
        self.have_done(&operation, NONE).await.map(drop)
    }

    /// Has something done, and believes it only of an answer that says so.
    async fn have_done<P: Serialize>(
        &self,
        operation: &Operation,
        params: Option<&P>,
    ) -> Result<Reply, Failure> {
        let reply = self.call(operation, params).await?;
        match doubt(operation.shape, &reply.bytes) {
            None => Ok(reply),
            Some(doubt) => Err(Failure {
                verdict: Verdict::Unknown,
                heard: Heard::Said(200),
                ..unreadable(operation, &reply, doubt.to_owned())
            }),
        }
    }
}

/// Why an answer under a code of success does not say that what was asked was done: the shape of an error's body is not
/// shown, and whoever writes one may leave the code at 200. None where it says so.
fn doubt(shape: Shape, answer: &[u8]) -> Option<&'static str> {
    if wire::names_error(answer) {
        return Some("the answer has a code of success, and names an error");
    }
    match (shape, wire::envelope(answer).0) {
        // Success carries a status of 200 in the body; which code it is was judged with the answer.
        (Shape::Envelope, Body::Envelope(None)) => {
            Some("the answer lacks the `status` with which the service says that it was done")
        }
        (Shape::Envelope | Shape::NotShown | Shape::Token, _) => None,
    }
}
