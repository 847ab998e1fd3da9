//! What is wrong with a profile, as its users are told.

use super::*;

#[test]
fn what_is_wrong_within_a_profile_is_told_with_its_key() {
    // The profile's own lines start at line 15.
    let profile = |lines: &str| {
        let base = "[profile.own]\nrecognise = [\"A\", \"B\"]\n[profile.own.columns]\norder_id = \"A\"";
        inbox_with(&format!("{base}\nquantity = \"B\"\n{lines}"))
    };
    let skip = |when: &str| {
        let lines = format!("[[profile.own.skip]]\ncolumn = \"C\"\nwhen = {when}\n");
        profile(&format!("{lines}means = \"canceled\"\nreason = \"x\""))
    };
    let date = |formats: &str| {
        profile(&format!(
            "[profile.own.date]\ncolumn = \"C\"\nformats = {formats}"
        ))
    };
    skip("[\"void\"]").unwrap();
    skip("\"filled\"").unwrap();
    date("[\"%d.%m.%Y\"]").unwrap();
    inbox_with(
        "[profile.own]\nrecognise = [\"A\", \"B\"]\ncolumns = { order_id = \"A\", quantity = \"B\" }\n\
         date = { column = [\"C\", \"D\"] }",
    )
    .unwrap();
    let no_format = ":16: `profile.own.date.formats`: `";
    assert_each_begins_with([
        (
            skip("\"fild\""),
            ":16: `profile.own.skip.[0].when`: invalid value: string \"fild\", expected \"filled\", \"blank\",",
        ),
        (
            skip("{}"),
            ":16: `profile.own.skip.[0].when`: invalid type: map, expected \"filled\", \"blank\",",
        ),
        (
            profile("shipping_name = { join = [\"C\", \"D\"], betwen = \" \" }"),
            ":14: `profile.own.columns.shipping_name.betwen`: unknown key; did you mean `between`?",
        ),
        (
            profile("shipping_name = 5"),
            ":14: `profile.own.columns.shipping_name`: invalid type: integer `5`, expected the name of a column,",
        ),
        (
            profile("[profile.own.date]\ncolumn = 5"),
            ":15: `profile.own.date.column`: invalid type: integer `5`, expected the name of a column, or a list",
        ),
        (
            date("[\"%H:%M\"]"),
            &format!("{no_format}%H:%M` is no format of a date"),
        ),
        (
            date("[\"%Q\"]"),
            &format!("{no_format}%Q` is no format of a date"),
        ),
        (
            date("[\"%d.%m\"]"),
            &format!("{no_format}%d.%m` is no format of a date"),
        ),
    ]);
    for names in [
        r#"["A", "a "]"#,
        r#"["A", ""]"#,
        "[]",
        r#"[["A", "B"]]"#,
        r#"["A", ["B", "a"]]"#,
        r#"["A", []]"#,
    ] {
        let lines = format!("[profile.own]\nrecognise = {names}\n[profile.own.columns]\norder_id = \"A\"");
        let expected = ":10: `profile.own.recognise`: expected the names of at least two columns";
        assert_each_begins_with([(inbox_with(&lines), expected)]);
    }
}
