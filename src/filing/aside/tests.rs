use super::*;

const CLAIM: Owner = Owner::Claim(ClaimRef(12));

/// A file in a folder, and the hash of what was written there.
fn written(bytes: &[u8]) -> (tempfile::TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("monday.result.csv");
    files::write_new(&path, bytes).unwrap();
    let (hash, _bytes) = files::hash(bytes).unwrap();
    (folder, path, hash)
}

fn names(folder: &tempfile::TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| files::name_of(&entry.unwrap().path()))
        .collect();
    names.sort();
    names
}

/// Where it lies, of what was put back.
fn theirs(moved: io::Result<Moved>) -> String {
    match moved.unwrap() {
        Moved::Theirs(path) => files::name_of(&path),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_that_a_person_saves_amid_the_look_whose_it_is_stays_where_it_is() {
    let (folder, path, hash) = written(b"as written");
    let saved_after = |is_ours: bool| {
        move |file: &Path| {
            files::write_over(file, b"saved by a person").unwrap();
            Ok(is_ours)
        }
    };
    let found = hash_if(&path, saved_after(true)).unwrap().unwrap();
    assert_eq!(found, hash);
    assert_eq!(theirs(take(&path, &found, Owner::Own)), "monday.result.csv");
    assert_eq!(std::fs::read(&path).unwrap(), b"saved by a person");
    assert_eq!(names(&folder), ["monday.result.csv"]);
    assert_eq!(hash_if(&path, saved_after(false)).unwrap(), None);
    let found = hash_if(&path, |_file| Ok(true)).unwrap().unwrap();
    assert!(matches!(take(&path, &found, Owner::Own).unwrap(), Moved::Ours(_)));
}

#[test]
fn the_name_of_a_file_aside_leads_back_to_its_owner_and_hash() {
    let name = |owner: Owner, path: &str, hash: &str| files::name_of(&owner.aside(Path::new(path), hash));
    let result = name(CLAIM, "results/monday.result.csv", "ab01");
    assert_eq!(result, ".dropsheet-12-ab01.old");
    assert_eq!(Named::read(&result), Some(Named::Claim(ClaimRef(12), "ab01")));
    let own = name(Owner::Own, "results/trackings-2026-11-21.xlsx", "ab01");
    assert_eq!(own, ".dropsheet-own-ab01-trackings-2026-11-21.xlsx.old");
    assert_eq!(
        Named::read(&own),
        Some(Named::Own("ab01", "trackings-2026-11-21.xlsx"))
    );
    // A name that a file may have leaves room for what is put before it.
    let (hash, _bytes) = files::hash(&b"as written"[..]).unwrap();
    let hash_begins: String = hash.chars().take(16).collect();
    let longest = format!("{}.to-fix.xlsx", "x".repeat(200));
    let own = name(Owner::Own, &longest, &hash);
    assert!(own.len() <= 255, "{}", own.len());
    assert_eq!(Named::read(&own), Some(Named::Own(&hash_begins, &longest)));
    for other in [
        ".dropsheet-Xy12Zz",
        ".dropsheet-1.old",
        ".dropsheet-x-ab.old",
        ".dropsheet",
    ] {
        assert_eq!(Named::read(other), None, "{other}");
    }
}

#[test]
fn a_file_that_is_as_it_was_written_lies_aside_until_it_is_removed() {
    let (folder, path, hash) = written(b"own");
    let Moved::Ours(aside) = take(&path, &hash, CLAIM).unwrap() else {
        panic!("it is as it was written");
    };
    assert_eq!(names(&folder), [format!(".dropsheet-12-{hash}.old")]);
    aside.remove().unwrap();
    assert!(matches!(take(&path, &hash, CLAIM), Ok(Moved::Gone)));
    assert!(matches!(take_at_once(&path, &hash, CLAIM), Ok(Moved::Gone)));
    assert_eq!(names(&folder), [""; 0]);
}

#[test]
fn a_file_that_is_a_persons_or_open_is_not_moved() {
    let (folder, path, hash) = written(b"a person's");
    let (other, _bytes) = files::hash(&b"own"[..]).unwrap();
    let same = names(&folder);
    assert_eq!(theirs(take(&path, &other, CLAIM)), same[0]);
    let lock = folder.path().join("~$nday.result.csv");
    files::write_new(&lock, b"").unwrap();
    assert_eq!(theirs(take(&path, &hash, CLAIM)), same[0]);
    std::fs::remove_file(lock).unwrap();
    assert!(matches!(take(&path, &hash, CLAIM), Ok(Moved::Ours(_))));
}

#[test]
fn what_was_edited_in_the_last_moment_is_put_back_and_replaces_nothing() {
    let (folder, path, _hash) = written(b"a person's");
    let (own, _bytes) = files::hash(&b"own"[..]).unwrap();
    assert_eq!(theirs(take_at_once(&path, &own, CLAIM)), "monday.result.csv");
    assert_eq!(std::fs::read(&path).unwrap(), b"a person's");
    // Meanwhile a file may have come to lie in its place.
    let lies = CLAIM.aside(&path, &own);
    files::move_new(&path, &lies).unwrap();
    files::write_new(&path, b"another").unwrap();
    let back = Aside { lies, home: path }.put_back().unwrap();
    assert_eq!(files::name_of(&back), "monday.result-2.csv");
    assert_eq!(std::fs::read(back).unwrap(), b"a person's");
    assert_eq!(names(&folder), ["monday.result-2.csv", "monday.result.csv"]);
}

#[test]
fn what_cannot_be_read_aside_is_put_back() {
    let (folder, path, hash) = written(b"own");
    let elsewhere = folder.path().join("elsewhere.csv");
    files::move_new(&path, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
    for owner in [CLAIM, Owner::Own] {
        take_at_once(&path, &hash, owner).unwrap_err();
        assert_eq!(names(&folder), ["elsewhere.csv", "monday.result.csv"]);
    }
}

#[test]
fn what_lies_aside_already_is_in_the_way_and_stays() {
    let (_folder, path, hash) = written(b"own");
    let lies = CLAIM.aside(&path, &hash);
    files::write_new(&lies, b"an earlier one").unwrap();
    let error = take(&path, &hash, CLAIM).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(std::fs::read(&path).unwrap(), b"own");
    assert_eq!(std::fs::read(&lies).unwrap(), b"an earlier one");
}
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("a test asked for it")]
    Put,
    #[error("it cannot be written")]
    Write(#[from] io::Error),
    #[error(transparent)]
    Remove(#[from] RemoveError),
}

/// The file aside, as `put` and `note` are to find it.
fn ours(path: &Path, hash: &str) -> Aside {
    match take(path, hash, CLAIM) {
        Ok(Moved::Ours(aside)) => aside,
        other => panic!("{other:?}"),
    }
}

fn put_newer(path: &Path) -> Result<(), Failed> {
    files::write_new(path, b"newer")?;
    Ok(())
}

#[test]
fn what_cannot_be_replaced_is_back_in_its_place_and_noted_again_before() {
    let (folder, path, hash) = written(b"own");
    let noted = std::cell::Cell::new(0);
    let note = || {
        assert!(!path.exists(), "unnoted it would be taken for a person's");
        noted.set(noted.get() + 1);
        Ok(())
    };
    let put = || Err::<(), _>(Failed::Put);
    let failed = ours(&path, &hash).replaced(put, note).unwrap_err();
    assert!(matches!(failed, Failed::Put));
    // It is back even where that cannot be noted.
    let failed = ours(&path, &hash).replaced(put, put).unwrap_err();
    assert!(matches!(failed, Failed::Put));
    assert_eq!(
        (names(&folder), noted.get()),
        (vec!["monday.result.csv".to_owned()], 1)
    );
    assert_eq!(std::fs::read(&path).unwrap(), b"own");
    // So it is still known as dropsheet's own, and the next try replaces it.
    let replaced = ours(&path, &hash).replaced(|| put_newer(&path), || panic!("the newer one is noted"));
    replaced.unwrap();
    assert_eq!(names(&folder), ["monday.result.csv"]);
    assert_eq!(std::fs::read(&path).unwrap(), b"newer");
}

#[test]
fn what_fails_when_the_newer_one_is_there_leaves_that_alone() {
    let (folder, path, hash) = written(b"own");
    let put = || {
        files::write_new(&path, b"newer").unwrap();
        Err::<(), _>(Failed::Put)
    };
    let failed = ours(&path, &hash).replaced(put, || panic!("the newer one is noted"));
    assert!(matches!(failed, Err(Failed::Put)));
    assert_eq!(names(&folder), ["monday.result.csv"]);
    assert_eq!(std::fs::read(&path).unwrap(), b"newer");
}

#[test]
fn what_cannot_be_removed_is_named_where_it_lies() {
    let (folder, path, hash) = written(b"own");
    let lies = CLAIM.aside(&path, &hash);
    let put = || {
        // A folder in its place is nothing that can be removed as a file.
        std::fs::remove_file(&lies).unwrap();
        std::fs::create_dir(&lies).unwrap();
        put_newer(&path)
    };
    let failed = ours(&path, &hash).replaced(put, || Ok(())).unwrap_err();
    let (lies, home) = (lies.display(), path.display());
    assert_eq!(
        failed.to_string(),
        format!(
            "cannot remove {lies}, as which the earlier {home} was moved out of the way; let dropsheet write there"
        )
    );
    assert_eq!(names(&folder).len(), 2);
}

#[test]
fn a_file_is_removed_only_where_it_is_as_it_was_written() {
    let (folder, path, hash) = written(b"own");
    let (other, _bytes) = files::hash(&b"another"[..]).unwrap();
    assert!(!remove(&path, &other, Owner::Own).unwrap());
    assert_eq!(names(&folder), ["monday.result.csv"]);
    assert!(remove(&path, &hash, Owner::Own).unwrap());
    assert!(remove(&path, &hash, Owner::Own).unwrap(), "it is gone");
    assert_eq!(names(&folder), [""; 0]);
    // Something in the way where it would be moved aside.
    let (_folder, path, hash) = written(b"own");
    files::write_new(&Owner::Own.aside(&path, &hash), b"an earlier one").unwrap();
    let failed = remove(&path, &hash, Owner::Own).unwrap_err();
    let said = format!(
        "cannot remove {}, which is out of date; let dropsheet write there",
        path.display()
    );
    assert_eq!(failed.to_string(), said);
}
