//! The true uses of a definition: from TypeScript's language service in one go, from the other languages' servers
//! question by question.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::lsp::{Position, Server};
use super::packages::Package;
use crate::place::{Place, on_path};
use crate::steps::say;

/// gopls's message about a file that belongs to another system's build.
const OTHER_BUILD: &str = "no package metadata for file";

/// Which server was asked, and the uses of each definition; `None` where a definition can't be asked about.
pub(super) fn of(
    place: &Place,
    package: &Package,
    root: &Path,
    definitions: &[&Value],
) -> Result<(String, Vec<Option<HashSet<Position>>>)> {
    let places: Vec<Option<Position>> = definitions.iter().map(|found| position_of(root, found)).collect();
    if package.language().1 == "typescript" {
        let name = "TypeScript 5.9.3".to_owned();
        return Ok((name, typescript(place, root, &places)?));
    }
    let (mut command, name, says_ready) = package.server(place, root)?;
    let mut server = Server::start(&mut command, root, package.language().1, says_ready)?;
    let mut out = Vec::new();
    let (mut silent, mut starts) = (0, 0);
    for at in places {
        let Some(at) = at else {
            out.push(None);
            continue;
        };
        let error = match server.references(&at) {
            Ok(found) => {
                out.push(Some(found));
                continue;
            }
            Err(error) => error,
        };
        say(&format!("{}:{}: {error:#}", at.0, at.1));
        out.push(None);
        if server.has_ended() {
            starts += 1;
            if starts > 10 {
                bail!("{name} ended ten times");
            }
            server = Server::start(&mut command, root, package.language().1, says_ready)?;
        } else if !format!("{error:#}").contains(OTHER_BUILD) {
            silent += 1;
            if silent > 3 {
                bail!("{name} does not answer");
            }
        }
    }
    Ok((name, out))
}

/// Where a definition's name is, if its line shows it as it is.
fn position_of(root: &Path, found: &Value) -> Option<Position> {
    let text = |key: &str| found.get(key).and_then(Value::as_str);
    let (path, line) = (text("path")?, found.get("line")?.as_u64()?);
    let file = std::fs::read_to_string(root.join(path)).ok()?;
    let row = file.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    let name = text("name")?;
    // A method of Go may have the name of its receiver's type, which precedes it.
    let called = row.find(&format!(" {name}(")).map(|at| at + 1).filter(|_| path.ends_with(".go"));
    let at = called.or_else(|| whole_word(row, name))?;
    Some((path.to_owned(), line, at as u64 + 1))
}

fn typescript(
    place: &Place,
    root: &Path,
    places: &[Option<Position>],
) -> Result<Vec<Option<HashSet<Position>>>> {
    let modules = super::packages::servers(place)?;
    let script = place.repo.join("xtask/src/bench/references/typescript.cjs");
    let node = on_path("node").context("node was not found; install Node.js")?;
    let mut child = Command::new(node)
        .arg(script)
        .arg(modules.join("typescript"))
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let asked: Vec<&Position> = places.iter().flatten().collect();
    child.stdin.take().context("it has an input")?.write_all(&serde_json::to_vec(&asked)?)?;
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "TypeScript's language service ended with {}", output.status);
    let mut answers = serde_json::from_slice::<Vec<HashSet<Position>>>(&output.stdout)?.into_iter();
    let mut next = |asked: &Option<Position>| {
        let asked = asked.as_ref()?;
        let mut found = answers.next()?;
        found.remove(asked);
        Some(found)
    };
    Ok(places.iter().map(&mut next).collect())
}

/// Where `name` is in a line as a whole word.
fn whole_word(line: &str, name: &str) -> Option<usize> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    line.match_indices(name).map(|(at, _)| at).find(|at| {
        !line[..*at].chars().next_back().is_some_and(part)
            && !line[at + name.len()..].chars().next().is_some_and(part)
    })
}

#[cfg(test)]
mod tests {
    use super::whole_word;

    #[test]
    fn words_are_whole() {
        assert_eq!(whole_word("preload(load)", "load"), Some(8));
        assert_eq!(whole_word("preload", "load"), None);
    }
}
