//! (refresh)
use std::collections::BTreeSet;use std::sync::Arc;use jiff::Timestamp;
use crate::catalog::Snapshot;use crate::service::{Client,Failure};
#[derive(Debug)] pub struct Catalogs {}
#[derive(Debug)] pub struct Prepared { pub snapshot: Arc<Snapshot>, pub old: Option<String> }
#[derive(Debug, thiserror::Error)] pub enum CatalogError { #[error("away")] Away(#[source] Failure), #[error("x")] Cache }
impl Catalogs { pub async fn prepare(&self, _c:&Client,_s:&BTreeSet<String>,_n:Timestamp)->Result<Prepared,CatalogError>{ todo!() } }
