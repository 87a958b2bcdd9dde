//! The page inside the real window, driven by Debian's WebKitWebDriver: a few calls of the WebDriver protocol over plain HTTP.
//! Knows nothing of the page's content.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::session::{Kept, Session, soon};

/// An element's key in the protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The page of a desktop that the driver started. Dropping it ends both.
pub(crate) struct Page {
    port: u16,
    session: String,
    _driver: Kept,
}

/// The driver's path; `None`, with a message, if it isn't installed and not required.
pub(crate) fn driver() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found =
        std::env::split_paths(&path).map(|dir| dir.join("WebKitWebDriver")).find(|path| path.is_file());
    if found.is_none() {
        skipped::without(
            "webdriver",
            "WebKitWebDriver is not installed; `cargo xtask test` installs webkit2gtk-driver",
        );
    }
    found
}

impl Page {
    /// Starts the desktop of this session under the driver and waits for its page.
    pub(crate) fn open(session: &Session, arguments: &[&str]) -> Option<Self> {
        let program = driver()?;
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let mut command: Command =
            session.program(&program, &[&format!("--port={port}"), "--host=127.0.0.1"]);
        command.env("TAURI_WEBVIEW_AUTOMATION", "true");
        let log = std::fs::File::create(session.notice_file()).unwrap();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let driver = Kept(command.spawn().unwrap());
        soon("the driver", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        let mut page = Self { port, session: String::new(), _driver: driver };
        let options = json!({"binary": session.binary(), "args": arguments});
        let wanted = json!({"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}});
        let made = page.ask("POST", "/session", &wanted).unwrap();
        page.session = made["sessionId"].as_str().unwrap().to_owned();
        soon("the page", || page.run("return document.querySelector('h1') !== null") == Ok(json!(true)));
        Some(page)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let text = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            write!(
                stream,
                "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
                 Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
                self.port,
                body.len()
            )?;
            let mut text = String::new();
            stream.read_to_string(&mut text)?;
            Ok(text)
        };
        let text = text().map_err(|error| error.to_string())?;
        let (_, body) = text.split_once("\r\n\r\n").ok_or("no answer")?;
        let value: Value = serde_json::from_str(body).map_err(|error| format!("{error}: {text}"))?;
        match value["value"]["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", value["value"]["message"])),
            None => Ok(value["value"].clone()),
        }
    }

    fn of_session(&self, path: &str, body: &Value) -> Result<Value, String> {
        self.ask("POST", &format!("/session/{}/{path}", self.session), body)
    }

    /// Runs a script in the page and gives what it returns.
    pub(crate) fn run(&self, script: &str) -> Result<Value, String> {
        self.of_session("execute/sync", &json!({"script": script, "args": []}))
    }

    /// The page's text as a user reads it.
    pub(crate) fn text(&self) -> String {
        self.run("return document.body.innerText")
            .ok()
            .and_then(|text| text.as_str().map(str::to_owned))
            .unwrap_or_default()
    }

    /// Waits until the page shows this.
    #[track_caller]
    pub(crate) fn says(&self, words: &str) {
        let mut last = String::new();
        let came = plimsoll_tests::process::time_until(crate::session::SOON, || {
            last = self.text();
            last.contains(words)
        });
        assert!(came.is_some(), "the page does not say {words:?}; it says:\n{last}");
    }

    /// Clicks the element with this role-bearing tag and these words, as a pointer does.
    #[track_caller]
    pub(crate) fn click(&self, tag: &str, words: &str) {
        let path = format!("//{tag}[contains(normalize-space(.), \"{words}\") and not(@disabled)]");
        let find = json!({"using": "xpath", "value": path});
        let mut why = String::new();
        let clicked = plimsoll_tests::process::time_until(crate::session::SOON, || {
            let done = self.of_session("element", &find).and_then(|found| {
                let id = found[ELEMENT].as_str().unwrap_or_default().to_owned();
                self.of_session(&format!("element/{id}/click"), &json!({}))
            });
            why = done.as_ref().err().cloned().unwrap_or_default();
            done.is_ok()
        });
        assert!(clicked.is_some(), "{path} could not be clicked: {why}\n{}", self.text());
    }

    /// Types into the element that the selector finds.
    #[track_caller]
    pub(crate) fn type_into(&self, selector: &str, text: &str) {
        let found = self
            .of_session("element", &json!({"using": "css selector", "value": selector}))
            .unwrap_or_else(|error| panic!("{selector}: {error}\n{}", self.text()));
        let id = found[ELEMENT].as_str().unwrap();
        self.of_session(&format!("element/{id}/value"), &json!({"text": text})).unwrap();
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.ask("DELETE", &format!("/session/{}", self.session), &Value::Null);
    }
}
