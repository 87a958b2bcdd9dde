//! Runs the project's own checkers on a file, a folder or everything. The caller needs a rule that allows the command, or the
//! user's setting: a checker runs code of the repository.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use contract::{Error, ErrorCode};
use serde_json::{Value, json};
use system::{CallContext, Readable};

use super::ActionReply;
use crate::diagnose::checkers::{Checker, Found, find};
use crate::diagnose::kinds::{KINDS, Kind};
use crate::diagnose::{Diagnostic, SETTING, may_run, results, words};
use crate::index::{IndexLocation, Outcome, Task, run};

/// How long an agent waits; a terminal waits to the end.
const AGENT: Duration = Duration::from_secs(25);
const USER_WAITS: Duration = Duration::from_secs(3_600);
/// The default number of diagnostics in a reply.
const NAMED: usize = 50;

/// Runs the checkers for `path` and returns their diagnostics.
///
/// # Errors
/// Without a checker, without permission to run it, or when it takes too long.
pub(crate) fn diagnostics(
    at: &CallContext,
    place: &IndexLocation,
    readable: &Readable,
    path: Option<&str>,
    limit: Option<usize>,
    offset: usize,
) -> Result<ActionReply, Error> {
    let inside = inside(place, readable, path.unwrap_or("").trim())?;
    let env = at.host.env();
    let mut found = find(&place.root, &place.file(&inside), env.path_var().as_ref(), env.os());
    if found.checkers.is_empty() {
        return Err(nobody(place, &inside, &found));
    }
    let (allowed, refused) = allowed(at, place, std::mem::take(&mut found.checkers));
    let Some(words) = words(&allowed).filter(|words| !words.is_empty()) else {
        return Err(refused
            .into_iter()
            .next()
            .map_or_else(|| nobody(place, &inside, &found), |(_, error)| error));
    };
    let patience = place.waits.unwrap_or(if at.call.is_from_user() { USER_WAITS } else { AGENT });
    match run(place, Task::Check(words), patience, &at.call.cancelled) {
        Outcome::Answer(_) => {}
        Outcome::Failed(problem) => {
            return Err(Error::new(ErrorCode::Failed, format!("diagnostics: {problem}")));
        }
        Outcome::Working => {
            let running: Vec<String> = allowed.iter().map(Checker::short).collect();
            let line = format!("{} is still running; ask again in a moment", running.join(" and "));
            return Ok(ActionReply {
                data: json!({"status": "running", "checkers": running, "hint": line}),
                lines: vec![line],
            });
        }
    }
    let results = results::load(&place.db);
    let mut data = json!({"status": "success", "checkers": []});
    let (mut lines, mut all, mut elsewhere, mut not_kept) = (Vec::new(), Vec::new(), 0_usize, 0_usize);
    for checker in &allowed {
        let Some(run) = results.runs.get(&checker.key(&place.root)) else { continue };
        let mut row = json!({"checker": run.short, "folder": run.folder, "tookMs": run.took_ms});
        if let Some(problem) = &run.problem {
            row["problem"] = problem.clone().into();
            lines.push(format!("{} failed: {problem}", run.short));
        } else {
            let is_here = |file: &str| is_below(file, &inside) && readable.allows(&place.file(file));
            let (these, others): (Vec<_>, Vec<_>) =
                run.diagnostics.iter().partition(|one: &&Diagnostic| is_here(&one.file));
            elsewhere += others.len();
            for (file, count) in &run.not_kept {
                *(if is_here(file) { &mut not_kept } else { &mut elsewhere }) += count;
            }
            row["errors"] = run.errors.into();
            row["warnings"] = run.warnings.into();
            let errors = contract::count(run.errors as u64, "error");
            let warnings = contract::count(run.warnings as u64, "warning");
            lines.push(format!("{}: {errors}, {warnings} ({} ms)", run.short, run.took_ms));
            all.extend(these.into_iter().map(|one| (one.clone(), run.short.clone())));
        }
        data["checkers"].as_array_mut().into_iter().for_each(|list| list.push(row.clone()));
    }
    all.sort_by(|(a, _), (b, _)| (a.severity, &a.file, a.line).cmp(&(b.severity, &b.file, b.line)));
    let count = all.len();
    let page: Vec<&(Diagnostic, String)> =
        all.iter().skip(offset).take(limit.unwrap_or(NAMED).clamp(1, 1_000)).collect();
    lines.extend(page.iter().map(|(one, _)| format!("  {}", line(one))));
    data["diagnostics"] = page.iter().map(|(one, by)| as_json(one, by)).collect();
    data["count"] = count.into();
    if offset > 0 {
        data["offset"] = offset.into();
    }
    if offset + page.len() < count {
        data["nextOffset"] = (offset + page.len()).into();
        lines.push(format!("  … {} more; --limit and --offset show them", count - offset - page.len()));
    }
    if not_kept > 0 {
        data["notKept"] = not_kept.into();
        lines.push(format!("{not_kept} more here were counted and not kept; fix some of the others first"));
    }
    if elsewhere > 0 && !inside.is_empty() {
        data["elsewhere"] = elsewhere.into();
        lines.push(format!("{elsewhere} in other files"));
    }
    for (short, error) in &refused {
        lines.push(format!("{short} isn't run: {error}"));
    }
    if !refused.is_empty() {
        data["refused"] =
            refused.iter().map(|(short, error)| json!({"checker": short, "reason": error.message})).collect();
    }
    if !found.below.is_empty() {
        let names = below(place, &found.below);
        lines.push(format!("not checked: {}; name one of these folders to check it", names.join(", ")));
        data["notChecked"] = json!(names);
    }
    if !found.missing.is_empty() {
        let names: Vec<&str> = found.missing.iter().map(|kind| kind.name()).collect();
        lines.push(format!("not on this computer: {}", names.join(", ")));
        data["missing"] = json!(names);
    }
    Ok(ActionReply { data, lines })
}

/// The requested path relative to the project, as the index has it; empty for the whole project.
fn inside(place: &IndexLocation, readable: &Readable, path: &str) -> Result<String, Error> {
    let missing = || {
        Error::new(ErrorCode::NotFound, format!("{path} isn't a file or folder of {}", place.root.display()))
    };
    let real = place.root.join(path).canonicalize().map_err(|_| missing())?;
    let root = place.root.canonicalize().map_err(|_| missing())?;
    let within: PathBuf = real.strip_prefix(&root).map_err(|_| missing())?.to_owned();
    let parts: Option<Vec<&str>> = within
        .components()
        .map(|part| if let Component::Normal(part) = part { part.to_str() } else { None })
        .collect();
    let parts = parts.ok_or_else(missing)?.join("/");
    if real.is_file() && !readable.allows(&place.file(&parts)) {
        return Err(Error::new(
            ErrorCode::Denied,
            format!("the permission rules keep {path} from being read"),
        ));
    }
    Ok(parts)
}

fn is_below(file: &str, path: &str) -> bool {
    path.is_empty() || file == path || file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
}

/// The checkers that may run, and the others with the reason.
fn allowed(
    at: &CallContext,
    place: &IndexLocation,
    checkers: Vec<Checker>,
) -> (Vec<Checker>, Vec<(String, Error)>) {
    let by_setting = at.host.settings().own(SETTING).and_then(Value::as_bool) == Some(true);
    let (mut allowed, mut refused) = (Vec::new(), Vec::new());
    for checker in checkers {
        let asked = tokio::runtime::Handle::current().block_on(may_run(at, place, &checker));
        match asked {
            Ok(rule) if rule || by_setting => allowed.push(checker),
            Ok(_) => {
                let line = checker.line(place);
                refused.push((
                    checker.short(),
                    Error::new(
                        ErrorCode::Ask,
                        format!(
                            "{} runs code of this repository and no rule allows it; use your own tool for `{line}`, which asks the \
                             user, or have them run `plimsoll settings set {SETTING} true`",
                            checker.short()
                        ),
                    ),
                ));
            }
            Err(error) => refused.push((checker.short(), error)),
        }
    }
    (allowed, refused)
}

/// The folders below with checkers of their own, each with the checker's name.
fn below(place: &IndexLocation, folders: &[(Kind, PathBuf)]) -> Vec<String> {
    let inside = |folder: &Path| folder.strip_prefix(&place.root).unwrap_or(folder).display().to_string();
    folders.iter().map(|(kind, folder)| format!("{} ({})", inside(folder), kind.name())).collect()
}

fn nobody(place: &IndexLocation, path: &str, found: &Found) -> Error {
    let what = if path.is_empty() { "this project" } else { path };
    let missing: &[Kind] = &found.missing;
    if missing.is_empty() && !found.below.is_empty() {
        let names = below(place, &found.below).join(", ");
        let message =
            format!("nothing checks {what} as a whole; name one of the folders that are checked: {names}");
        return Error::new(ErrorCode::NotAvailable, message);
    }
    if missing.is_empty() {
        let mark = |kind: &Kind| kind.marks().first().map_or("", |(name, _)| *name);
        let known: Vec<String> =
            KINDS.iter().map(|kind| format!("{} ({})", kind.name(), mark(kind))).collect();
        return Error::new(
            ErrorCode::NotAvailable,
            format!(
                "no checker that Plimsoll knows checks {what}; it looks for {}, or their part of pyproject.toml, setup.cfg and \
                 package.json",
                known.join(", ")
            ),
        );
    }
    let names: Vec<&str> = missing.iter().map(|kind| kind.name()).collect();
    Error::new(ErrorCode::NotAvailable, missing_checkers(what, &names))
}

fn missing_checkers(what: &str, names: &[&str]) -> String {
    let (are, them) = if names.len() == 1 { ("isn't", "it") } else { ("aren't", "them") };
    format!("{what} is checked with {}, which {are} on this computer; install {them}", names.join(" and "))
}

fn line(one: &Diagnostic) -> String {
    let code = if one.code.is_empty() { String::new() } else { format!(" {}", one.code) };
    let new = if one.since_ms > 0 { " (new)" } else { "" };
    format!("{} {}{code}: {}{new}", one.place(), one.severity.name(), one.message)
}

fn as_json(one: &Diagnostic, by: &str) -> Value {
    let mut out = json!({
        "file": one.place(),
        "severity": one.severity.name(),
        "message": one.message,
        "checker": by,
    });
    if !one.code.is_empty() {
        out["code"] = one.code.clone().into();
    }
    if one.since_ms > 0 {
        out["new"] = true.into();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::missing_checkers;

    #[test]
    fn one_checker_or_several_are_missing() {
        let one = "a.py is checked with ruff, which isn't on this computer; install it";
        assert_eq!(missing_checkers("a.py", &["ruff"]), one);
        let several = "a.py is checked with mypy and ruff, which aren't on this computer; install them";
        assert_eq!(missing_checkers("a.py", &["mypy", "ruff"]), several);
    }
}
