//! PgBouncer in front of a server, pooling by transaction: one connection for each user and database, handed to
//! another client after each transaction. Harsher than any real setup, so that state left in a connection is
//! detected.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{NOBODY, Postgres, is_root};

/// The port, which is only a part of the socket's name.
const PORT: u16 = 6432;

/// A pooler. It ends with this.
pub struct Pooler {
    dir: TempDir,
    child: Child,
}

impl Pooler {
    /// Starts one before `server` for these users. Without PgBouncer, `None`, and the test reports that it is
    /// skipped.
    ///
    /// # Panics
    /// If it is installed and doesn't start.
    #[must_use]
    pub fn before(server: &Postgres, people: &[&str]) -> Option<Self> {
        let Some(program) = program() else {
            skipped::without("pgbouncer", "PgBouncer is not installed (Debian: pgbouncer)");
            return None;
        };
        match Self::start(&program, server, people) {
            Ok(pooler) => Some(pooler),
            Err(error) => panic!("PgBouncer does not start: {error}"),
        }
    }

    fn start(program: &PathBuf, server: &Postgres, people: &[&str]) -> io::Result<Self> {
        let dir = tempfile::Builder::new().prefix("pb-").tempdir_in("/tmp")?;
        let place = dir.path().display();
        let known: String = people.iter().map(|person| format!("\"{person}\" \"\"\n")).collect();
        std::fs::write(dir.path().join("people"), known)?;
        let config = format!(
            "[databases]\n* = host={} port=5432\n[pgbouncer]\nlisten_port = {PORT}\nunix_socket_dir = {place}\nauth_type = trust\n\
             auth_file = {place}/people\nlogfile = {place}/log\npidfile = {place}/pid\npool_mode = transaction\n\
             default_pool_size = 1\nmax_client_conn = 200\n",
            server.dir().display(),
        );
        let path = dir.path().join("config");
        std::fs::write(&path, config)?;
        let mut command = Command::new(program);
        command.arg("-q").arg(&path).current_dir(dir.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if is_root() {
            for file in [dir.path().to_owned(), path, dir.path().join("people")] {
                std::os::unix::fs::chown(file, Some(NOBODY), Some(NOBODY))?;
            }
            command.uid(NOBODY).gid(NOBODY);
        }
        let pooler = Self { child: command.spawn()?, dir };
        let socket = pooler.dir.path().join(format!(".s.PGSQL.{PORT}"));
        let until = Instant::now() + Duration::from_secs(20);
        while std::os::unix::net::UnixStream::connect(&socket).is_err() {
            if Instant::now() > until {
                let log = std::fs::read_to_string(pooler.dir.path().join("log")).unwrap_or_default();
                return Err(io::Error::other(format!("nobody answers at {}: {log}", socket.display())));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(pooler)
    }

    /// An address for Plimsoll's settings.
    #[must_use]
    pub fn url(&self, user: &str, database: &str) -> String {
        let socket = self.dir.path().to_string_lossy().replace('/', "%2F");
        format!("postgres://{user}@{socket}:{PORT}/{database}")
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// On Debian it's in a folder that only root's PATH contains.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(["/usr/sbin".into(), "/usr/local/sbin".into()])
        .map(|dir| dir.join("pgbouncer"))
        .find(|program| program.is_file())
}
