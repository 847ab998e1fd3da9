//! A mail server that keeps what it is sent, and can be told to refuse.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The server; its thread ends with the test program.
pub(super) struct Smtp {
    address: SocketAddr,
    mails: Arc<Mutex<Vec<String>>>,
    refuses: Arc<AtomicBool>,
    knows_nobody: Arc<AtomicBool>,
}

impl Smtp {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            mails: Arc::default(),
            refuses: Arc::default(),
            knows_nobody: Arc::default(),
        };
        let (mails, refuses) = (Arc::clone(&server.mails), Arc::clone(&server.refuses));
        let knows_nobody = Arc::clone(&server.knows_nobody);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                serve(stream.unwrap(), &mails, (&refuses, &knows_nobody));
            }
        });
        server
    }

    /// What a config says to have it send mails.
    pub(super) fn config(&self) -> String {
        format!(
            "[notify]\nmail_to = [\"ops@example.com\"]\nsmtp = \"smtp://{}\"\n",
            self.address
        )
    }

    /// Refuses every sender from now on, or none.
    pub(super) fn refuse(&self, refuses: bool) {
        self.refuses.store(refuses, Ordering::SeqCst);
    }

    /// Takes mail for nobody@ from now on.
    pub(super) fn get_to_know_nobody(&self) {
        self.knows_nobody.store(true, Ordering::SeqCst);
    }

    /// The mails so far, decoded where a line was broken.
    pub(super) fn mails(&self) -> Vec<String> {
        self.mails.lock().unwrap().clone()
    }
}

/// One conversation, as far as a client that is not asked for more takes it (RFC 5321).
fn serve(
    mut stream: TcpStream,
    mails: &Mutex<Vec<String>>,
    (refuses, knows_nobody): (&AtomicBool, &AtomicBool),
) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    stream.write_all(b"220 stub\r\n").unwrap();
    while let Some(Ok(line)) = lines.next() {
        let answer: &[u8] = match line.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" | "HELO" => b"250 stub\r\n",
            "RCPT" if line.contains("<nobody@") && !knows_nobody.load(Ordering::SeqCst) => {
                b"550 no such user here\r\n"
            }
            "MAIL" if refuses.load(Ordering::SeqCst) => b"550 not now\r\n",
            "DATA" => {
                stream.write_all(b"354 go on\r\n").unwrap();
                let mail: Vec<String> = lines
                    .by_ref()
                    .map(Result::unwrap)
                    .take_while(|line| line != ".")
                    .collect();
                // Quoted-printable breaks a long line after an equals sign.
                mails.lock().unwrap().push(mail.join("\n").replace("=\n", ""));
                b"250 kept\r\n"
            }
            "QUIT" => b"221 bye\r\n",
            _ => b"250 ok\r\n",
        };
        if stream.write_all(answer).is_err() {
            return;
        }
    }
}
