//! Fills a temporary home with the data of years of use: ledger rows, events, shortened outputs and sources, the same
//! ones for the same arguments. For tests and for pictures; never shipped.
//!
//! `seed --project FOLDER… [--calls N] [--events N] [--filters N] [--sources N] [--memories N] [--days N] [--now MS]`;
//! the home is the one in the environment (`PLIMSOLL_HOME`), and one that no test created is refused. Doesn't know
//! any screen.

#![expect(clippy::print_stdout, reason = "a command line tool")]

mod memories;

use memory::{Category, Fact, Facts, State};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use home::{Clock, Env, Home, Project};
use knowledge::{NewSource, SourceKind, Store};
use sessions::{Class, HOOK, LedgerRow, NOTE, NewEvent, Note, Sessions};

const DAY_MS: i64 = 86_400_000;

/// The agents, and their share of a hundred calls.
const AGENTS: &[(&str, u64)] = &[("claude-code", 56), ("codex", 24), ("opencode", 12), ("cursor", 8)];
/// The calls: name, share of a hundred, minimum and maximum raw bytes, how the figures are known.
const CALLS: &[(&str, u64, u64, u64, Class)] = &[
    ("execute", 44, 900, 90_000, Class::Measured),
    ("batch", 14, 4_000, 160_000, Class::Measured),
    ("index", 12, 6_000, 70_000, Class::Measured),
    ("index", 8, 12_000, 210_000, Class::Measured),
    ("execute", 6, 2_000, 60_000, Class::Estimated),
    ("search", 16, 300, 2_600, Class::None),
];
/// A hook's event: kind, tool, text, verdict, reason.
type Seen = (&'static str, Option<&'static str>, &'static str, &'static str, Option<&'static str>);
const EVENTS: &[Seen] = &[
    ("session_start", None, "startup", "context", Some("session start")),
    ("prompt", None, "Why does the retry loop give up after two attempts?", "pass", None),
    ("pre_tool", Some("Bash"), "cargo test --workspace", "context", Some("nudge:shell")),
    ("post_tool", Some("Bash"), "cargo test --workspace", "pass", None),
    ("pre_tool", Some("Read"), "src/retry.rs", "pass", None),
    ("pre_tool", Some("Edit"), "src/retry.rs", "pass", None),
    ("pre_tool", Some("Bash"), "git status --short", "pass", None),
    ("pre_tool", Some("WebFetch"), "https://docs.example.org/retries", "deny", Some("route:fetch")),
    ("pre_tool", Some("Bash"), "rm -rf target/debug/incremental", "ask", Some("rule Bash(rm:*)")),
    ("prompt", None, "Add a test for the case where the server closes the connection early.", "pass", None),
    ("pre_tool", Some("Bash"), "npm run build", "pass", None),
    ("post_tool", Some("Bash"), "npm run build", "pass", None),
    ("pre_tool", Some("Bash"), "curl -s https://api.example.org/v1/health", "deny", Some("route:network")),
    ("pre_compact", None, "", "pass", None),
    ("stop", None, "", "pass", None),
];
/// A filter's shortened output: filter, command, share of a hundred, minimum and maximum bytes before, and the
/// percentage that stays.
const FILTERED: &[(&str, &str, u64, u64, u64, u64)] = &[
    ("cargo-test", "cargo test --workspace", 34, 12_000, 160_000, 3),
    ("git-log", "git log --stat", 18, 6_000, 60_000, 12),
    ("npm-install", "npm install", 16, 3_000, 40_000, 4),
    ("pytest", "pytest -q tests", 14, 8_000, 90_000, 5),
    ("docker-build", "docker build .", 10, 9_000, 70_000, 9),
    ("generic", "./scripts/release.sh --dry-run", 8, 7_000, 50_000, 22),
];
/// The topics of sources; a source's text consists only of these.
const THEMES: &[&str] = &[
    "retry", "cursor", "ledger", "schema", "harbour", "release", "queue", "timeout", "session", "index",
    "checkout", "invoice", "locale", "search", "worker", "cache",
];
const SENTENCES: &[&str] = &[
    "A request is tried again only when nothing was written before it failed.",
    "The wait doubles after each attempt and never exceeds thirty seconds.",
    "Readers see the old version or the new one, never a mixture of both.",
    "The lock is taken in the order of the paths, so two workers cannot wait for each other.",
    "What cannot be parsed is left as it is and named with its line.",
    "Each migration runs in one transaction and is never changed once released.",
    "The queue is drained before the process ends, and what remains is written down.",
    "An index is rebuilt from the table it belongs to; it holds no text of its own.",
];

/// A small random number generator, the same on every computer.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end.max(1)
    }
    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        let at = usize::try_from(self.below(all.len() as u64)).unwrap_or(0);
        &all[at]
    }
    fn weighted<'a, T>(&mut self, all: &'a [T], weight: impl Fn(&T) -> u64) -> &'a T {
        let mut left = self.below(all.iter().map(&weight).sum());
        for one in all {
            let here = weight(one);
            if left < here {
                return one;
            }
            left -= here;
        }
        &all[0]
    }
}

struct Arguments {
    projects: Vec<PathBuf>,
    calls: u64,
    events: u64,
    filters: u64,
    sources: u64,
    memories: u64,
    days: i64,
    now: i64,
}

impl Arguments {
    fn read() -> Result<Self> {
        let mut arguments = Self {
            projects: Vec::new(),
            calls: 0,
            events: 0,
            filters: 0,
            sources: 0,
            memories: 0,
            days: 7,
            now: Clock::system().now_ms(),
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let value = words.next().with_context(|| format!("{word} wants a value"))?;
            match word.as_str() {
                "--project" => arguments.projects.push(std::fs::canonicalize(value)?),
                "--calls" => arguments.calls = value.parse()?,
                "--events" => arguments.events = value.parse()?,
                "--filters" => arguments.filters = value.parse()?,
                "--sources" => arguments.sources = value.parse()?,
                "--memories" => arguments.memories = value.parse()?,
                "--days" => arguments.days = value.parse()?,
                "--now" => arguments.now = value.parse()?,
                _ => bail!(
                    "{word} is none of --project, --calls, --events, --filters, --sources, --memories, --days, --now"
                ),
            }
        }
        if arguments.projects.is_empty() {
            bail!("name a project folder with --project");
        }
        Ok(arguments)
    }

    /// The time of the n-th of `count` things: evenly over the days, more by day than by night.
    fn moment(&self, n: u64, count: u64, random: &mut Random) -> i64 {
        let (n, count) = (i64::try_from(n).unwrap_or(0), i64::try_from(count.max(1)).unwrap_or(1));
        let day = n * self.days / count;
        let within =
            i64::try_from(random.below(36) + random.below(36) + random.below(36)).unwrap_or(0) * 600_000;
        self.now - (self.days - 1 - day) * DAY_MS - within.min(DAY_MS - 600_000)
    }
}

fn main() -> Result<()> {
    let env = Env::capture()?;
    if env.var("PLIMSOLL_WEBHOST_DIR").is_none() {
        bail!(
            "PLIMSOLL_WEBHOST_DIR is not set, so this is no test's home; a real one gets no made-up figures"
        );
    }
    let home = Home::resolve(&env)?;
    home.ensure()?;
    let arguments = Arguments::read()?;
    let mut random = Random(0x1876);
    if arguments.calls + arguments.events > 0 {
        let mut sessions = Sessions::open(&home, &[&memory::GUEST])?;
        calls(&arguments, &mut random, &mut sessions)?;
        events(&arguments, &mut random, &mut sessions)?;
    }
    if arguments.filters > 0 {
        filtered(&arguments, &home)?;
        facts(&arguments, &home)?;
        Sessions::open(&home, &[&memory::GUEST])?.import_pending()?;
    }
    if arguments.sources > 0 {
        sources(&arguments, &mut random, &home)?;
    }
    if arguments.memories > 0 {
        memories::remember(&arguments, &home)?;
    }
    println!(
        "{} calls, {} events, {} shortened outputs, {} sources, {} memories",
        arguments.calls, arguments.events, arguments.filters, arguments.sources, arguments.memories
    );
    Ok(())
}

/// A session per agent and half day, counted back from now, so that each session's size is the same at any hour.
fn session(arguments: &Arguments, agent: &str, at_ms: i64) -> String {
    let half_day = (arguments.now - at_ms).div_euclid(DAY_MS / 2);
    let hash = agent
        .bytes()
        .fold(half_day.unsigned_abs(), |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
    format!("{:08x}-{:04x}", hash as u32, half_day & 0xffff)
}

fn calls(arguments: &Arguments, random: &mut Random, sessions: &mut Sessions) -> Result<()> {
    for n in 0..arguments.calls {
        let (agent, _) = random.weighted(AGENTS, |(_, weight)| *weight);
        let (tool, _, from, to, class) = random.weighted(CALLS, |(_, weight, ..)| *weight);
        let at_ms = arguments.moment(n, arguments.calls, random);
        let raw = from
            + random.below((to - from) / 3)
            + random.below((to - from) / 3)
            + random.below((to - from) / 3);
        let ok = random.below(40) != 0;
        let returned = if *class == Class::None || !ok {
            raw.min(2_600)
        } else {
            (raw / 18 + random.below(1_200)).min(raw)
        };
        sessions.ledger(&LedgerRow {
            session: session(arguments, agent, at_ms),
            agent: (*agent).to_owned(),
            project: random.of(&arguments.projects).display().to_string(),
            tool: (*tool).to_owned(),
            raw_bytes: raw,
            returned_bytes: returned,
            class: *class,
            ok,
            overhead_bytes: if n % 24 == 0 { 1_900 } else { 0 },
            elapsed_us: 2_000 + random.below(40_000),
            at_ms,
            ..LedgerRow::default()
        })?;
    }
    Ok(())
}

fn events(arguments: &Arguments, random: &mut Random, sessions: &mut Sessions) -> Result<()> {
    for n in 0..arguments.events {
        let (agent, _) = random.weighted(AGENTS, |(_, weight)| *weight);
        let at_ms = arguments.moment(n, arguments.events, random);
        let (kind, tool, summary, decision, rule) = random.of(EVENTS);
        let output = (*kind == "post_tool").then(|| 2_000 + random.below(120_000));
        sessions.record(&NewEvent {
            session: session(arguments, agent, at_ms),
            agent: (*agent).to_owned(),
            project: random.of(&arguments.projects).display().to_string(),
            kind: (*kind).to_owned(),
            tool: tool.map(str::to_owned),
            summary: (*summary).to_owned(),
            decision: (*decision).to_owned(),
            rule: rule.map(str::to_owned),
            bytes_before: output,
            bytes_after: output,
            full_output: None,
            call: String::new(),
            elapsed_us: 900 + random.below(6_000),
            at_ms,
        })?;
    }
    Ok(())
}

/// Outputs that filters shortened: some by `plimsoll run`, some by a hook after the tool. Its own generator, so that
/// the rest stays unchanged.
fn filtered(arguments: &Arguments, home: &Home) -> Result<()> {
    let mut random = Random(0x1894);
    for n in 0..arguments.filters {
        let (agent, _) = random.weighted(AGENTS, |(_, weight)| *weight);
        let (filter, command, _, from, to, stay) = random.weighted(FILTERED, |(_, _, weight, ..)| *weight);
        let at_ms = arguments.moment(n, arguments.filters, &mut random);
        let before = from + random.below(to - from);
        let after = before * stay / 100 + 60 + random.below(300);
        let by_run = random.below(3) != 0;
        let tool = if by_run { "run" } else { "Bash" };
        let project = random.of(&arguments.projects).display().to_string();
        let (session, agent) = (session(arguments, agent, at_ms), (*agent).to_owned());
        let elapsed_us = 600 + random.below(5_000);
        let event = NewEvent {
            session: session.clone(),
            agent: agent.clone(),
            project: project.clone(),
            kind: if by_run { "filter" } else { "post_tool" }.to_owned(),
            tool: Some(tool.to_owned()),
            summary: (*command).to_owned(),
            decision: "replace".to_owned(),
            rule: Some(format!("filter {filter}")),
            bytes_before: Some(before),
            bytes_after: Some(after),
            full_output: None,
            call: String::new(),
            elapsed_us,
            at_ms,
        };
        let row = LedgerRow {
            session,
            agent,
            project,
            tool: tool.to_owned(),
            filter: (*filter).to_owned(),
            raw_bytes: before,
            returned_bytes: after,
            class: Class::Measured,
            ok: true,
            elapsed_us,
            at_ms,
            ..LedgerRow::default()
        };
        let mut notes = vec![Note::Event(event), Note::Call(row.clone())];
        if n % 16 == 0 {
            // Plimsoll's own overhead.
            let cost = |tool: &str, bytes: u64| LedgerRow {
                tool: tool.to_owned(),
                filter: String::new(),
                raw_bytes: 0,
                returned_bytes: bytes,
                overhead_bytes: bytes,
                class: Class::None,
                ..row.clone()
            };
            notes.extend([Note::Call(cost(HOOK, 420)), Note::Call(cost(NOTE, 1_380))]);
        }
        sessions::append_notes(home, &notes)?;
    }
    Ok(())
}

/// The facts of one session, for its resume note: the latest of the first agent.
fn facts(arguments: &Arguments, home: &Home) -> Result<()> {
    let (agent, _) = AGENTS[0];
    let at_ms = arguments.now - 60_000;
    let facts = vec![
        Fact::new(Category::Goal, 1, "Why does the retry loop give up after two attempts?"),
        Fact::new(
            Category::Request,
            1,
            "Add a test for the case where the server closes the connection early.",
        ),
        Fact::new(Category::Task, 1, "Test for a connection that is closed early").state(State::Active),
        Fact::new(Category::Decision, 2, "The wait doubles after each attempt and ends at thirty seconds."),
        Fact::new(Category::File, 2, "src/retry.rs").subject("edit"),
        Fact::new(Category::Error, 1, "cargo test")
            .detail("assertion failed: <b>attempts</b> == 3")
            .subject("cargo test"),
        Fact::new(Category::Constraint, 1, "Do not touch the public API."),
    ];
    let facts = Facts {
        session: session(arguments, agent, at_ms),
        agent: agent.to_owned(),
        project: arguments.projects[0].display().to_string(),
        at_ms,
        facts,
    };
    sessions::append_notes(home, &[facts.note()?])?;
    Ok(())
}

fn sources(arguments: &Arguments, random: &mut Random, home: &Home) -> Result<()> {
    let project = Project::at(&arguments.projects[0])?;
    let folder = home.project(&project);
    home::private_dir(&folder)?;
    home::write_private(&folder.join("project"), project.root.display().to_string().as_bytes())?;
    let mut store = Store::open(&home.knowledge_db(&project))?;
    for n in 0..arguments.sources {
        let theme = random.of(THEMES);
        let (kind, label) = match n % 5 {
            0 => (SourceKind::Output, format!("cargo test {theme} #{n:05}")),
            1 => (SourceKind::Url, format!("https://docs.example.org/{theme}/{n:05}")),
            2 => (SourceKind::Text, format!("note {n:05}: {theme}")),
            _ => (SourceKind::File, format!("docs/{theme}/part-{n:05}.md")),
        };
        let mut content = format!("# The {theme}, part {n:05}\n\n");
        for _ in 0..2 + random.below(3) {
            content.push_str(random.of::<&str>(SENTENCES));
            content.push(' ');
        }
        let (agent, _) = random.weighted(AGENTS, |(_, weight)| *weight);
        store.index_text(NewSource {
            label: &label,
            kind,
            origin: (kind != SourceKind::Text && kind != SourceKind::Output).then_some(label.as_str()),
            session: Some("seed"),
            agent: Some(agent),
            content: &content,
            format: None,
            now_ms: arguments.moment(n, arguments.sources, random),
        })?;
    }
    Ok(())
}
