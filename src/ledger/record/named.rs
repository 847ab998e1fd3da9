//! What the results of a taken sheet are called.

use std::path::Path;

use super::NewClaim;

impl NewClaim {
    /// The name that its results carry, before their endings.
    pub fn name_of_results(&self) -> String {
        name_of_results(&self.stem, (&self.sheet_name, self.out_path.as_deref()))
    }
}

/// What the files of a sheet are called, before their endings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileNames {
    /// Its results.
    pub results: String,
    /// Its held sheet, which lies in the inbox's folder wherever the results do.
    pub held: String,
}

impl FileNames {
    /// The same as told in a sheet of another inbox, whose own files are called so: names are unique within an inbox alone,
    /// and one that this sheet has too, or another one beside it as `is_there` tells, is told with its inbox.
    #[must_use]
    pub(in crate::ledger) fn told_beside(self, own: &Self, inbox: &str, is_there: [bool; 2]) -> Self {
        let told = |name: String, own: &str, is_there: bool| {
            if is_there || name == own {
                format!("{inbox}/{name}")
            } else {
                name
            }
        };
        let [results, held] = is_there;
        Self {
            results: told(self.results, &own.results, results),
            held: told(self.held, &own.held, held),
        }
    }
}

/// The name that the results of a sheet carry: in its inbox its stem, elsewhere its own name or that of the file that they
/// are written to.
pub(in crate::ledger) fn name_of_results(stem: &str, (sheet_name, out): (&str, Option<&str>)) -> String {
    let Some(out) = out.map(Path::new) else {
        return stem.to_owned();
    };
    let named = out_ending(out).map_or(Path::new(sheet_name), |_ending| out);
    let name = named.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The name with the number that its result was given, where the file of that name was there already: `u-2` of
/// `u-2.result.xlsx`.
pub(in crate::ledger) fn numbered(name: &str, result: &str) -> Option<String> {
    let file = Path::new(result).file_name()?.to_str()?;
    let number = file.strip_prefix(name)?.strip_prefix('-')?.split('.').next()?;
    number
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| format!("{name}-{number}"))
}

/// The ending of an `--out` that names the result itself: `csv` or `xlsx`; none for a folder.
pub fn out_ending(out: &Path) -> Option<&'static str> {
    let ending = out.extension()?.to_string_lossy().to_ascii_lowercase();
    ["csv", "xlsx"].into_iter().find(|known| *known == ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_was_given_a_number_has_it_in_its_name() {
        for (result, expected) in [
            ("/tmp/u-2.result.xlsx", Some("u-2")),
            ("u.result.xlsx", None),
            ("u-b.result.xlsx", None),
            ("u-12.xlsx", Some("u-12")),
        ] {
            assert_eq!(numbered("u", result).as_deref(), expected, "{result}");
        }
    }

    #[test]
    fn a_name_that_is_the_sheets_own_too_is_told_with_its_inbox() {
        let names = |results: &str, held: &str| FileNames {
            results: results.to_owned(),
            held: held.to_owned(),
        };
        let own = names("2026-11-24_1345_mine", "2026-11-24_1345_mine");
        let told = |results, held| names(results, held).told_beside(&own, "two", [false; 2]);
        assert_eq!(
            told("2026-11-24_1345_mine", "2026-11-24_1345_mine"),
            names("two/2026-11-24_1345_mine", "two/2026-11-24_1345_mine")
        );
        assert_eq!(
            told("answers", "2026-11-24_1345_mine"),
            names("answers", "two/2026-11-24_1345_mine")
        );
        assert_eq!(told("u", "v"), names("u", "v"));
        let beside = |is_there| names("u", "v").told_beside(&own, "two", is_there);
        assert_eq!(beside([true, false]), names("two/u", "v"));
        assert_eq!(beside([false, true]), names("u", "two/v"));
    }

    #[test]
    fn results_are_called_like_their_sheet_or_the_file_that_they_go_to() {
        let name = |out| name_of_results("2026-11-24_1345_mine", ("mine.csv", out));
        assert_eq!(name(None), "2026-11-24_1345_mine");
        assert_eq!(name(Some("/shop")), "mine");
        assert_eq!(name(Some("/shop/answers.XLSX")), "answers");
    }
}
