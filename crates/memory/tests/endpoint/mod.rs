//! A scripted HTTP server on this computer, in place of a model's endpoint: it gives the answers of its script in their order, the
//! last one again and again, and keeps what it was sent.

#![allow(dead_code, reason = "each test uses some of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

/// One answer.
#[derive(Clone)]
pub(crate) enum Answer {
    /// A status and a body.
    Says(u16, String),
    /// The vector of each text, made by the words in it.
    Vectors(fn(&str) -> Vec<f32>),
    /// Nothing for so long.
    Slow(Duration),
    /// Half of an answer, then the connection is closed.
    Cut,
    /// An answer of this many bytes.
    Long(usize),
}

/// A request that came in.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) path: String,
    /// In small letters.
    pub(crate) headers: String,
    pub(crate) text: String,
    pub(crate) body: Value,
}

pub(crate) struct Endpoint {
    pub(crate) url: String,
    pub(crate) asked: Arc<Mutex<Vec<Request>>>,
}

impl Endpoint {
    pub(crate) fn new(script: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<Request>>> = Arc::default();
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            let mut script = script.into_iter().peekable();
            for stream in listener.incoming() {
                let (Ok(stream), Some(answer)) = (stream, script.peek().cloned()) else { return };
                let mut left = script.clone();
                left.next();
                if left.peek().is_some() {
                    script.next();
                }
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || serve(stream, &answer, &kept));
            }
        });
        Self { url, asked }
    }

    pub(crate) fn saying(status: u16, body: &str) -> Self {
        Self::new(vec![Answer::Says(status, body.into())])
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, answer: &Answer, kept: &Mutex<Vec<Request>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let (mut first, mut headers, mut length) = (String::new(), String::new(), 0);
    reader.read_line(&mut first).ok()?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("content-length:") {
            length = number.trim().parse().ok()?;
        }
        headers += &format!("{line}\n");
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let text = String::from_utf8(body).ok()?;
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    let path = first.split(' ').nth(1)?.to_owned();
    kept.lock().unwrap().push(Request { path, headers, text, body: body.clone() });
    let mut to = stream;
    let mut say = |status: u16, body: &str| {
        let head = format!(
            "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        to.write_all(head.as_bytes()).ok()?;
        to.write_all(body.as_bytes()).ok()
    };
    match answer {
        Answer::Says(status, text) => say(*status, text)?,
        Answer::Vectors(of) => {
            let texts: Vec<&str> = body["input"].as_array()?.iter().filter_map(Value::as_str).collect();
            let all: Vec<Value> = texts
                .iter()
                .enumerate()
                .map(|(index, text)| serde_json::json!({"index": index, "embedding": of(text)}))
                .collect();
            let ollama: Vec<&Value> = all.iter().map(|one| &one["embedding"]).collect();
            say(200, &serde_json::json!({"data": all, "embeddings": ollama}).to_string())?;
        }
        Answer::Slow(time) => std::thread::sleep(*time),
        Answer::Cut => {
            to.write_all(b"HTTP/1.1 200 x\r\ncontent-length: 1000\r\n\r\n{\"half\": ").ok()?;
        }
        Answer::Long(bytes) => {
            to.write_all(format!("HTTP/1.1 200 x\r\ncontent-length: {bytes}\r\n\r\n\"").as_bytes()).ok()?;
            let some = vec![b'x'; 64 << 10];
            let mut left = *bytes;
            while left > 0 {
                let now = left.min(some.len());
                to.write_all(&some[..now]).ok()?;
                left -= now;
            }
        }
    }
    to.shutdown(Shutdown::Both).ok()
}
