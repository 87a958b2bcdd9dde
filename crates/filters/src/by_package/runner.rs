//! Takes a runner's output apart: which package each line belongs to, and which package failed. A runner is
//! recognised by its own lines about each prefix (that a task started, which command runs, how it ended), never by
//! the look of a prefix: keys of a document, places in files and log levels look the same.
//!
//! Lines of services (`docker compose logs`, `foreman start`, `kubectl logs --prefix`) aren't taken apart: one
//! service answers another, and their order explains why. A runner's packages are separate programs, and the output
//! must say that they have ended.

use std::collections::{HashMap, HashSet};

use crate::normal;

use super::packages::{Apart, MOST, Part};

/// One line in this many may lack its package in front.
const OTHERS: usize = 4;
/// The longest prefix, in bytes.
const LONG: usize = 160;
/// What logs have in brackets isn't a name.
const LEVELS: &[&str] =
    &["trace", "debug", "verbose", "info", "notice", "log", "warn", "warning", "error", "fatal"];

/// The form of a prefix, and which runner writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Runner {
    /// `web:test: …`, begun by `web:test: cache miss, executing 5e4c5b3e8f3a2d1c`.
    Turbo,
    /// `packages/web test: …`, begun by `packages/web test$ vitest run`.
    Pnpm,
    /// `[@shop/web]: …`, with `Done in 2s 84ms` below all.
    Yarn,
    /// `[web] …`, ended by `[web] npm test exited with code 0`.
    Concurrently,
    /// `@shop/web: …`, begun by npm's `@shop/web: > @shop/web@1.0.0 test`, as `lerna run --stream` and `nx --output-style=stream`
    /// print it.
    Lerna,
    /// `[test-web] …`, begun by `[test-web] > shop@1.0.0 test-web`, with `ERROR: "test-web" exited with 1.` below all.
    RunAll,
}

/// The lines of `text` by package; `None` unless a runner that prefixes each line with its package printed it.
pub(super) fn apart(text: &str) -> Option<Apart<'_>> {
    let all =
        [Runner::Turbo, Runner::Pnpm, Runner::Yarn, Runner::Concurrently, Runner::Lerna, Runner::RunAll];
    all.into_iter().find_map(|runner| runner.take_apart(text))
}

impl Runner {
    fn take_apart(self, text: &str) -> Option<Apart<'_>> {
        let mut at: HashMap<&str, usize> = HashMap::new();
        let mut parts: Vec<Part<'_>> = Vec::new();
        for name in self.announced(text) {
            at.entry(name).or_insert_with(|| {
                let bare = matches!(self, Runner::Concurrently | Runner::RunAll);
                let front = if bare { name.to_owned() } else { format!("{name}:") };
                parts.push(Part::new(front, false));
                parts.len() - 1
            });
        }
        let fewest = if matches!(self, Runner::Turbo | Runner::Pnpm) { 1 } else { 2 };
        if parts.len() < fewest || parts.len() > MOST {
            return None;
        }
        let mut apart = Apart { above: Vec::new(), parts, below: Vec::new() };
        let (mut with, mut others) = (0_usize, 0_usize);
        for line in normal::lines(text) {
            let own = self.split(line).and_then(|(name, rest)| Some((*at.get(name)?, rest)));
            let command = self.command(line).and_then(|name| at.get(name).copied());
            match (own, command) {
                (Some((at, rest)), _) => apart.parts[at].lines.push(rest),
                (None, Some(at)) => apart.parts[at].commands.push(line),
                (None, None) => {
                    others += usize::from(!line.trim().is_empty());
                    let place = if with == 0 { &mut apart.above } else { &mut apart.below };
                    place.push(line);
                    continue;
                }
            }
            with += 1;
        }
        if others * OTHERS > with || !self.has_ended(&apart) || self.fails_among_others(&apart) {
            return None;
        }
        let failed: Vec<bool> = apart.parts.iter().map(|part| self.failed(&apart, part)).collect();
        apart.rank(&failed);
        Some(apart)
    }

    /// The names that the runner's own lines mention, without a colon at their end.
    fn announced(self, text: &str) -> Vec<&str> {
        let lines = normal::lines(text);
        match self {
            Runner::Turbo => lines
                .filter_map(|line| self.split(line))
                .filter(|(_, rest)| is_cache_state(rest))
                .map(|(name, _)| name)
                .collect(),
            Runner::Pnpm => lines.filter_map(|line| self.command(line)).collect(),
            Runner::Yarn => {
                let last = text.trim_end().rsplit('\n').next().unwrap_or_default();
                if !is_total(last) {
                    return Vec::new();
                }
                lines.filter_map(|line| self.split(line)).map(|(name, _)| name).collect()
            }
            Runner::Concurrently => {
                // A killed task hasn't ended: it's usually a service.
                if !text.contains(EXITED) || text.contains(" exited with code SIG") {
                    return Vec::new();
                }
                let mut last: HashMap<&str, &str> = HashMap::new();
                let mut names = Vec::new();
                for (name, rest) in lines.filter_map(|line| self.split(line)) {
                    if last.insert(name, rest).is_none() {
                        names.push(name);
                    }
                }
                names.retain(|name| last.get(name).is_some_and(|rest| exit_code(rest).is_some()));
                names
            }
            Runner::Lerna | Runner::RunAll => {
                let ends: &[&str] = match self {
                    Runner::RunAll => &["\nERROR: \""],
                    _ => &["\nlerna ", " target "],
                };
                if !ends.iter().any(|end| text.contains(*end)) {
                    return Vec::new();
                }
                let scripts = lines.filter_map(|line| self.split(line)).filter_map(|(name, rest)| {
                    let (package, script) = announced_script(rest)?;
                    let is_own = match self {
                        Runner::RunAll => within_brackets(name) == script,
                        _ => package == name || package.rsplit('/').next() == Some(name),
                    };
                    is_own.then_some((name, script))
                });
                let scripts: Vec<(&str, &str)> = scripts.collect();
                // One service answers another.
                if scripts.iter().any(|(_, script)| is_service(script)) {
                    return Vec::new();
                }
                scripts.into_iter().map(|(name, _)| name).collect()
            }
        }
    }

    /// The name in front of a line, without a colon at its end, and what the package printed.
    fn split(self, line: &str) -> Option<(&str, &str)> {
        let (name, rest) = match self {
            Runner::Turbo | Runner::Pnpm | Runner::Lerna => match line.split_once(": ") {
                Some(both) => both,
                None => (line.strip_suffix(':')?, ""),
            },
            Runner::Yarn | Runner::Concurrently | Runner::RunAll => {
                let end = line.strip_prefix('[')?.find(']')? + 2;
                let (name, rest) = line.split_at(end);
                let rest = if self == Runner::Yarn { rest.strip_prefix(':')? } else { rest };
                (name, if rest.is_empty() { rest } else { rest.strip_prefix(' ')? })
            }
        };
        (name.len() <= LONG && self.may_be_name(name)).then_some((name, rest))
    }

    fn may_be_name(self, name: &str) -> bool {
        match self {
            Runner::Turbo => !name.contains(' ') && name.contains(':'),
            Runner::Pnpm => is_folder_and_script(name),
            Runner::Lerna => name.chars().all(is_package),
            Runner::Yarn | Runner::Concurrently | Runner::RunAll => {
                let inside = name.trim_start_matches('[').trim_end_matches(']');
                let is_level = LEVELS.iter().any(|level| inside.trim().eq_ignore_ascii_case(level));
                // `10:00:05` isn't a name either.
                let is_time = inside.as_bytes().windows(3).any(|three| {
                    matches!(three, [hours, b':', minutes] if hours.is_ascii_digit() && minutes.is_ascii_digit())
                });
                !inside.is_empty()
                    && !is_level
                    && !is_time
                    && (self != Runner::Yarn || inside.chars().all(is_package))
            }
        }
    }

    /// The name in a line about a command that starts: `packages/web test$ vitest run`.
    fn command(self, line: &str) -> Option<&str> {
        let (name, _) = line.split_once("$ ").filter(|_| self == Runner::Pnpm)?;
        (name.len() <= LONG && is_folder_and_script(name)).then_some(name)
    }

    /// Whether the output says that its tasks have ended.
    fn has_ended(self, apart: &Apart<'_>) -> bool {
        match self {
            Runner::Turbo => apart.below.iter().any(|line| line.trim_start().starts_with("Tasks: ")),
            Runner::Pnpm => apart.parts.iter().any(|part| matches!(part.last(), "Done" | "Failed")),
            Runner::Lerna => apart.below.iter().any(|line| {
                line.starts_with("lerna success ") || line.starts_with("lerna ERR! ") || is_end_of_nx(line)
            }),
            Runner::RunAll => apart.below.iter().any(|line| line.starts_with("ERROR: \"")),
            // Their names are taken from it.
            Runner::Yarn | Runner::Concurrently => true,
        }
    }

    /// Whether a failed package's lines are among those without a known package, because its announcement was cut
    /// off.
    fn fails_among_others(self, apart: &Apart<'_>) -> bool {
        let mut others = apart.above.iter().chain(&apart.below).filter_map(|line| self.split(line));
        match self {
            Runner::Turbo => {
                let lists = apart.below.iter().filter_map(|line| line.strip_prefix("Failed: "));
                let failed: HashSet<&str> = lists.flat_map(|tasks| tasks.split([' ', ','])).collect();
                others.any(|(name, _)| failed.contains(name.replacen(':', "#", 1).as_str()))
            }
            Runner::Pnpm => others.any(|(_, rest)| rest == "Failed"),
            Runner::Lerna | Runner::RunAll => others.any(|(name, _)| self.names_failed(apart, name)),
            // Their names are taken from the lines about their end.
            Runner::Yarn | Runner::Concurrently => false,
        }
    }

    fn failed(self, apart: &Apart<'_>, part: &Part<'_>) -> bool {
        match self {
            Runner::Turbo => {
                let task = part.front.trim_end_matches(':').replacen(':', "#", 1);
                let list = |line: &&&str| line.starts_with("Failed: ");
                apart.below.iter().filter(list).any(|line| line.split([' ', ',']).any(|word| word == task))
            }
            Runner::Pnpm => part.last() == "Failed",
            Runner::Yarn => {
                let name = part.front.trim_start_matches('[').trim_end_matches("]:");
                let start = format!("The command failed in workspace {name}@");
                apart.below.iter().any(|line| line.starts_with(&start))
            }
            Runner::Concurrently => exit_code(part.last()).is_some_and(|code| code != "0"),
            Runner::Lerna => self.names_failed(apart, part.front.trim_end_matches(':')),
            Runner::RunAll => self.names_failed(apart, &part.front),
        }
    }

    /// Whether the runner itself says that the task with this name failed.
    fn names_failed(self, apart: &Apart<'_>, name: &str) -> bool {
        apart.below.iter().any(|line| match self {
            Runner::RunAll => line
                .strip_prefix("ERROR: \"")
                .and_then(|rest| rest.strip_prefix(within_brackets(name)))
                .is_some_and(|rest| rest.starts_with("\" exited with ")),
            _ => {
                line.starts_with("lerna ERR! ") && line.ends_with(&format!(" in '{name}'"))
                    || listed_task(line).and_then(|task| task.strip_prefix(name)).is_some_and(is_target)
            }
        })
    }
}

/// A character of a package's name, which is in lower case.
fn is_package(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || "@/._-~".contains(c)
}

/// The label that `[test-web  ]` is as wide as the longest one.
fn within_brackets(name: &str) -> &str {
    name.trim_start_matches('[').trim_end_matches(']').trim_end()
}

/// The package and the script of `> @shop/web@1.0.0 test`, as npm announces a script.
fn announced_script(line: &str) -> Option<(&str, &str)> {
    let (package, script) = line.strip_prefix("> ")?.split_once(' ')?;
    let (name, version) = package.rsplit_once('@').filter(|(name, _)| !name.is_empty())?;
    let script = script.split(' ').next()?;
    version.starts_with(|c: char| c.is_ascii_digit()).then_some((name, script))
}

/// Whether a script of this name runs until it's ended: its log is read in its order.
pub(super) fn is_service(script: &str) -> bool {
    script
        .split([':', '-', '.', '_'])
        .any(|word| matches!(word, "dev" | "start" | "serve" | "watch" | "preview"))
}

/// ` NX   Ran target test for 3 projects (2s)`, ` NX   Running target test for 3 projects failed`.
pub(super) fn is_end_of_nx(line: &str) -> bool {
    let runner = ["NX", "Lerna (powered by Nx)"];
    let line = line.trim_start().trim_start_matches("> ").trim_start();
    let told = runner.iter().find_map(|runner| line.strip_prefix(*runner)).map(str::trim);
    told.is_some_and(|told| {
        told.starts_with("Ran target")
            || told.starts_with("Successfully ran target")
            || told.starts_with("Running target") && told.ends_with(" failed")
    })
}

/// `web:test` of `   - nx run web:test` and `- web:test`, where Nx lists what failed.
pub(super) fn listed_task(line: &str) -> Option<&str> {
    let task = line.trim().strip_prefix("- ")?;
    Some(task.strip_prefix("nx run ").unwrap_or(task))
}

/// What follows a project's name: `:test`.
fn is_target(rest: &str) -> bool {
    rest.starts_with(':') && !rest.contains(' ')
}

/// `cache miss, executing 5e4c5b3e8f3a2d1c`, `cache hit, replaying logs 5e4c5b3e8f3a2d1c`.
fn is_cache_state(text: &str) -> bool {
    let hash = text.rsplit(' ').next().unwrap_or_default();
    let states = ["cache miss, ", "cache hit", "cache bypass, "];
    states.iter().any(|state| text.starts_with(state))
        && hash.len() >= 8
        && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `packages/web test`.
fn is_folder_and_script(name: &str) -> bool {
    name.split_once(' ').is_some_and(|(folder, script)| {
        !folder.is_empty() && !script.is_empty() && !script.contains(' ') && !folder.ends_with(':')
    })
}

/// `Done in 2s 84ms`, `Done with warnings in 2s 84ms`, `Failed with errors in 2s 84ms`.
fn is_total(line: &str) -> bool {
    let starts = ["Done in ", "Done with warnings in ", "Failed with errors in "];
    let time = starts.iter().find_map(|start| line.strip_prefix(start));
    let is_part = |word: &str| {
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
        unit.len() < word.len() && matches!(unit, "m" | "s" | "ms")
    };
    time.is_some_and(|time| time.contains(' ') && time.split(' ').all(is_part))
}

const EXITED: &str = " exited with code ";

/// The code in `npm test exited with code 0`.
fn exit_code(text: &str) -> Option<&str> {
    let (_, code) = text.rsplit_once(EXITED)?;
    (!code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit())).then_some(code)
}
