//! `projects`, `read` and `restore`: what is stored, beside searching it.

use std::path::Path;

use service::desktop::Desktop;

use super::Desk;
use super::args::{Read, Reading, Restore};
use super::screen::{Ended, Exit, Stop};

/// `plimsoll projects`
pub(super) fn projects(desk: &Desk, args: &Reading) -> Ended {
    let projects = Desktop::new(desk.service.clone()).projects();
    if args.json {
        desk.screen.json(&projects)?;
    }
    for project in projects.iter().filter(|_| !args.json) {
        let place = match &project.root {
            Some(root) if project.exists => desk.shown(root),
            Some(root) => format!("{} (not there any more)", desk.shown(root)),
            None => "outside every project".to_owned(),
        };
        desk.screen.line(format!(
            "{:<24} {:>6} sources {:>8} sections {:>12} bytes  {place}",
            project.name, project.sources, project.chunks, project.text_bytes
        ))?;
        if let Some(problem) = &project.problem {
            desk.screen.line(format!("  {problem}"))?;
        }
    }
    if projects.is_empty() && !args.json {
        desk.screen.line("Nothing is stored yet; `plimsoll index` stores something.")?;
    }
    Ok(if projects.is_empty() { Exit::Nothing } else { Exit::Done })
}

/// `plimsoll read`
pub(super) fn read(desk: &Desk, args: &Read) -> Ended {
    if args.source.starts_with("plimsoll://task/") {
        return read_output(desk, args);
    }
    desk.choose_project(args.project.as_deref())?;
    let text = desk.wait(desk.service.source_text(&args.source))?;
    if args.json {
        desk.screen.json(&serde_json::json!({ "source": args.source, "text": text }))?;
    } else {
        desk.screen.line(text.trim_end())?;
    }
    Ok(Exit::Done)
}

/// `plimsoll read plimsoll://task/…`: a whole output, however large.
fn read_output(desk: &Desk, args: &Read) -> Ended {
    let mut whole = String::new();
    let mut at = Some(0);
    while let Some(offset) = at {
        let piece = desk.service.read_output(&args.source, offset)?;
        if args.json {
            whole.push_str(&piece.text);
        } else {
            desk.screen.text(&piece.text)?;
        }
        at = piece.next;
    }
    if args.json {
        desk.screen.json(&serde_json::json!({ "source": args.source, "text": whole }))?;
    }
    Ok(Exit::Done)
}

/// `plimsoll restore`
pub(super) fn restore(desk: &Desk, args: &Restore) -> Ended {
    let trash = desk.service.home().trash_dir();
    let Some(file) = &args.trash else { return list(desk, &trash) };
    desk.choose_project(args.project.as_deref())?;
    // As it was named by `purge`, or by its file name alone.
    let file =
        if file.components().count() == 1 { trash.join(file) } else { desk.service.env().cwd().join(file) };
    if !file.is_file() {
        let how = "`plimsoll restore` lists what is in the trash";
        return Err(Stop::Said(Exit::Nothing, format!("{} is not there; {how}", desk.shown(&file))));
    }
    if args.dry_run {
        let project = desk.service.project().root;
        desk.screen.line(format!("would bring {} back into {}", desk.shown(&file), desk.shown(&project)))?;
        return Ok(Exit::Done);
    }
    let reply = desk.wait(desk.service.restore(file))?;
    desk.screen.line(reply.text)?;
    Ok(Exit::Done)
}

fn list(desk: &Desk, trash: &Path) -> Ended {
    let mut names: Vec<String> = std::fs::read_dir(trash)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("knowledge-") && name.ends_with(".db"))
        .collect();
    names.sort();
    for name in &names {
        desk.screen.line(name)?;
    }
    if names.is_empty() {
        desk.screen.line("The trash is empty.")?;
    }
    Ok(if names.is_empty() { Exit::Nothing } else { Exit::Done })
}
