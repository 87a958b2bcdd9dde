//! The server: how soon it answers, what its tool list costs, how much memory it uses.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::rival::Rival;
use super::{Figure, median};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"claude-code","version":"2.1.197"}}}"#;

/// How long a server is left alone before its memory is read. What only its start needed is given back after a second.
const IDLE: Duration = Duration::from_secs(3);

/// A running server with its two pipes.
struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    /// Milliseconds from spawning to the answer.
    start_ms: f64,
}

impl Server {
    fn start(mut command: Command) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let started = Instant::now();
        let mut child = command.spawn().with_context(|| format!("starting {command:?}"))?;
        let mut stdin = child.stdin.take().context("stdin")?;
        let mut stdout = BufReader::new(child.stdout.take().context("stdout")?);
        writeln!(stdin, "{HELLO}")?;
        let mut line = String::new();
        stdout.read_line(&mut line)?;
        let start_ms = started.elapsed().as_secs_f64() * 1000.0;
        anyhow::ensure!(line.contains("serverInfo"), "no answer to initialize: {line}");
        writeln!(stdin, r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#)?;
        Ok(Self { child, stdin, stdout, start_ms })
    }

    /// Sends a request and returns the line with its answer.
    fn request(&mut self, id: u32, method: &str, params: &str) -> Result<String> {
        writeln!(self.stdin, r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)?;
        loop {
            let mut line = String::new();
            anyhow::ensure!(self.stdout.read_line(&mut line)? > 0, "the server ended");
            if line.contains(&format!("\"id\":{id}")) {
                return Ok(line);
            }
        }
    }

    /// Resident memory in kilobytes.
    fn rss_kb(&self) -> Result<f64> {
        self.status_kb("VmRSS:")
    }

    /// The part of its memory that isn't pages of files, in kilobytes.
    fn own_kb(&self) -> Result<f64> {
        self.status_kb("RssAnon:")
    }

    fn status_kb(&self, field: &'static str) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let value = status.lines().find_map(|line| line.strip_prefix(field)).context(field)?;
        Ok(value.split_whitespace().next().context(field)?.parse()?)
    }

    fn shut_down(mut self) -> Result<()> {
        drop(self.stdin);
        // A rival that stays is ended.
        std::thread::sleep(Duration::from_millis(300));
        let _ = self.child.kill();
        self.child.wait()?;
        Ok(())
    }
}

pub(crate) fn measure(sidecar: &Path, scratch: &Path, rival: Option<&Rival>) -> Result<Vec<Figure>> {
    let ours = || {
        let mut command = Command::new(sidecar);
        command
            .args(["mcp", "--agent", "claude-code"])
            .current_dir(scratch.join("project"))
            .env("HOME", scratch);
        Server::start(command)
    };
    let theirs = |rival: &Rival| Server::start(rival.command(scratch, &[]));
    let mut starts = (Vec::new(), Vec::new());
    for _ in 0..20 {
        let server = ours()?;
        starts.0.push(server.start_ms);
        server.shut_down()?;
    }
    if let Some(rival) = rival {
        for _ in 0..5 {
            let server = theirs(rival)?;
            starts.1.push(server.start_ms);
            server.shut_down()?;
        }
    }
    let (our_start, their_start) = (median(&mut starts.0), median(&mut starts.1));

    let mut server = ours()?;
    let list = server.request(2, "tools/list", "{}")?.trim_end().len();
    let started = server.rss_kb()?;
    std::thread::sleep(IDLE);
    let (idle, own) = (server.rss_kb()?, server.own_kb()?);
    index_documents(&mut server, "index")?;
    let used = server.rss_kb()?;
    server.shut_down()?;
    let mut baseline = ["–".to_owned(), "–".to_owned(), "–".to_owned()];
    if let Some(rival) = rival {
        let mut server = theirs(rival)?;
        baseline[0] = format!("rival {} bytes", server.request(2, "tools/list", "{}")?.trim_end().len());
        std::thread::sleep(IDLE);
        baseline[1] = format!("rival {:.0} MB", server.rss_kb()? / 1024.0);
        index_documents(&mut server, "ctx_index")?;
        baseline[2] = format!("rival {:.0} MB", server.rss_kb()? / 1024.0);
        server.shut_down()?;
    }
    let (our_index, our_search) = index_and_search(ours()?, "index", "search")?;
    let (their_index, their_search) = match rival {
        Some(rival) => index_and_search(theirs(rival)?, "ctx_index", "ctx_search")?,
        None => (f64::NAN, f64::NAN),
    };
    let beside = |theirs: f64, ours: f64| {
        if theirs.is_nan() {
            "–".to_owned()
        } else {
            format!("rival {theirs:.1} ms ({:.0}× faster)", theirs / ours)
        }
    };
    let many: Vec<Server> = (0..26).map(|_| ours()).collect::<Result<_>>()?;
    std::thread::sleep(IDLE);
    let sum = |kb: fn(&Server) -> Result<f64>| many.iter().map(kb).sum::<Result<f64>>();
    let (together, own_together) = (sum(Server::rss_kb)?, sum(Server::own_kb)?);
    for server in many {
        server.shut_down()?;
    }
    let [list_rival, idle_rival, used_rival] = baseline;
    let against = if their_start.is_nan() {
        "–".to_owned()
    } else {
        format!("rival {their_start:.0} ms ({:.0}× faster)", their_start / our_start)
    };
    Ok(vec![
        Figure {
            what: "`tools/list`, as it goes over the wire".into(),
            ours: format!("{list} bytes"),
            baseline: list_rival,
            goal: "≤ 4,500 bytes".into(),
        },
        Figure {
            what: "server: spawn → initialize answered".into(),
            ours: format!("{our_start:.1} ms"),
            baseline: against,
            goal: "≤ 15 ms, ≥ 20× faster".into(),
        },
        Figure {
            what: "server RSS, idle (own pages; just started)".into(),
            ours: format!("{:.1} MB ({:.1}; {:.1})", idle / 1024.0, own / 1024.0, started / 1024.0),
            baseline: idle_rival,
            goal: "≤ 12 MB".into(),
        },
        Figure {
            what: "server RSS after 20 documents".into(),
            ours: format!("{:.1} MB", used / 1024.0),
            baseline: used_rival,
            goal: "≤ 25 MB".into(),
        },
        Figure {
            what: "index 237 KB of Markdown, over MCP".into(),
            ours: format!("{our_index:.1} ms"),
            baseline: beside(their_index, our_index),
            goal: "".into(),
        },
        Figure {
            what: "search in it, over MCP".into(),
            ours: format!("{our_search:.1} ms"),
            baseline: beside(their_search, our_search),
            goal: "".into(),
        },
        Figure {
            what: "26 idle servers, RSS together (own pages)".into(),
            ours: format!("{:.0} MB ({:.0})", together / 1024.0, own_together / 1024.0),
            baseline: "–".into(),
            goal: "≤ 350 MB".into(),
        },
    ])
}

/// Milliseconds of indexing one document of 237 KB with 300 sections, and of the median search in it.
fn index_and_search(mut server: Server, index: &str, search: &str) -> Result<(f64, f64)> {
    let mut text = String::from("# Harbour\\n\\n");
    for section in 0..300 {
        text += &format!(
            "## Berth {section}\\n\\n{}\\n\\n",
            format!("Berth {section} takes ships of {} metres. ", section + 40).repeat(20)
        );
    }
    let params = format!(r#"{{"name":"{index}","arguments":{{"content":"{text}","source":"harbour"}}}}"#);
    let started = Instant::now();
    server.request(500, "tools/call", &params)?;
    let indexed = started.elapsed().as_secs_f64() * 1000.0;
    let mut times = Vec::new();
    for (id, berth) in (501..).zip([7, 42, 99, 123, 180, 211, 250, 299]) {
        let params = format!(r#"{{"name":"{search}","arguments":{{"queries":["berth {berth} metres"]}}}}"#);
        let started = Instant::now();
        server.request(id, "tools/call", &params)?;
        times.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    server.shut_down()?;
    Ok((indexed, median(&mut times)))
}

/// Twenty Markdown documents of about 12 KB.
fn index_documents(server: &mut Server, tool: &str) -> Result<()> {
    for n in 0..20 {
        let mut text = format!("# Document {n}\\n\\n");
        for section in 0..24 {
            text += &format!(
                "## Section {section} of {n}\\n\\nThe tide at station {section} turns when the gauge shows {} centimetres, and the lock keeper writes it down. {}\\n\\n",
                section * 7 + n,
                "Ships wait in the roads until the signal changes. ".repeat(7)
            );
        }
        let params = format!(r#"{{"name":"{tool}","arguments":{{"content":"{text}","source":"doc-{n}"}}}}"#);
        server.request(100 + n, "tools/call", &params)?;
    }
    Ok(())
}
