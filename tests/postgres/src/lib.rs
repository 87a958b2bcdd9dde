//! A real PostgreSQL server for a test or a benchmark: it listens on a socket in a scratch folder (and, if asked, on a local
//! port), can be killed and restarted, and leaves nothing behind.
//!
//! PostgreSQL refuses to run as root, so for root it runs as `nobody`.

#![cfg(unix)]

mod pooler;

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub use pooler::Pooler;

/// The user that runs the server if the test is root.
const NOBODY: u32 = 65_534;
/// The superuser's name.
pub const SUPERUSER: &str = "postgres";

/// A server. Dropping it stops it.
pub struct Postgres {
    dir: TempDir,
    /// Keeps a copy of the programs until the server has stopped.
    _copy: Option<TempDir>,
    programs: PathBuf,
    options: String,
    port: Option<u16>,
}

/// Of a test's server. Autovacuum would delay, now and then, what a sync receives until the next one: while one of its
/// transactions is open, nothing newer is handed out.
const SETTINGS: &str = "fsync=off autovacuum=off";

impl Postgres {
    /// Starts one. Without PostgreSQL, `None`, and the test reports that it is skipped.
    ///
    /// # Panics
    /// If it is installed and doesn't start.
    #[must_use]
    pub fn start() -> Option<Self> {
        Self::with(SETTINGS)
    }

    /// The same with server settings, as in `fsync=off shared_buffers=1GB`.
    ///
    /// # Panics
    /// If it is installed and doesn't start.
    #[must_use]
    pub fn with(settings: &str) -> Option<Self> {
        let Some(programs) = programs() else {
            skipped::without("postgres", "PostgreSQL is not installed (Debian: postgresql)");
            return None;
        };
        match Self::started(programs, settings) {
            Ok(server) => Some(server),
            Err(error) => panic!("PostgreSQL does not start: {error}"),
        }
    }

    /// Starts the one that has pgvector if there is one besides the installed one.
    ///
    /// # Panics
    /// If it is there and doesn't start.
    #[must_use]
    pub fn with_vectors() -> Option<Self> {
        let Some(folder) = std::env::var_os(WITH_VECTORS) else { return Self::start() };
        match Self::on_copy_of(Path::new(&folder)) {
            Ok(server) => Some(server),
            Err(error) => panic!("PostgreSQL does not start: {error}"),
        }
    }

    fn on_copy_of(folder: &Path) -> io::Result<Self> {
        // The user that the server runs as can't enter root's home.
        let copy = tempfile::Builder::new().prefix("pg-programs-").tempdir_in("/tmp")?;
        std::fs::set_permissions(copy.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let status = Command::new("cp").arg("-R").arg(folder.join(".")).arg(copy.path()).status()?;
        if !status.success() {
            return Err(io::Error::other(format!("{} could not be copied", folder.display())));
        }
        let mut server = Self::started(copy.path().join("pgserver/pginstall/bin"), SETTINGS)?;
        server._copy = Some(copy);
        Ok(server)
    }

    /// Starts one with the programs in this folder.
    ///
    /// # Errors
    /// If it doesn't start.
    pub fn started(programs: PathBuf, settings: &str) -> io::Result<Self> {
        // Socket paths must be short, and the server's user must be able to reach them.
        let dir = tempfile::Builder::new().prefix("pg-").tempdir_in("/tmp")?;
        if is_root() {
            std::os::unix::fs::chown(dir.path(), Some(NOBODY), Some(NOBODY))?;
        }
        let mut options = format!("-k {} -c listen_addresses=''", dir.path().display());
        for setting in settings.split_whitespace() {
            options.push_str(" -c ");
            options.push_str(setting);
        }
        let server = Self { dir, _copy: None, programs, options, port: None };
        let data = server.data();
        let data = data.to_string_lossy();
        server.run(
            "initdb",
            &["-D", &data, "-A", "trust", "-U", SUPERUSER, "-E", "UTF8", "--locale=C", "--no-sync"],
        )?;
        server.restart()?;
        Ok(server)
    }

    /// One that also listens on a local port, encrypted only, with this certificate and key.
    ///
    /// # Panics
    /// If PostgreSQL is installed and doesn't start.
    #[must_use]
    pub fn encrypted(certificate: &str, key: &str) -> Option<Self> {
        let mut server = Self::start()?;
        match server.encrypt(certificate, key) {
            Ok(()) => Some(server),
            Err(error) => panic!("PostgreSQL does not start: {error}"),
        }
    }

    fn encrypt(&mut self, certificate: &str, key: &str) -> io::Result<()> {
        const HOSTS: &str =
            "local all all trust\nhostssl all all 127.0.0.1/32 trust\nhostssl all all ::1/128 trust\n";
        self.stop()?;
        for (name, text) in [("server.crt", certificate), ("server.key", key), ("pg_hba.conf", HOSTS)] {
            let path = self.data().join(name);
            std::fs::write(&path, text)?;
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
            if is_root() {
                std::os::unix::fs::chown(&path, Some(NOBODY), Some(NOBODY))?;
            }
        }
        let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        self.options = self.options.replace("listen_addresses=''", "listen_addresses=localhost");
        self.options.push_str(&format!(" -c ssl=on -p {port}"));
        self.port = Some(port);
        self.restart()
    }

    /// The port of [`encrypted`](Self::encrypted).
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// A folder that the server can read.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Restarts it after [`kill`](Self::kill).
    ///
    /// # Errors
    /// If it doesn't start.
    pub fn restart(&self) -> io::Result<()> {
        let data = self.data();
        let data = data.to_string_lossy();
        let log = self.dir.path().join("log");
        let log = log.to_string_lossy();
        // The children of a killed server end by themselves; until then no new server can start.
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let done = self
                .run("pg_ctl", &["-D", &data, "-l", &log, "-o", &self.options, "-w", "-t", "60", "start"]);
            if done.is_ok() || Instant::now() > until {
                return done.map(|_| ());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Kills it as a power cut would: nothing is finished, no client is told.
    ///
    /// # Errors
    /// If it isn't running.
    pub fn kill(&self) -> io::Result<()> {
        let pid = std::fs::read_to_string(self.data().join("postmaster.pid"))?;
        let pid = pid.lines().next().unwrap_or_default().to_owned();
        let killed = Command::new("kill").args(["-KILL", &pid]).status()?;
        if killed.success() { Ok(()) } else { Err(io::Error::other("it could not be killed")) }
    }

    /// Stops it as its administrator would.
    ///
    /// # Errors
    /// If it isn't running.
    pub fn stop(&self) -> io::Result<()> {
        let data = self.data();
        self.run("pg_ctl", &["-D", &data.to_string_lossy(), "-m", "immediate", "-w", "stop"]).map(|_| ())
    }

    /// An address for Plimsoll's settings.
    #[must_use]
    pub fn url(&self, user: &str, database: &str) -> String {
        let socket = self.dir.path().to_string_lossy().replace('/', "%2F");
        let port = self.port.map_or_else(String::new, |port| format!(":{port}"));
        format!("postgres://{user}@{socket}{port}/{database}")
    }

    /// Runs SQL in a database as the superuser; returns the answer, one line per row.
    ///
    /// # Panics
    /// If the server refuses.
    #[must_use]
    pub fn sql(&self, database: &str, sql: &str) -> String {
        let host = self.dir.path().to_string_lossy();
        let port = self.port.unwrap_or(5432).to_string();
        let args = [
            "-p",
            &port,
            "-X",
            "-q",
            "-A",
            "-t",
            "-v",
            "ON_ERROR_STOP=1",
            "-h",
            &*host,
            "-U",
            SUPERUSER,
            "-d",
            database,
            "-c",
            sql,
        ];
        match self.run("psql", &args) {
            Ok(output) => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
            Err(error) => panic!("{sql}: {error}"),
        }
    }

    /// Creates a database, and roles that may log in.
    pub fn make(&self, database: &str, roles: &[&str]) {
        let _ = self.sql(SUPERUSER, &format!("CREATE DATABASE {database}"));
        for role in roles {
            let there = self.sql(SUPERUSER, &format!("SELECT 1 FROM pg_roles WHERE rolname = '{role}'"));
            if there.is_empty() {
                let _ = self.sql(SUPERUSER, &format!("CREATE ROLE {role} LOGIN"));
            }
        }
    }

    fn run(&self, program: &str, args: &[&str]) -> io::Result<Output> {
        let mut command = Command::new(self.programs.join(program));
        command.args(args).current_dir(self.dir.path()).env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
        if is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        // A server keeps inherited pipes open, so reading one to its end would wait for the server's end.
        let (out, err) =
            (self.dir.path().join(format!("{program}.out")), self.dir.path().join(format!("{program}.err")));
        let status =
            command.stdout(std::fs::File::create(&out)?).stderr(std::fs::File::create(&err)?).status()?;
        let stderr = std::fs::read(&err)?;
        if status.success() {
            return Ok(Output { status, stdout: std::fs::read(&out)?, stderr });
        }
        Err(io::Error::other(format!("{program}: {}", String::from_utf8_lossy(&stderr).trim())))
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.stop();
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|meta| std::os::unix::fs::MetadataExt::uid(&meta) == 0)
}

/// The variable with the folder of a server's programs, to test with another one than the newest installed.
const PROGRAMS: &str = "PLIMSOLL_POSTGRES";

/// The variable with the folder in which a server with pgvector was unpacked.
const WITH_VECTORS: &str = "PLIMSOLL_POSTGRES_VECTORS";

/// The folder of the newest installed server: Debian keeps them apart by version and puts none on PATH.
#[must_use]
pub fn programs() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(PROGRAMS) {
        return Some(folder.into());
    }
    let mut found: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, programs)| programs.join("initdb").is_file())
        .collect();
    found.sort();
    if let Some((_, newest)) = found.pop() {
        return Some(newest);
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find(|dir| dir.join("initdb").is_file() && dir.join("pg_ctl").is_file())
}
