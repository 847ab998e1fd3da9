//! A command that is told on its standard input.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};

use super::NotifyError;
use crate::config::Program;

/// A command that takes longer is killed, with all that it has started: it hangs.
const LIMIT: Duration = Duration::from_secs(30);

/// Runs a program with what is told on its standard input; it has to end with 0.
pub(super) async fn run(program: &Program, told: String) -> Result<(), NotifyError> {
    run_for(LIMIT, program, told).await
}

/// A command that has not ended, and whatever it has started: killed when nobody waits for it any more. A shell that is
/// killed alone leaves behind what it was waiting for.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self(id.and_then(Pid::from_raw))
    }

    /// The command has ended; what it has left running on purpose goes on.
    fn has_ended(&mut self) {
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0
            && let Err(error) = kill_process_group(group, Signal::KILL)
        {
            tracing::debug!(%error, "a command cannot be killed: it has ended");
        }
    }
}

async fn run_for(limit: Duration, program: &Program, told: String) -> Result<(), NotifyError> {
    let failed = |source| NotifyError::Command {
        program: program.name.clone(),
        source,
    };
    let mut command = Command::new(&program.name);
    for variable in &program.hidden {
        command.env_remove(variable);
    }
    let mut child = command
        .args(&program.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .process_group(0)
        .spawn()
        .map_err(failed)?;
    let mut group = Group::of(&child);
    let stdin = child.stdin.take();
    let telling = async {
        if let Some(mut stdin) = stdin {
            match stdin.write_all(told.as_bytes()).await {
                // A program that does not read has still been started: its exit status says whether that will do.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
                written => written.map_err(failed)?,
            }
        }
        let status = child.wait().await.map_err(failed)?;
        group.has_ended();
        Ok(status)
    };
    match tokio::time::timeout(limit, telling).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(NotifyError::Failed {
            program: program.name.clone(),
            status,
        }),
        Ok(Err(error)) => Err(error),
        Err(_elapsed) => Err(NotifyError::Late {
            program: program.name.clone(),
            limit,
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::path::Path;
    use std::sync::mpsc;

    use tokio::sync::oneshot;

    use super::*;

    fn program(name: &str, arguments: &[&str]) -> Program {
        Program {
            name: name.to_owned(),
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            hidden: vec!["CARGO_PKG_NAME".to_owned()],
        }
    }

    fn sh(script: &str) -> Program {
        program("sh", &["-c", script])
    }

    #[tokio::test]
    async fn a_command_reads_what_is_told_and_its_status_says_whether_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let told = folder.path().join("told");
        let script = format!("cat > {}", told.display());
        run(&sh(&script), "{}\n".to_owned()).await.unwrap();
        assert_eq!(std::fs::read_to_string(&told).unwrap(), "{}\n");
        let failed = run(&sh("exit 3"), "x".repeat(1 << 20)).await;
        assert!(matches!(failed, Err(NotifyError::Failed { .. })), "{failed:?}");
        let missing = run(&program("/nowhere/tell", &[]), String::new()).await;
        assert!(matches!(missing, Err(NotifyError::Command { .. })), "{missing:?}");
    }

    #[tokio::test]
    async fn a_command_does_not_see_the_variables_of_passwords_and_sees_all_others() {
        // Both are set by what runs the tests.
        assert!(
            std::env::var_os("CARGO_PKG_NAME").is_some() && std::env::var_os("CARGO_PKG_VERSION").is_some()
        );
        let sees = sh("test -z \"${CARGO_PKG_NAME+set}\" && test -n \"$CARGO_PKG_VERSION\"");
        run(&sees, String::new()).await.unwrap();
    }

    /// A command whose shell waits for a process of its own, what tells when that one has begun, and what tells when it
    /// has ended: it has a pipe open for as long as it lives.
    fn hanging(folder: &Path) -> (Program, oneshot::Receiver<()>, mpsc::Receiver<()>) {
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let script = sh(&format!("sleep 60 > {}; true", pipe.display()));
        let ((begin, begun), (end, ended)) = (oneshot::channel(), mpsc::channel());
        std::thread::spawn(move || {
            let mut open = std::fs::File::open(pipe).unwrap();
            begin.send(()).unwrap();
            open.read_to_end(&mut Vec::new()).unwrap();
            end.send(()).unwrap();
        });
        (script, begun, ended)
    }

    #[tokio::test]
    async fn what_a_hanging_command_has_started_ends_with_it_when_its_time_is_over_or_nobody_waits() {
        let soon = Duration::from_secs(10);
        let folder = tempfile::tempdir().unwrap();
        let (script, _begun, ended) = hanging(folder.path());
        let late = run_for(Duration::from_secs(2), &script, String::new()).await;
        assert!(matches!(late, Err(NotifyError::Late { .. })), "{late:?}");
        ended.recv_timeout(soon).unwrap();

        let folder = tempfile::tempdir().unwrap();
        let (script, begun, ended) = hanging(folder.path());
        tokio::select! {
            early = run(&script, String::new()) => panic!("{early:?}"),
            begun = begun => begun.unwrap(),
        }
        ended.recv_timeout(soon).unwrap();
    }
}
