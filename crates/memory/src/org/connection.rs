//! The process's one connection to the organisation's server: a thread that runs recalls and the exchange, and a
//! circuit breaker, so that an unreachable server is tried rarely and nobody waits for it.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use contract::LowerError;

use super::exchange_state::ExchangeState;
use super::memory_exchange::step;
use crate::recall::{HitPage, RecallRequest, recall};
use crate::store::{PgStore, Result, Server, StoreError};

/// Interval of the exchange without captures.
const EXCHANGE_INTERVAL: Duration = Duration::from_secs(60);
/// Delay after a capture, so that several are sent together.
const CAPTURE_DELAY: Duration = Duration::from_millis(100);
/// Time limit for a recall before the connection is dropped; the caller has stopped waiting long before.
const ANSWER_TIME_LIMIT: Duration = Duration::from_secs(2);
/// Time limit for a step of the exchange.
const STEP_TIME_LIMIT: Duration = Duration::from_secs(30);
/// Interval for retrying what the server refused.
const RETRY_INTERVAL: Duration = Duration::from_secs(600);
/// Pause after the first failure; it doubles with each failure up to [`MAX_PAUSE`].
const MIN_PAUSE: Duration = Duration::from_secs(2);
const MAX_PAUSE: Duration = Duration::from_secs(300);

enum Job {
    Recall(Box<RecallRequest>, SyncSender<Result<HitPage>>),
    Exchange(Option<String>, Option<SyncSender<()>>),
}

/// The circuit breaker: pauses after failures.
#[derive(Debug, Default)]
struct Breaker {
    failures: u32,
    open_until: Option<Instant>,
    why: String,
}

impl Breaker {
    fn refuses(&self, now: Instant) -> Option<String> {
        self.open_until.filter(|until| *until > now).map(|_| self.why.clone())
    }

    fn failed(&mut self, why: String, now: Instant) {
        let pause = MIN_PAUSE.saturating_mul(1 << self.failures.min(10)).min(MAX_PAUSE);
        self.failures = self.failures.saturating_add(1);
        self.open_until = Some(now + pause);
        self.why = why;
    }

    fn worked(&mut self) {
        *self = Self::default();
    }
}

/// This process's connection.
#[derive(Clone)]
pub(crate) struct OrgConnection {
    jobs: Sender<Job>,
    breaker: Arc<Mutex<Breaker>>,
    server: Server,
}

impl std::fmt::Debug for OrgConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Link({})", self.server.name())
    }
}

/// Connections by database and server: a process has one of each.
type Connections = Mutex<HashMap<(PathBuf, String), OrgConnection>>;

impl OrgConnection {
    /// The process's connection for this database and server. Doesn't connect yet.
    pub(crate) fn of(database: &Path, server: &Server) -> Self {
        static LINKS: OnceLock<Connections> = OnceLock::new();
        let mut links =
            LINKS.get_or_init(Connections::default).lock().unwrap_or_else(PoisonError::into_inner);
        let key = (database.to_owned(), server.name());
        links.entry(key).or_insert_with(|| Self::start(database, server)).clone()
    }

    fn start(database: &Path, server: &Server) -> Self {
        let (jobs, asked) = channel();
        let breaker = Arc::new(Mutex::new(Breaker::default()));
        let worker = Worker {
            database: database.to_owned(),
            server: server.clone(),
            breaker: Arc::clone(&breaker),
            there: None,
            places: BTreeSet::new(),
            tried_again: None,
        };
        let started = std::thread::Builder::new().name("org".into()).spawn(move || worker.work(&asked));
        if let Err(error) = started {
            log::warn!("the organisation's memories can't be asked: {error}");
        }
        Self { jobs, breaker, server: server.clone() }
    }

    /// The server.
    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    /// The server's hits, or why there is no answer in time.
    pub(crate) fn recall(
        &self,
        asked: RecallRequest,
        within: Duration,
    ) -> std::result::Result<HitPage, String> {
        let refused = self.breaker.lock().unwrap_or_else(PoisonError::into_inner).refuses(Instant::now());
        if let Some(why) = refused {
            return Err(why);
        }
        let (reply, answer) = sync_channel(1);
        let gone = || format!("{} can't be asked now", self.server.host());
        self.jobs.send(Job::Recall(Box::new(asked), reply)).map_err(|_| gone())?;
        match answer.recv_timeout(within) {
            Ok(Ok(found)) => Ok(found),
            Ok(Err(error)) => Err(error.to_string()),
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("{} did not answer within {} ms", self.server.host(), within.as_millis()))
            }
            Err(RecvTimeoutError::Disconnected) => Err(gone()),
        }
    }

    /// Requests an exchange soon that includes this project. Waits for its end for at most `patience`.
    pub(crate) fn exchange(&self, project: Option<&str>, patience: Duration) {
        let (reply, done) = sync_channel(1);
        let waits = (!patience.is_zero()).then_some(reply);
        let wanted = waits.is_some();
        if self.jobs.send(Job::Exchange(project.map(str::to_owned), waits)).is_ok() && wanted {
            let _ = done.recv_timeout(patience);
        }
    }
}

struct Worker {
    database: PathBuf,
    server: Server,
    breaker: Arc<Mutex<Breaker>>,
    there: Option<PgStore>,
    places: BTreeSet<String>,
    tried_again: Option<Instant>,
}

impl Worker {
    fn work(mut self, asked: &Receiver<Job>) {
        let mut due = Instant::now() + EXCHANGE_INTERVAL;
        let mut waiting: Vec<SyncSender<()>> = Vec::new();
        loop {
            match asked.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(Job::Recall(recall_asked, reply)) => {
                    let found = self.with(ANSWER_TIME_LIMIT, |there| recall(there, &recall_asked));
                    let _ = reply.try_send(found);
                    continue;
                }
                Ok(Job::Exchange(project, reply)) => {
                    self.places.extend(project);
                    let soon = if reply.is_some() { Duration::ZERO } else { CAPTURE_DELAY };
                    waiting.extend(reply);
                    due = due.min(Instant::now() + soon);
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {}
                // All senders are gone.
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let more = self.exchange();
            if !more {
                waiting.clear();
            }
            due = Instant::now() + if more { Duration::ZERO } else { self.pause() };
        }
    }

    fn exchange(&mut self) -> bool {
        if self.breaker.lock().unwrap_or_else(PoisonError::into_inner).refuses(Instant::now()).is_some() {
            return false;
        }
        let again = self.tried_again.is_none_or(|at| at.elapsed() >= RETRY_INTERVAL);
        let (database, name, places) = (self.database.clone(), self.server.name(), self.places.clone());
        match self.with(STEP_TIME_LIMIT, |there| step(&database, &name, there, &places, (again, now_ms()))) {
            Ok(moved) => {
                if again && !moved.more {
                    self.tried_again = Some(Instant::now());
                }
                moved.more
            }
            Err(error) => {
                record_failure(&self.database, &self.server, &error);
                false
            }
        }
    }

    /// The time until the next exchange, or until the breaker allows one.
    fn pause(&self) -> Duration {
        let breaker = self.breaker.lock().unwrap_or_else(PoisonError::into_inner);
        let until = breaker
            .open_until
            .map_or(EXCHANGE_INTERVAL, |until| until.saturating_duration_since(Instant::now()));
        until.clamp(CAPTURE_DELAY, EXCHANGE_INTERVAL.max(MAX_PAUSE))
    }

    fn with<T>(&mut self, within: Duration, work: impl FnOnce(&mut PgStore) -> Result<T>) -> Result<T> {
        let done = self.connected(within).and_then(work);
        let mut breaker = self.breaker.lock().unwrap_or_else(PoisonError::into_inner);
        match &done {
            Ok(_) => breaker.worked(),
            Err(StoreError::Org(error)) => {
                log::info!("the organisation's memories: {error}");
                breaker.failed(error.to_string(), Instant::now());
                // A connection that failed or is in the middle of an answer is useless.
                self.there = None;
            }
            Err(error) => log::warn!("the exchange with the organisation's server: {error}"),
        }
        done
    }

    fn connected(&mut self, within: Duration) -> Result<&mut PgStore> {
        if self.there.as_ref().is_some_and(PgStore::is_closed) {
            self.there = None;
        }
        let there = match self.there.take() {
            Some(there) => there,
            None => PgStore::open(&self.server, within)?,
        };
        let there = self.there.insert(there);
        there.set_within(within);
        Ok(there)
    }
}

/// Records why the server couldn't be reached, for status queries.
pub(crate) fn record_failure(database: &Path, server: &Server, error: &StoreError) {
    if let StoreError::Org(error) = error {
        let noted = ExchangeState::open(database, &server.name())
            .and_then(|mut state| super::record_why(&mut state, Some(&error.message())));
        if let Err(error) = noted {
            log::warn!("{error}");
        }
    }
}

/// The current time. The exchange runs on its own, so no caller passes it in.
pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_fails_is_left_alone_longer_each_time() {
        let now = Instant::now();
        let mut breaker = Breaker::default();
        assert_eq!(breaker.refuses(now), None);
        breaker.failed("gone".into(), now);
        assert_eq!(breaker.refuses(now + Duration::from_millis(1_999)).as_deref(), Some("gone"));
        assert_eq!(breaker.refuses(now + MIN_PAUSE), None);
        breaker.failed("gone".into(), now);
        assert!(breaker.refuses(now + MIN_PAUSE).is_some());
        for _ in 0..50 {
            breaker.failed("gone".into(), now);
        }
        assert!(breaker.refuses(now + MAX_PAUSE - Duration::from_secs(1)).is_some());
        assert_eq!(breaker.refuses(now + MAX_PAUSE), None);
        breaker.worked();
        assert_eq!(breaker.refuses(now), None);
    }
}
