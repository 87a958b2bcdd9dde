//! `projects`, `read` and `restore`: what is stored, beside searching it.

use service::desktop::{Desktop, named_in_trash};

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
            Some(root) => format!("{} (no longer there)", desk.shown(root)),
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
    let desktop = Desktop::new(desk.service.clone());
    let Some(file) = &args.trash else { return list(desk, &desktop, args) };
    let trash = desk.service.home().trash_dir();
    let file = named_in_trash(&trash, desk.service.env().cwd(), file);
    let Some(row) = desktop.trash().into_iter().find(|row| row.trash == file) else {
        let how = "`plimsoll restore` lists what is in the trash";
        return Err(Stop::Said(Exit::Nothing, format!("{} is not there; {how}", desk.shown(&file))));
    };
    // Where it came from, unless the person names another place; the working folder only says nothing.
    let project = match &args.project {
        Some(folder) => {
            desk.choose_project(Some(folder))?;
            let own = desk.service.home().project(&desk.service.project());
            own.file_name().unwrap_or_default().to_string_lossy().into_owned()
        }
        None => String::new(),
    };
    if args.dry_run {
        let place = if args.project.is_some() { desk.shown(&desk.service.project().root) } else { row.name };
        desk.screen.line(format!("would restore {} to {place}", desk.shown(&file)))?;
        return Ok(Exit::Done);
    }
    let back = desktop.restore(&contract::desktop::Restore { project, trash: file })?;
    desk.screen.line(format!(
        "Restored {} sources with {} sections to {}.",
        back.sources,
        back.chunks,
        if args.project.is_some() { desk.shown(&desk.service.project().root) } else { row.name }
    ))?;
    Ok(Exit::Done)
}

fn list(desk: &Desk, desktop: &Desktop, args: &Restore) -> Ended {
    let rows = desktop.trash();
    if args.json {
        desk.screen.json(&rows)?;
    } else if rows.is_empty() {
        desk.screen.line("The trash is empty.")?;
    }
    for row in rows.iter().filter(|_| !args.json) {
        let name = row.trash.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let place = if row.name.is_empty() { "project unknown" } else { &row.name };
        desk.screen.line(format!("{name}  {place}  {} sources, {} sections", row.sources, row.chunks))?;
    }
    Ok(if rows.is_empty() { Exit::Nothing } else { Exit::Done })
}
