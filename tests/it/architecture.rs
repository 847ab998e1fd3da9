//! The shape of the program, held by reading its source: who may import whom, and what stands in one place only.
//!
//! Imports are taken from the code, without comments and strings, of everything above a file's tests.

mod source;

use std::collections::BTreeMap;

use source::{File, files};

/// How far from the pure words a module is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    /// Import nothing of ours but other words.
    Words,
    /// Pure steps: no disk but what they are handed, no network, no clock.
    Pure,
    /// The disk and the network: never each other.
    Edges,
    /// The only ones that see several edges.
    Joints,
    /// See everything.
    Programs,
}

/// Every module, in reading order. One may import those of the layers above it, and those of its own layer that
/// stand above it here: that there are no circles follows. Edges import no edge at all, see [`BESIDES`].
const MODULES: &[(&str, Layer)] = &[
    ("ahead", Layer::Words),
    ("causes", Layer::Words),
    ("crash", Layer::Words),
    ("defect", Layer::Words),
    ("clock", Layer::Words),
    ("files", Layer::Words),
    ("finding", Layer::Words),
    ("money", Layer::Words),
    ("nesting", Layer::Words),
    ("outcome", Layer::Words),
    ("sheet", Layer::Pure),
    ("order", Layer::Pure),
    ("catalog", Layer::Pure),
    ("check", Layer::Pure),
    ("artwork", Layer::Pure),
    ("quote", Layer::Pure),
    ("reconcile", Layer::Pure),
    ("standing", Layer::Pure),
    ("tracking", Layer::Pure),
    ("result", Layer::Pure),
    ("template", Layer::Pure),
    ("catalog::cache", Layer::Edges),
    ("service", Layer::Edges),
    ("serving", Layer::Edges),
    ("ledger", Layer::Edges),
    ("inbox", Layer::Edges),
    ("config", Layer::Edges),
    ("attention", Layer::Joints),
    ("sync", Layer::Joints),
    ("refresh", Layer::Joints),
    ("preflight", Layer::Joints),
    ("submit", Layer::Joints),
    ("import", Layer::Joints),
    ("filing", Layer::Joints),
    ("logging", Layer::Programs),
    ("status", Layer::Programs),
    ("notify", Layer::Programs),
    ("metrics", Layer::Programs),
    ("doctor", Layer::Programs),
    ("webhook", Layer::Programs),
    ("daemon", Layer::Programs),
    ("report", Layer::Programs),
    ("sandbox", Layer::Programs),
    ("cli", Layer::Programs),
    ("lib", Layer::Programs),
    ("main", Layer::Programs),
];

/// What is allowed besides: the config is made of the settings that the service's client takes.
const BESIDES: &[(&str, &str)] = &[("config", "service")];

/// What is forbidden besides, with the reason.
const NEVER: &[(&str, &str, &str)] = &[
    ("order", "files", "`order` does not know what a file is"),
    ("check", "files", "a check reads no file"),
    ("quote", "files", "a decision reads no file"),
    ("reconcile", "files", "a decision reads no file"),
];

/// Files that may pass 500 lines, for they are tables.
const TABLES: &[&str] = &["finding/codes.rs"];

/// The most lines of a file that is no table.
const MOST_LINES: usize = 500;

#[test]
fn imports_go_one_way() {
    let wrong: Vec<String> = files().iter().flat_map(wrong_imports).collect();
    assert!(wrong.is_empty(), "imports against MODULES:\n{}", wrong.join("\n"));
}

#[test]
fn every_module_is_in_the_table_and_every_entry_is_a_module() {
    let in_source: BTreeMap<String, String> = files()
        .iter()
        .map(|file| (module_of(&file.path), file.path.clone()))
        .collect();
    for (module, path) in &in_source {
        assert!(
            layer(module).is_some(),
            "{path}: add `{module}` to MODULES in {}",
            file!()
        );
    }
    for (module, _) in MODULES {
        // The cached catalog is the only entry that is part of another.
        let expected = in_source.contains_key(*module) || *module == "catalog::cache";
        assert!(
            expected,
            "MODULES in {} has `{module}`, which is no module",
            file!()
        );
    }
}

#[test]
fn pure_modules_are_not_async() {
    refuse(
        |file| layer(&module_of(&file.path)).is_some_and(|layer| layer <= Layer::Pure),
        |file| file.words_in_code(&["async", "await"]),
        "a pure module is `async`",
    );
}

#[test]
fn sql_stands_in_the_store_alone() {
    const SQL: &[&str] = &[
        "SELECT ",
        "INSERT INTO",
        "INSERT OR",
        "UPDATE ",
        "DELETE FROM",
        "CREATE TABLE",
        "PRAGMA ",
        "BEGIN IMMEDIATE",
    ];
    let is_store = |path: &str| {
        ["ledger/store.rs", "ledger/schema.rs", "catalog/cache.rs"].contains(&path)
            || path.starts_with("ledger/store/")
            // They meddle with it as a disk, a bug or a person would.
            || path.starts_with("ledger/tests/")
            || path.starts_with("catalog/cache/")
    };
    refuse(
        |file| !is_store(&file.path),
        |file| file.texts_in_strings(SQL),
        "SQL outside ledger/store and catalog/cache.rs",
    );
}

#[test]
fn the_environment_is_read_by_config_and_commands_alone() {
    refuse(
        |file| !["config", "crash", "cli", "main"].contains(&module_of(&file.path).as_str()),
        |file| {
            file.words_in_code(&[
                "env::var",
                "env::var_os",
                "env::vars",
                "env::vars_os",
                "env::args",
            ])
        },
        "the environment is read",
    );
}

#[test]
fn the_wall_clock_is_read_by_clock_and_programs_alone() {
    refuse(
        |file| {
            let module = module_of(&file.path);
            module != "clock" && layer(&module).is_some_and(|layer| layer < Layer::Programs)
        },
        |file| file.words_in_code(&["Timestamp::now", "Zoned::now", "SystemTime::now", "Clock::system"]),
        "the wall clock is read; `now` is an argument",
    );
}

#[test]
fn no_file_is_too_long_to_read() {
    for file in files() {
        let fits = file.lines <= MOST_LINES || TABLES.contains(&file.path.as_str());
        assert!(
            fits,
            "src/{} has {} lines; at most {MOST_LINES} are read with pleasure",
            file.path, file.lines
        );
    }
}

#[test]
fn every_library_that_is_named_is_used() {
    let manifest = include_str!("../../Cargo.toml").parse::<toml::Table>().unwrap();
    let libraries = manifest["dependencies"].as_table().unwrap();
    assert!(libraries.len() > 20, "the libraries were not found");
    let files = files();
    for library in libraries.keys() {
        let name = library.replace('-', "_");
        let used = files.iter().any(|file| !file.words_in_code(&[&name]).is_empty());
        assert!(used, "`{library}` stands in Cargo.toml, and no code uses it");
    }
}

#[test]
fn an_import_against_the_table_is_noticed() {
    for (path, code, expected) in [
        (
            "order/group.rs",
            "use crate::service::Client;",
            "src/order/group.rs:1: `order` imports `service`",
        ),
        (
            "sheet.rs",
            "\nuse crate::order;",
            "src/sheet.rs:2: `sheet` imports `order`",
        ),
        (
            "ledger/store.rs",
            "use crate::{money, inbox::Claim};",
            "`ledger` imports `inbox`",
        ),
        (
            "inbox/claim.rs",
            "use super::super::ledger::Store;",
            "`inbox` imports `ledger`",
        ),
        (
            "catalog.rs",
            "use crate::catalog::cache::Cache;",
            "`catalog` imports `catalog::cache`",
        ),
        (
            "order.rs",
            "fn f() { crate::files::hash(x) }",
            "`order` does not know what a file is",
        ),
        (
            "sandbox/state.rs",
            "use crate::money::Money;",
            "the sandbox imports nothing of ours",
        ),
        (
            "money.rs",
            "use crate::{\n    files::{a, b},\n    sheet,\n};",
            "`money` imports `sheet`",
        ),
    ] {
        let found = wrong_imports(&File::of(path, code)).join("\n");
        assert!(
            found.contains(expected),
            "{path}: `{code}` gives `{found}`, not `{expected}`"
        );
    }
}

#[test]
fn an_import_that_the_table_allows_is_passed_over() {
    for (path, code) in [
        (
            "order/group.rs",
            "use super::Draft; use crate::order::Draft; use crate::sheet::Row;",
        ),
        (
            "config/checked.rs",
            "use crate::service::GetParams; use super::raw;",
        ),
        ("import.rs", "use crate::{ledger, service, submit};"),
        (
            "order.rs",
            "// use crate::service\nconst A: &str = \"crate::service\";",
        ),
        (
            "order.rs",
            "fn f() {}\n#[cfg(test)]\nmod tests { use crate::service; }",
        ),
        (
            "sandbox/state.rs",
            "use super::faults; use crate::sandbox::state;",
        ),
        ("catalog/cache.rs", "use super::Snapshot; use crate::files;"),
    ] {
        let found = wrong_imports(&File::of(path, code));
        assert!(found.is_empty(), "{path}: `{code}` gives {found:?}");
    }
}

/// The imports of a file that the table does not allow, each as a line for a person.
fn wrong_imports(file: &File) -> Vec<String> {
    let module = module_of(&file.path);
    let judge = |(line, target): (usize, String)| {
        let reason = refusal(&module, &target)?;
        Some(format!(
            "src/{}:{line}: `{module}` imports `{target}`: {reason}",
            file.path
        ))
    };
    file.imports().into_iter().filter_map(judge).collect()
}

/// Why a module must not import another; none where it may.
fn refusal(module: &str, target: &str) -> Option<String> {
    if module == target || BESIDES.contains(&(module, target)) {
        return None;
    }
    if let Some((_, _, reason)) = NEVER
        .iter()
        .find(|(from, to, _)| (*from, *to) == (module, target))
    {
        return Some((*reason).to_owned());
    }
    if module == "sandbox" {
        return Some("the sandbox imports nothing of ours".to_owned());
    }
    // A submodule that is an edge sees the pure module it lies in, and what the others see.
    let (own, other) = (layer(module)?, layer(target)?);
    if other == Layer::Programs && own == Layer::Programs || other < own {
        return None;
    }
    let place = |name: &str| MODULES.iter().position(|(module, _)| *module == name);
    let above = place(target) < place(module);
    (own != other || own == Layer::Edges || !above).then(|| {
        format!(
            "{other:?} stand above {own:?}, or beside it in an order that MODULES in {} tells",
            file!()
        )
    })
}

fn layer(module: &str) -> Option<Layer> {
    MODULES
        .iter()
        .find(|(name, _)| *name == module)
        .map(|(_, layer)| *layer)
}

/// The module of the table that a file of `src/` belongs to.
fn module_of(path: &str) -> String {
    let parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    match parts.as_slice() {
        ["catalog", "cache", ..] => "catalog::cache".to_owned(),
        [first, ..] => (*first).to_owned(),
        [] => String::new(),
    }
}

/// Fails with every place found in the files that are meant.
fn refuse(meant: impl Fn(&File) -> bool, find: impl Fn(&File) -> Vec<(usize, String)>, what: &str) {
    let found: Vec<String> = files()
        .iter()
        .filter(|file| meant(file))
        .flat_map(|file| {
            let path = file.path.clone();
            find(file)
                .into_iter()
                .map(move |(line, text)| format!("src/{path}:{line}: {what}: `{text}`"))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
