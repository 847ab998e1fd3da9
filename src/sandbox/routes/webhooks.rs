//! The webhook registrations, one of each kind.

use serde::Deserialize;

use super::super::operation::Hook;
use super::super::request::{self, Refusal, Required};
use super::super::state::Registration;
use super::super::wire::Reply;
use super::{Asked, Outcome, good};

#[derive(Deserialize)]
struct HookBody {
    endpoint: Option<String>,
    access_key: Option<String>,
    access_token: Option<String>,
}

/// GET: empty texts where nothing is registered.
pub(super) fn read(asked: &Asked<'_>, hook: Hook) -> Outcome {
    let registration = asked.service.state(|state, _now| state.hook(hook).cloned());
    good(
        "registration",
        Reply::Hook {
            result: &registration.unwrap_or_default(),
        },
    )
}

/// POST and PUT.
pub(super) fn set(asked: &Asked<'_>, hook: Hook) -> Outcome {
    let body: HookBody = request::body(&asked.body)?;
    let mut required = Required::default();
    let endpoint = required.take("endpoint", body.endpoint);
    required.all_there()?;
    if !endpoint.starts_with("http://") && !endpoint.starts_with("https://") {
        return Err(Refusal::bad("endpoint is no HTTP URL"));
    }
    let registration = Registration {
        endpoint,
        access_key: body.access_key.unwrap_or_default(),
        access_token: body.access_token.unwrap_or_default(),
    };
    asked
        .service
        .state(|state, _now| state.set_hook(hook, Some(registration)));
    good("the webhook has been registered", Reply::Nothing {})
}

/// DELETE.
pub(super) fn remove(asked: &Asked<'_>, hook: Hook) -> Outcome {
    asked.service.state(|state, _now| state.set_hook(hook, None));
    good("the webhook has been removed", Reply::Nothing {})
}
