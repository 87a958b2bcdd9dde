//! The window in a plain browser, over the same router as the desktop: tests use it to drive every screen.
//!
//! Listens on loopback only, on a port chosen by the system, and answers a command only with the token that it prints
//! on its first line. Never part of a package. Argument: the folder with the built front end. The desktop's dialogs
//! are simulated through the folder `PLIMSOLL_WEBHOST_DIR`: `pick` contains the path that the next dialog returns,
//! `opened` gets a line for each folder or page shown.

#![expect(clippy::print_stdout, reason = "the address is told on standard output")]

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use axum::Router as Routes;
use axum::body::Bytes;
use axum::extract::{Path as Named, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use commands::{Host, RequestedScreen, Router};
use contract::desktop::PickWhat;
use home::{Clock, Env};
use serde_json::{Value, json};
use service::Service;

/// The same policy as the desktop's window, with the browser's connection to the router.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

struct Browser {
    dir: Option<PathBuf>,
    sidecar: Option<PathBuf>,
}

impl Browser {
    fn take(&self, name: &str) -> Option<String> {
        let path = self.dir.as_ref()?.join(name);
        let text = std::fs::read_to_string(&path).ok()?;
        std::fs::remove_file(path).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    fn note(&self, line: &str) -> Result<(), String> {
        let Some(dir) = &self.dir else { return Ok(()) };
        let path = dir.join("opened");
        let mut text = std::fs::read_to_string(&path).unwrap_or_default();
        text.push_str(line);
        text.push('\n');
        std::fs::write(path, text).map_err(|error| error.to_string())
    }
}

impl Host for Browser {
    fn kind(&self) -> &'static str {
        "browser"
    }
    fn pick(&self, _: &PickWhat) -> Option<PathBuf> {
        self.take("pick").map(PathBuf::from)
    }
    fn open_folder(&self, path: &Path) -> Result<(), String> {
        self.note(&path.display().to_string())
    }
    fn open_address(&self, url: &str) -> Result<(), String> {
        self.note(url)
    }
    fn autostart(&self) -> Option<bool> {
        let dir = self.dir.as_ref()?;
        Some(dir.join("autostart").exists())
    }
    fn set_autostart(&self, on: bool) -> Result<(), String> {
        let Some(dir) = &self.dir else { return Err("a browser starts nothing by itself".into()) };
        let path = dir.join("autostart");
        let done = if on { std::fs::write(path, "") } else { std::fs::remove_file(path) };
        done.map_err(|error| error.to_string())
    }
    fn tray(&self) -> bool {
        true
    }
    fn packaged(&self) -> bool {
        false
    }
    fn sidecar(&self) -> Option<PathBuf> {
        self.sidecar.clone()
    }
    fn wanted_screen(&self) -> Option<RequestedScreen> {
        let from_link = self.take("link").map(|path| RequestedScreen { path, from_link: true });
        from_link.or_else(|| self.take("screen").map(|path| RequestedScreen { path, from_link: false }))
    }
    fn crash(&self) -> Option<PathBuf> {
        self.take("crash").map(PathBuf::from)
    }
    fn locale(&self) -> String {
        std::env::var("LANG").unwrap_or_default()
    }
    fn log(&self, text: &str) {
        let _ = self.note(&format!("log: {text}"));
    }
    fn quit(&self) {
        let _ = self.note("quit");
    }
}

#[derive(Clone)]
struct Shared {
    router: Arc<Router>,
    token: Arc<str>,
    pages: Arc<Path>,
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<()> {
    let pages =
        std::env::args_os().nth(1).map(PathBuf::from).context("name the folder with the built front end")?;
    if !pages.join("index.html").is_file() {
        bail!("{} has no index.html; build the front end first", pages.display());
    }
    let browser = Browser {
        dir: std::env::var_os("PLIMSOLL_WEBHOST_DIR").map(PathBuf::from),
        sidecar: std::env::var_os("PLIMSOLL_SIDECAR").map(PathBuf::from),
    };
    let service = Service::new(Env::capture()?, Clock::system())?;
    let token = token()?;
    let shared = Shared {
        router: Router::new(Arc::new(service), Arc::new(browser)),
        token: token.as_str().into(),
        pages: pages.into(),
    };
    let routes = Routes::new()
        .route("/call/{name}", post(call))
        .route("/", get(index))
        .route("/{*path}", get(page))
        .with_state(shared);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("http://{}/#token={token}", listener.local_addr()?);
    axum::serve(listener, routes).await?;
    Ok(())
}

/// 128 random bits.
fn token() -> Result<String> {
    let mut bytes = [0u8; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

async fn call(
    State(shared): State<Shared>,
    Named(name): Named<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let given = headers.get("x-plimsoll-token").and_then(|value| value.to_str().ok());
    if given != Some(&*shared.token) {
        return (StatusCode::FORBIDDEN, "the token is missing or wrong").into_response();
    }
    let args: Value = if body.is_empty() {
        Value::Null
    } else {
        match serde_json::from_slice(&body) {
            Ok(args) => args,
            Err(error) => return (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
        }
    };
    match shared.router.call(&name, args).await {
        Ok(reply) => answer(StatusCode::OK, &reply),
        Err(error) => answer(StatusCode::UNPROCESSABLE_ENTITY, &json!(error)),
    }
}

/// The reply itself, or the error with a matching status.
fn answer(status: StatusCode, value: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

async fn index(state: State<Shared>) -> Response {
    page(state, Named("index.html".to_owned())).await
}

async fn page(State(shared): State<Shared>, Named(path): Named<String>) -> Response {
    let plain =
        path.split('/').all(|part| !part.is_empty() && part != ".." && part != "." && !part.contains('\\'));
    let Some(bytes) = plain.then(|| std::fs::read(shared.pages.join(&path)).ok()).flatten() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kind = match Path::new(&path).extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, bytes).into_response()
}
