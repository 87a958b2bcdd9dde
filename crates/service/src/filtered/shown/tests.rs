//! The law of a run, per host: what comes out is never longer than what that host would have shown of the command's own
//! output, however it arrived and however it ended; and the whole stays at its address. Every capture of every built-in
//! filter is tried as it is and grown past the hosts' limits, as are texts that no filter knows.
//!
//! The hosts are imitated here as they were measured, apart from the tables that the product itself goes by.

use super::*;

#[test]
fn a_failing_output_is_cut_only_where_the_filter_for_any_command_is_on() {
    let argv = ["make".to_owned()];
    let text: String = (0..2_000).map(|n| format!("step {n} of something\n")).collect();
    let agent = agents::by_id("claude-code");
    let bounded = |off: &[String]| {
        let set = FilterSet::load(None, None, off);
        let shown = Shown::new(&set, &argv, None, true, agent);
        Answer::of_command(&set, "make", Some(1), &text, shown.room(&text, 1), ADDRESS)
    };
    let cut = bounded(&[]).unwrap().with_address(ADDRESS);
    assert!(cut.len() <= 10_000, "{}", cut.len());
    assert_eq!(bounded(&[filters::GENERIC.to_owned()]), None);
}

#[test]
fn two_outputs_together_are_no_longer_than_the_agent_would_show() {
    let set = FilterSet::builtin();
    let argv = ["make".to_owned()];
    let part = |bytes: usize| Shortened { text: "a line\n".repeat(bytes / 7), ..Shortened::default() };
    for id in ["claude-code", "copilot-cli", "codex"] {
        let shown = Shown::new(&set, &argv, None, true, agents::by_id(id));
        for (out, err) in [(40_000, 0), (0, 40_000), (300, 40_000), (40_000, 300), (40_000, 40_000)] {
            let raw = "a line\n".repeat(40_000);
            let most = shown.room(&raw, 0);
            let (out, err) = shown.both_within(part(out), part(err), most).unwrap();
            let all = out.with_address(Some(ADDRESS)).len() + err.text.len();
            assert!(all <= most, "{id}: {all} of {most}");
        }
    }
}

#[test]
fn a_flood_is_passed_on_where_the_filter_for_any_command_is_off() {
    let argv = ["plimsoll-none".to_owned()];
    let set = FilterSet::load(None, None, &[filters::GENERIC.to_owned()]);
    let mut shown = Shown::new(&set, &argv, None, true, None);
    shown.mode = Mode::Holding;
    shown.held_bytes = HELD;
    // Empty, so that the test prints nothing.
    shown.held = vec![(Part::Out, Vec::new())];
    shown.let_go(false);
    assert!(matches!(shown.mode, Mode::Passing));
}

const HOSTS: [&str; 5] = ["claude-code", "codex", "gemini-cli", "opencode", "copilot-cli"];

/// How an output comes: in one go, with a look at it while it runs, or for so long that nobody waits for its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comes {
    AtOnce,
    Slowly,
    ForLong,
}

const WAYS: [Comes; 3] = [Comes::AtOnce, Comes::Slowly, Comes::ForLong];

/// How many bytes this host shows its model of a command's output.
fn shown_alone(host: &str, failed: bool, text: &str) -> usize {
    let chars = text.encode_utf16().count();
    let start = |count: usize| -> String { text.chars().take(count).collect() };
    match host {
        "claude-code" if failed && chars > 10_000 => {
            10_000 + "\n\n... [0 characters truncated] ...\n\n".len()
        }
        "claude-code" if failed || text.len() <= 30_000 => text.len(),
        "claude-code" => {
            let start = start(2_000);
            let end = start.rfind('\n').filter(|end| *end > start.len() / 2).unwrap_or(start.len());
            // 115 bytes around it, and the path of a file that lies deep.
            end + 115 + 89
        }
        "codex" if text.len() > 10_000 => 10_106,
        "gemini-cli" if chars > 40_000 => 40_000,
        "opencode" if text.len() > 51_200 || text.lines().count() > 2_000 => {
            let end = &text[text.ceil_char_boundary(text.len().saturating_sub(51_200))..];
            let lines: Vec<&str> = end.lines().collect();
            lines[lines.len().saturating_sub(2_000)..].join("\n").len() + 100
        }
        "copilot-cli" if text.len() > 20_480 => start(500).len() + 340,
        _ => text.len(),
    }
}

struct World {
    dir: tempfile::TempDir,
    home: home::Home,
    set: FilterSet,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = home::Home::at(dir.path().join("p"));
        Self { dir, home, set: FilterSet::builtin() }
    }

    /// What comes out of a run of `argv` that prints `text`.
    fn received(
        &self,
        argv: &[String],
        host: &str,
        comes: Comes,
        code: i32,
        text: &str,
    ) -> (String, Option<Done>) {
        let clock = home::Clock::fixed(1_800_000_000_000);
        let original = Original::new(&self.home, argv, self.dir.path(), None, clock, 64 * 1024 * 1024);
        let mut shown = Shown::new(&self.set, argv, Some(original), true, agents::by_id(host));
        shown.ways.heard = Some([Vec::new(), Vec::new()]);
        let middle = text.floor_char_boundary(text.len() / 2);
        shown.take(Part::Out, &text.as_bytes()[..middle]);
        match comes {
            Comes::AtOnce => {}
            Comes::Slowly => shown.go_on(false),
            Comes::ForLong => shown.go_on(true),
        }
        shown.take(Part::Out, &text.as_bytes()[middle..]);
        let done = match std::mem::replace(&mut shown.mode, Mode::Passing) {
            Mode::Holding => shown.finish_held(code),
            Mode::Going { lanes, address } => shown.finish_lanes(lanes, address, code),
            Mode::Passing => None,
        };
        let [out, err] = shown.ways.heard.take().unwrap();
        assert!(err.is_empty());
        (String::from_utf8(out).unwrap(), done)
    }

    fn holds(&self, command: &str, host: &str, comes: Comes, code: i32, text: &str) -> bool {
        let argv = crate::filtered::words_of(command);
        let (received, done) = self.received(&argv, host, comes, code, text);
        let Some(done) = done else {
            assert!(received == text, "{host} {command} {comes:?}: passed on, and not as it came");
            return false;
        };
        let most = shown_alone(host, code != 0, text);
        let said = format!(
            "{host} {command} {comes:?} {code}, {} bytes: {most} alone, {}",
            text.len(),
            received.len()
        );
        assert!(received.len() <= most + usize::from(text.ends_with('\n')), "{said}\n{received}");
        let address = done.address.unwrap();
        assert!(received.contains(&address), "{said}: no address\n{received}");
        let id = address.rsplit('/').next().unwrap();
        let whole = std::fs::read_to_string(self.home.tasks_dir().join(id).join("output.log")).unwrap();
        assert!(whole == text::redact(text), "{said}: {} kept", whole.len());
        let _ = std::fs::remove_dir_all(self.home.tasks_dir());
        true
    }
}

fn captures() -> Vec<(String, i32, String)> {
    let root = std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../filters/builtin");
    let mut found = Vec::new();
    for family in std::fs::read_dir(root).unwrap().flatten() {
        for file in std::fs::read_dir(family.path()).into_iter().flatten().flatten().map(|file| file.path()) {
            if file.extension().is_some_and(|extension| extension == "toml") {
                let text = std::fs::read_to_string(&file).unwrap();
                for case in filters::Filter::parse(&text, &file.display().to_string()).unwrap().cases {
                    let input = case.input_file.map(|name| std::fs::read(family.path().join(name)).unwrap());
                    let input = input.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                    found.push((
                        case.command,
                        case.exit.unwrap_or(0),
                        input.or(case.input).unwrap_or_default(),
                    ));
                }
            }
        }
    }
    assert!(found.len() > 200, "{}", found.len());
    found
}

fn grown(text: &str, size: usize) -> String {
    let mut out = text.repeat(size / text.len().max(1) + 1);
    out.truncate(out.floor_char_boundary(size));
    out
}

#[test]
fn every_capture_of_every_filter_on_every_host() {
    let world = World::new();
    let mut shortened = [0; HOSTS.len()];
    for (at, (command, code, text)) in captures().into_iter().enumerate() {
        // Just below and above a limit in turn: all of them for each would take minutes.
        let sizes = [9_900, 10_200, 20_400, 20_600, 29_900, 30_200, 39_000, 52_000, 70_000];
        let grown = grown(&text, sizes[at % sizes.len()]);
        for (number, (host, shortened)) in HOSTS.into_iter().zip(&mut shortened).enumerate() {
            *shortened += usize::from(world.holds(&command, host, WAYS[at % 3], code, &text));
            if at % HOSTS.len() == number {
                *shortened += usize::from(world.holds(&command, host, WAYS[at / 5 % 3], code, &grown));
            }
        }
    }
    assert!(shortened.iter().all(|count| *count > 20), "{shortened:?}: nothing was tried");
}

#[test]
fn around_every_limit_of_every_host() {
    let world = World::new();
    let lines: String = (0..9_000).map(|n| format!("{n:06} served a request in {} ms\n", n % 97)).collect();
    let errors: String =
        (0..3_000).map(|n| format!("src/a{}.rs:{n}:7: error: no such {n}\n", n % 24)).collect();
    let one = "word ".repeat(20_000);
    let wide = "漢字かな\n".repeat(9_000);
    for text in [&lines, &errors, &one, &wide] {
        for limit in [5_000, 10_000, 20_480, 30_000, 40_000, 51_200, 66_000] {
            let text = &text[..text.floor_char_boundary(limit + 1)];
            for host in HOSTS {
                for comes in WAYS {
                    world.holds("make all", host, comes, 2, text);
                    world.holds("cargo test", host, comes, 0, text);
                }
            }
        }
    }
}

/// At the end of a pipe the code is another program's: the host may show as much as of a failure or as of a success.
#[test]
fn at_the_end_of_a_pipe_the_least_of_both_is_shown() {
    let set = FilterSet::builtin();
    let argv = ["make".to_owned()];
    let text = "step of something\n".repeat(1_500);
    let mut shown = Shown::new(&set, &argv, None, true, agents::by_id("claude-code"));
    let alone = shown.room(&text, 0);
    shown.ends_elsewhere = true;
    assert!(alone == text.len() && shown.room(&text, 0) == 10_000, "{alone} {}", shown.room(&text, 0));
}
