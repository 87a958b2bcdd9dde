//! A scripted model over HTTP on loopback, in the agents' four dialects. It records every request, so that a test can check exactly
//! what reached "the model".

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::dialect::Dialect;
use crate::turn::{Request, Step};

/// Called with the number of the requested step and the request.
type Watch = Box<dyn FnMut(usize, &Request) + Send>;

#[derive(Default)]
struct State {
    steps: VecDeque<Step>,
    requests: Vec<Request>,
    strangers: Vec<String>,
    taken: usize,
    watch: Option<Watch>,
}

/// The server; it stops answering when dropped.
pub struct Model {
    port: u16,
    state: Arc<Mutex<State>>,
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Model {
    /// Starts a model that will take these steps, one per request that offers tools, and then says `done`.
    ///
    /// # Errors
    /// If no port can be bound.
    pub fn start(steps: impl IntoIterator<Item = Step>) -> std::io::Result<Self> {
        Self::of(State { steps: steps.into_iter().collect(), ..State::default() })
    }

    /// The same for long sessions: `watch` sees every request of the main conversation with the number of the step that will answer
    /// it, so its findings are the previous step's. Only the last request is kept.
    ///
    /// # Errors
    /// If no port can be bound.
    pub fn watched(
        steps: impl IntoIterator<Item = Step>,
        watch: impl FnMut(usize, &Request) + Send + 'static,
    ) -> std::io::Result<Self> {
        let watch: Watch = Box::new(watch);
        Self::of(State { steps: steps.into_iter().collect(), watch: Some(watch), ..State::default() })
    }

    fn of(state: State) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || {
                    let _ = serve(stream, &shared);
                });
            }
        });
        Ok(Self { port, state })
    }

    /// `http://127.0.0.1:<port>`
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Every request so far that offered tools, oldest first.
    pub fn requests_with_tools(&self) -> Vec<Request> {
        lock(&self.state).requests.iter().filter(|request| !request.tools().is_empty()).cloned().collect()
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.state).requests.clone()
    }

    /// The remaining steps.
    pub fn remaining_steps(&self) -> usize {
        lock(&self.state).steps.len()
    }

    /// Requested paths that no model API has.
    pub fn unknown_paths(&self) -> Vec<String> {
        lock(&self.state).strangers.clone()
    }
}

fn serve(stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut stream = stream;
    loop {
        let Some((method, path, body)) = read_request(&mut reader)? else { return Ok(()) };
        let bytes = body.len();
        let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
        let Some(dialect) = Dialect::of(&method, &path) else {
            lock(state).strangers.push(format!("{method} {path}"));
            respond(&mut stream, "application/json", b"{\"data\":[],\"models\":[]}")?;
            continue;
        };
        let request = Request { path, body, bytes };
        let step = {
            let mut state = lock(state);
            let takes_part = dialect.is_main_conversation(&request.body);
            if let Some(mut watch) = state.watch.take() {
                if takes_part {
                    watch(state.taken, &request);
                    state.taken += 1;
                }
                state.watch = Some(watch);
                state.requests.clear();
            }
            state.requests.push(request.clone());
            if takes_part { state.steps.pop_front() } else { None }
        };
        let step = step.unwrap_or_else(|| Step::Say("done".into()));
        let (kind, bytes) = dialect.answer(&request, &step);
        respond(&mut stream, kind, &bytes)?;
    }
}

fn respond(stream: &mut TcpStream, kind: &str, body: &[u8]) -> std::io::Result<()> {
    write!(stream, "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n", body.len())?;
    stream.write_all(body)?;
    stream.flush()
}

fn read_request(reader: &mut impl BufRead) -> std::io::Result<Option<(String, String, Vec<u8>)>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let path = words.next().unwrap_or_default().to_owned();
    let (mut length, mut chunked) = (0, false);
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 || header.trim().is_empty() {
            break;
        }
        let lower = header.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        chunked |= lower.starts_with("transfer-encoding:") && lower.contains("chunked");
    }
    let mut body = Vec::new();
    if chunked {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size)?;
            let size = usize::from_str_radix(size.trim().split(';').next().unwrap_or("0"), 16).unwrap_or(0);
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk)?;
            if size == 0 {
                break;
            }
            body.extend_from_slice(&chunk[..size]);
        }
    } else {
        body.resize(length, 0);
        reader.read_exact(&mut body)?;
    }
    Ok(Some((method, path, body)))
}
