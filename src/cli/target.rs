//! The file that a command writes where `--out` says.

use std::path::{Path, PathBuf};

use super::exit::UsageError;
use crate::files;

/// The file that is named, which must not be there and must have one of the endings; a free name in the folder that is
/// named, or in this one. The first ending is that of a free name.
pub(super) fn target(out: Option<&Path>, name: &str, endings: &[&str]) -> anyhow::Result<PathBuf> {
    let usual = endings.first().copied().unwrap_or_default();
    let file = match out {
        None => return Ok(files::free_name(Path::new("."), name, usual)),
        Some(folder) if folder.is_dir() => return Ok(files::free_name(folder, name, usual)),
        Some(file) => file,
    };
    let ending = file.extension().unwrap_or_default();
    if !endings.iter().any(|known| ending.eq_ignore_ascii_case(known)) {
        let wrong = format!(
            "{}: name a file that ends in .{}, or a folder that is there",
            file.display(),
            endings.join(" or .")
        );
        return Err(UsageError(wrong).into());
    }
    anyhow::ensure!(
        !file.exists(),
        "{} is there already; it is not overwritten",
        file.display()
    );
    let folder = files::folder_of(file);
    anyhow::ensure!(
        folder.is_dir(),
        "cannot write {}: there is no folder {}; make it, or name another with --out",
        file.display(),
        folder.display()
    );
    Ok(file.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::exit::{Exit, of_error};
    use super::*;

    #[test]
    fn a_file_is_named_by_its_ending_and_never_one_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let named = |name: &str| target(Some(&at(name)), "template", &["xlsx", "csv"]);
        assert_eq!(named("new.CSV").unwrap(), at("new.CSV"));
        assert_eq!(named("").unwrap(), at("template.xlsx"));
        for wrong in ["new.ods", "new", "nowhere/"] {
            let error = named(wrong).unwrap_err();
            assert_eq!(of_error(&error), Exit::Usage, "{wrong}");
            assert!(error.to_string().contains("ends in .xlsx or .csv"), "{error}");
        }
        std::fs::File::create(at("template.xlsx")).unwrap();
        let error = named("template.xlsx").unwrap_err();
        assert_eq!(of_error(&error), Exit::Failed);
        assert_eq!(named("").unwrap(), at("template-2.xlsx"));
        let error = named("nowhere/new.xlsx").unwrap_err();
        assert_eq!(of_error(&error), Exit::Failed);
        let said = error.to_string();
        assert!(
            said.contains("there is no folder") && said.contains("; make it"),
            "{said}"
        );
    }
}
