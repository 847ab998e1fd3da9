//! A password that changes while the program runs.

use std::sync::PoisonError;

use secrecy::{ExposeSecret, SecretString};

use super::Client;

impl Client {
    /// Logs in with this password from here on, and forgets that another one was refused; false where it is the one
    /// that is used already.
    pub async fn take_password(&self, password: &SecretString) -> bool {
        {
            let mut known = self.password.lock().unwrap_or_else(PoisonError::into_inner);
            if known.expose_secret() == password.expose_secret() {
                return false;
            }
            *known = password.clone();
        }
        self.tokens.forget_refusal().await;
        true
    }
}
