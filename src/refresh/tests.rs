//! The catalog against a service that comes and goes.

use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::service::tests::stub::{Act, Seen, Stub, fine};

const DAY: Duration = Duration::from_hours(24);

fn at(hour: i64) -> Timestamp {
    Timestamp::from_second(1_795_000_000 + hour * 3600).unwrap()
}

/// Where the day is another one than in UTC.
fn zone() -> TimeZone {
    TimeZone::fixed(jiff::tz::offset(13))
}

struct World {
    stub: Stub,
    away: Arc<AtomicBool>,
    folder: tempfile::TempDir,
}

impl World {
    async fn start() -> Self {
        let away = Arc::new(AtomicBool::new(false));
        let gone = Arc::clone(&away);
        let stub = Stub::start(move |seen| {
            if gone.load(Ordering::SeqCst) {
                Act::Answer(503, String::new())
            } else {
                catalog(seen)
            }
        })
        .await;
        let folder = tempfile::tempdir().unwrap();
        Self { stub, away, folder }
    }

    /// As a process that was just started.
    fn catalog(&self) -> Catalog {
        let cache = Cache::open(&self.folder.path().join("catalog.db")).unwrap();
        Catalog::new(Arc::new(self.stub.client()), Arc::new(cache), zone())
    }

    fn lists_asked(&self) -> usize {
        self.stub.seen("list-sku-catalogs").len()
    }
}

fn catalog(seen: &Seen) -> Act {
    if seen.line.contains("list-sku-catalogs") {
        let products = r#"[{"product_name":"T-shirt","code":"TEE","variants":
            [{"title":"M","sku":"TEE-M","variant_id":"TEE-1"}]}]"#;
        return Act::Answer(200, format!(r#"{{"status":200,"products":{products}}}"#));
    }
    if seen.line.contains("products/detail") && seen.line.contains("code=TEE") {
        let variants = r#"[{"item_sku":"TEE-M","availability":"in_stock","locations":[{"name":"US"}]}]"#;
        return Act::Answer(
            200,
            format!(r#"{{"status":200,"product":{{"variants":{variants}}}}}"#),
        );
    }
    if seen.line.contains("products/detail") {
        return Act::Answer(400, r#"{"status":400,"message":"no such product"}"#.into());
    }
    fine(seen)
}

#[tokio::test]
async fn a_young_catalog_is_not_asked_for_again_by_the_next_run_either() {
    let world = World::start().await;
    for hour in [0, 1, 24] {
        let served = world.catalog().snapshot(at(hour), DAY).await.unwrap();
        assert!(served.snapshot.entry("TEE-M").is_some());
        assert_eq!(served.old, None);
    }
    assert_eq!(world.lists_asked(), 1);
    world.catalog().snapshot(at(25), DAY).await.unwrap();
    assert_eq!(world.lists_asked(), 2);
}

#[tokio::test]
async fn what_was_read_serves_though_the_cache_cannot_be_used_and_is_not_asked_for_again() {
    let world = World::start().await;
    // No file can lie where a folder is.
    let cache = Cache::open_or_do_without(world.folder.path()).unwrap();
    let catalog = Catalog::new(Arc::new(world.stub.client()), Arc::new(cache), zone());
    for _sheet in 0..3 {
        let served = catalog.snapshot(at(0), DAY).await.unwrap();
        assert!(served.snapshot.entry("TEE-M").is_some());
        let snapshot = catalog.with_details(&set(&["TEE"]), at(0), DAY).await.unwrap();
        assert!(snapshot.detail("TEE-M").is_some());
    }
    assert_eq!(world.lists_asked(), 1);
    assert_eq!(world.stub.seen("code=TEE").len(), 1);
    assert!(catalog.not_kept().is_some());
}

#[tokio::test]
async fn an_old_catalog_serves_with_a_note_of_its_time_in_the_zone_while_the_service_is_away() {
    let world = World::start().await;
    world.catalog().snapshot(at(0), DAY).await.unwrap();
    world.away.store(true, Ordering::SeqCst);
    let served = world.catalog().snapshot(at(48), DAY).await.unwrap();
    assert!(served.snapshot.entry("TEE-M").is_some());
    let told = served.old.unwrap();
    assert!(told.starts_with("The catalog is of 2026-11-19 00:06: "), "{told}");
}

#[tokio::test]
async fn an_empty_catalog_takes_no_other_s_place() {
    let empty = Arc::new(AtomicBool::new(false));
    let is_empty = Arc::clone(&empty);
    let stub = Stub::start(move |seen| {
        if is_empty.load(Ordering::SeqCst) && seen.line.contains("list-sku-catalogs") {
            return Act::Answer(200, r#"{"status":200,"length":0,"products":[]}"#.into());
        }
        catalog(seen)
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let world = World {
        stub,
        away: Arc::default(),
        folder,
    };
    world.catalog().snapshot(at(0), DAY).await.unwrap();
    empty.store(true, Ordering::SeqCst);
    let served = world.catalog().snapshot(at(48), DAY).await.unwrap();
    assert!(served.snapshot.entry("TEE-M").is_some());
    assert!(served.old.unwrap().contains("the service's catalog is empty"));
    std::fs::remove_file(world.folder.path().join("catalog.db")).unwrap();
    let error = world.catalog().snapshot(at(48), DAY).await.unwrap_err();
    assert!(matches!(error, CatalogError::Away(_)), "{error:?}");
}

#[tokio::test]
async fn without_any_catalog_an_absent_service_is_an_error() {
    let world = World::start().await;
    world.away.store(true, Ordering::SeqCst);
    let error = world.catalog().snapshot(at(0), DAY).await.unwrap_err();
    assert!(matches!(error, CatalogError::Away(_)));
}

#[tokio::test]
async fn a_newer_catalog_that_cannot_be_had_is_told_from_none_at_all() {
    let world = World::start().await;
    world.catalog().refresh(at(0)).await.unwrap();
    world.away.store(true, Ordering::SeqCst);
    let error = world.catalog().refresh(at(1)).await.unwrap_err();
    assert!(matches!(error, CatalogError::NotNewer(_)), "{error:?}");
}

#[tokio::test]
async fn a_sheet_s_unknown_skus_cost_one_refresh_at_most() {
    let world = World::start().await;
    let catalog = world.catalog();
    catalog.snapshot(at(0), DAY).await.unwrap();
    for _ in 0..3 {
        catalog.snapshot_since(at(1), at(1)).await.unwrap();
    }
    assert_eq!(world.lists_asked(), 2);
    world.away.store(true, Ordering::SeqCst);
    for _ in 0..3 {
        let served = catalog.snapshot_since(at(2), at(2)).await.unwrap();
        assert!(served.old.is_some(), "an older one serves, and says so");
    }
    world.away.store(false, Ordering::SeqCst);
    assert_eq!(world.lists_asked(), 3, "not even when it fails");
}

#[tokio::test]
async fn details_are_read_once_and_a_product_without_one_is_survived() {
    let world = World::start().await;
    let products: BTreeSet<String> = ["TEE".to_owned(), "GONE".to_owned()].into();
    for hour in [0, 1] {
        let catalog = world.catalog();
        let snapshot = catalog.with_details(&products, at(hour), DAY).await.unwrap();
        assert_eq!(snapshot.detail("TEE-M").unwrap().locations[0].name, "US");
    }
    assert_eq!(world.stub.seen("code=TEE").len(), 1);
}

#[tokio::test]
async fn after_a_refresh_details_are_asked_for_anew_once_by_every_process() {
    let world = World::start().await;
    let products = BTreeSet::from(["TEE".to_owned()]);
    let daemon = world.catalog();
    daemon.with_details(&products, at(0), DAY).await.unwrap();
    world.catalog().refresh(at(1)).await.unwrap();
    assert_eq!(world.stub.seen("code=TEE").len(), 1, "not before they are needed");
    for hour in [2, 3] {
        daemon.with_details(&products, at(hour), DAY).await.unwrap();
        let snapshot = world.catalog().with_details(&products, at(hour), DAY).await;
        assert!(snapshot.unwrap().detail("TEE-M").is_some());
    }
    assert_eq!(world.stub.seen("code=TEE").len(), 2);
}

#[tokio::test]
async fn details_that_a_refresh_has_made_doubtful_serve_while_the_service_is_away() {
    let world = World::start().await;
    let products = BTreeSet::from(["TEE".to_owned()]);
    world.catalog().with_details(&products, at(0), DAY).await.unwrap();
    world.catalog().refresh(at(1)).await.unwrap();
    world.away.store(true, Ordering::SeqCst);
    let catalog = world.catalog();
    let snapshot = catalog.with_details(&products, at(2), DAY).await.unwrap();
    assert!(snapshot.detail("TEE-M").is_some());
}

#[tokio::test]
async fn a_sku_that_another_product_has_too_is_not_said_to_be_dearer_for_what_it_costs_there() {
    let stub = Stub::start(|seen| {
        let products =
            r#"[{"code":"OWN","variants":[{"sku":"A"}]},{"code":"OTHER","variants":[{"sku":"B"}]}]"#;
        let of = |cost: &str| {
            let variant = format!(r#"{{"item_sku":"A","locations":[{{"name":"US","base_cost":{cost}}}]}}"#);
            Act::Answer(
                200,
                format!(r#"{{"status":200,"product":{{"variants":[{variant}]}}}}"#),
            )
        };
        match &seen.line {
            line if line.contains("list-sku-catalogs") => {
                Act::Answer(200, format!(r#"{{"status":200,"products":{products}}}"#))
            }
            line if line.contains("code=OWN") => of("5"),
            line if line.contains("code=OTHER") => of("7"),
            _ => fine(seen),
        }
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let cache = Arc::new(Cache::open(&folder.path().join("catalog.db")).unwrap());
    let client = Arc::new(stub.client());
    let account = client.account_key();
    let catalog = Catalog::new(client, Arc::clone(&cache), TimeZone::UTC);
    for product in ["OWN", "OTHER"] {
        let products = BTreeSet::from([product.to_owned()]);
        let snapshot = catalog.with_details(&products, at(0), DAY).await.unwrap();
        let cost = snapshot.detail("A").unwrap().lowest_cost().unwrap();
        assert_eq!(cost.to_string(), "5.00", "after that of {product}");
    }
    assert_eq!(cache.changes(&account, at(0)).unwrap(), []);
}

#[tokio::test]
async fn many_who_wait_are_one_request() {
    let world = World::start().await;
    let catalog = Arc::new(world.catalog());
    let mut waiting = JoinSet::new();
    for _ in 0..10 {
        let catalog = Arc::clone(&catalog);
        waiting.spawn(async move { catalog.snapshot(at(0), DAY).await.map(drop) });
    }
    for ended in waiting.join_all().await {
        ended.unwrap();
    }
    assert_eq!(world.lists_asked(), 1);
}

#[tokio::test]
async fn details_that_do_not_come_are_not_asked_for_one_after_the_other_nor_by_every_sheet() {
    let stub = Stub::start(|seen| {
        if seen.line.contains("products/detail") {
            Act::Answer(500, String::new())
        } else {
            catalog(seen)
        }
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(&folder.path().join("catalog.db")).unwrap();
    let catalog = Catalog::new(Arc::new(stub.client()), Arc::new(cache), TimeZone::UTC);
    let products: BTreeSet<String> = (0..60).map(|n| format!("TEE-{n}")).collect();
    for _sheet in 0..5 {
        let snapshot = catalog.with_details(&products, at(0), DAY).await.unwrap();
        assert!(
            snapshot.entry("TEE-M").is_some(),
            "an order can be checked without"
        );
    }
    let asked = stub.seen("products/detail").len();
    assert!(
        (MOST_UNANSWERED..=2 * DETAILS_AT_ONCE).contains(&asked),
        "{asked}"
    );
}

fn set(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[tokio::test]
async fn products_whose_details_were_never_had_are_named_with_why() {
    let world = World::start().await;
    world.catalog().snapshot(at(0), DAY).await.unwrap();
    let undetailed = async |hour| {
        let catalog = world.catalog();
        catalog.with_details(&set(&["TEE"]), at(hour), DAY).await.unwrap();
        catalog.undetailed(&set(&["TEE-M", "NO-SUCH-SKU"])).await
    };
    world.away.store(true, Ordering::SeqCst);
    let told = undetailed(0).await.unwrap();
    assert_eq!(told.products, set(&["TEE"]));
    assert!(told.why.detail.contains("503"), "{}", told.why);
    world.away.store(false, Ordering::SeqCst);
    assert!(undetailed(1).await.is_none());
    // Those that were read before serve.
    world.away.store(true, Ordering::SeqCst);
    assert!(undetailed(48).await.is_none());
}

#[tokio::test]
async fn a_service_that_cannot_be_connected_to_is_not_asked_for_details_besides() {
    let world = World::start().await;
    let catalog = world.catalog();
    catalog.snapshot(at(0), DAY).await.unwrap();
    let failure = Failure {
        operation: "list-sku-catalogs",
        verdict: Verdict::NotSent,
        heard: crate::service::Heard::Nothing,
        has_status: false,
        detail: "no connection".to_owned(),
        service_message: None,
        service_date: None,
        made: None,
    };
    let pause = Pause {
        until: Instant::now() + LONGEST_PAUSE,
        times: 1,
    };
    catalog.known.lock().await.failed = Some((failure, pause));
    catalog.with_details(&set(&["TEE"]), at(0), DAY).await.unwrap();
    assert_eq!(world.stub.seen("products/detail").len(), 0);
    let told = catalog.undetailed(&set(&["TEE-M"])).await.unwrap();
    assert_eq!(told.why.detail, "no connection");
}
