//! A command that is told on its standard input.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use super::NotifyError;

/// A command that takes longer is killed: it hangs.
const LIMIT: Duration = Duration::from_secs(30);

/// Runs a program with what is told on its standard input; it has to end with 0.
pub(super) async fn run(program: &str, arguments: &[String], told: String) -> Result<(), NotifyError> {
    let failed = |source| NotifyError::Command {
        program: program.to_owned(),
        source,
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(failed)?;
    let stdin = child.stdin.take();
    let telling = async {
        if let Some(mut stdin) = stdin {
            match stdin.write_all(told.as_bytes()).await {
                // A program that does not read has still been started: its exit status says whether that will do.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
                written => written.map_err(failed)?,
            }
        }
        child.wait().await.map_err(failed)
    };
    match tokio::time::timeout(LIMIT, telling).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(NotifyError::Failed {
            program: program.to_owned(),
            status,
        }),
        Ok(Err(error)) => Err(error),
        Err(_elapsed) => Err(NotifyError::Late {
            program: program.to_owned(),
            limit: LIMIT,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Vec<String> {
        vec!["-c".to_owned(), script.to_owned()]
    }

    #[tokio::test]
    async fn a_command_reads_what_is_told_and_its_status_says_whether_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let told = folder.path().join("told");
        let script = format!("cat > {}", told.display());
        run("sh", &sh(&script), "{}\n".to_owned()).await.unwrap();
        assert_eq!(std::fs::read_to_string(&told).unwrap(), "{}\n");
        let failed = run("sh", &sh("exit 3"), "x".repeat(1 << 20)).await;
        assert!(matches!(failed, Err(NotifyError::Failed { .. })), "{failed:?}");
        let missing = run("/nowhere/tell", &[], String::new()).await;
        assert!(matches!(missing, Err(NotifyError::Command { .. })), "{missing:?}");
    }
}
