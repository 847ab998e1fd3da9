//! What is done and shows nothing of it but its envelope.

use super::super::{Heard, Verdict, Webhook, WebhookKind};
use super::answers::saying;

#[tokio::test]
async fn a_cancel_is_believed_only_of_an_answer_that_says_so() {
    for (body, said) in [
        (
            r#"{"status":200,"message":"P has been canceled"}"#,
            Ok("P has been canceled"),
        ),
        (r#"{"status":"200"}"#, Ok("")),
        (
            r#"{"status":200,"message":"canceled","error":null,"errors":[]}"#,
            Ok("canceled"),
        ),
        (
            r#"{"error":"P cannot be canceled"}"#,
            Err(Some("P cannot be canceled")),
        ),
        (
            r#"{"status":200,"errors":["in production"]}"#,
            Err(Some("in production")),
        ),
        (
            r#"{"message":"P has been canceled"}"#,
            Err(Some("P has been canceled")),
        ),
        ("{}", Err(None)),
    ] {
        let answer = saying(body).await.client().cancel("P", "1").await;
        let answer = answer.as_deref().map_err(|failure| {
            assert_eq!(
                (failure.verdict, failure.heard),
                (Verdict::Unknown, Heard::Said(200))
            );
            failure.service_message.as_deref()
        });
        assert_eq!(answer, said, "{body}");
    }
}

#[tokio::test]
async fn a_registration_that_is_answered_with_an_error_is_not_done() {
    let hook = Webhook {
        endpoint: "https://example.com/h".into(),
        access_key: "K".into(),
        access_token: "A".into(),
    };
    for (body, is_done) in [("{}", true), (r#"{"error":"no such address"}"#, false)] {
        let client = saying(body).await.client();
        let kind = WebhookKind::Tracking;
        assert_eq!(
            client.register_webhook(kind, &hook).await.is_ok(),
            is_done,
            "{body}"
        );
        assert_eq!(
            client.replace_webhook(kind, &hook).await.is_ok(),
            is_done,
            "{body}"
        );
        assert_eq!(client.remove_webhook(kind).await.is_ok(), is_done, "{body}");
    }
}
