//! `cargo xtask bench [name]`: figures with a baseline beside them, measured in the same run, because a
//! figure of this computer alone says nothing about another. Prints a table; fails on nothing.

mod code;
mod desktop;
mod facts;
mod knowledge;
mod ledger;
mod memory;
mod org;
mod process;
mod references;
mod rival;
mod saving;
mod server;

use anyhow::{Result, bail};

use crate::place::{Place, SHIPPED};
use crate::steps::{go, say};
use crate::system;

/// One line of the table.
pub(crate) struct Figure {
    pub(crate) what: String,
    pub(crate) ours: String,
    pub(crate) baseline: String,
    pub(crate) goal: std::borrow::Cow<'static, str>,
}

const NAMES: &[&str] = &[
    "hook",
    "server",
    "knowledge",
    "memory",
    "org",
    "ledger",
    "desktop",
    "saving",
    "facts",
    "session",
    "speed",
    "soak",
    "code",
    "references",
];

/// Builds the sidecar and measures. `--json` is for the benchmarks of the saving.
pub(crate) fn bench(place: &Place, yes: bool, rest: &[String]) -> Result<()> {
    let json = rest.iter().any(|word| word == "--json");
    let rest: Vec<String> = rest.iter().filter(|word| *word != "--json").cloned().collect();
    // `soak --minutes 30 --pause 200`: how long, and how long it rests between rounds; `facts --list`: what was lost;
    // `session --all`: every agent, `session --host codex --list`: one, call by call; `memory --data PATH --vectors FOLDER`: where LoCoMo and a model are;
    // `org --rows 1000000`: how many memories.
    let at = rest.iter().position(|word| word.starts_with("--")).unwrap_or(rest.len());
    let (rest, options) = rest.split_at(at);
    if let Some(unknown) = rest.iter().find(|name| !NAMES.contains(&name.as_str())) {
        bail!("there is no benchmark `{unknown}`; the benchmarks are {}", NAMES.join(", "));
    }
    // Other people's repositories, and nothing of the sidecar.
    if rest == ["code"] {
        system::ensure(&system::BUILD.iter().collect::<Vec<_>>(), yes)?;
        return code::measure(place, options, json);
    }
    if rest == ["references"] {
        system::ensure(&system::BUILD.iter().collect::<Vec<_>>(), yes)?;
        return references::measure(place, options, json);
    }
    let wanted = |name: &str| {
        (rest.is_empty() && !["soak", "facts", "code", "references"].contains(&name))
            || rest.iter().any(|word| word == name)
    };
    system::ensure(&system::BUILD.iter().collect::<Vec<_>>(), yes)?;
    // Times and memory are those of what people download; what is counted in bytes is the same in the quicker build.
    let timed = ["hook", "server", "speed"].into_iter().any(wanted);
    let profile = if timed { SHIPPED } else { "release" };
    // Memory is measured in its own crate.
    if rest != ["memory"] {
        go(&mut place.cargo(&[
            "build",
            "--quiet",
            "--profile",
            profile,
            "--locked",
            "--package",
            "plimsoll",
        ]))?;
    }
    let sidecar = place.target().join(profile).join(format!("plimsoll{}", std::env::consts::EXE_SUFFIX));
    let scratch = tempdir(place, "bench")?;
    let rival = if wanted("hook") || wanted("server") || wanted("saving") {
        rival::install(place)
            .inspect_err(|error| say(&format!("The rival cannot be measured here: {error:#}")))
            .ok()
    } else {
        None
    };
    let mut figures = Vec::new();
    if wanted("server") {
        figures.extend(server::measure(&sidecar, &scratch, rival.as_ref())?);
    }
    if wanted("hook") {
        figures.extend(process::measure_hooks(&sidecar, &scratch, rival.as_ref())?);
    }
    if wanted("knowledge") {
        figures.extend(knowledge::measure(place)?);
    }
    if wanted("memory") {
        figures.extend(memory::measure(place, options)?);
    }
    if wanted("org") {
        figures.extend(org::measure(place, options)?);
    }
    if wanted("ledger") {
        figures.extend(ledger::measure(place, &scratch)?);
    }
    if wanted("desktop") {
        let needs = [system::DESKTOP, system::SCREEN, system::WINDOW, system::PACKAGE];
        system::ensure(&needs.into_iter().flatten().collect::<Vec<_>>(), yes)?;
        figures.extend(desktop::measure(place, &scratch)?);
    }
    let _ = std::fs::remove_dir_all(&scratch);
    if saving::NAMES.into_iter().any(wanted) {
        saving::measure(place, &sidecar, rival.as_ref(), &wanted, json, options)?;
    }
    if figures.is_empty() {
        return Ok(());
    }
    say("\n| what | Plimsoll | baseline in the same run | goal |\n|---|---|---|---|");
    for Figure { what, ours, baseline, goal } in figures {
        say(&format!("| {what} | {ours} | {baseline} | {goal} |"));
    }
    Ok(())
}

fn tempdir(place: &Place, name: &str) -> Result<std::path::PathBuf> {
    let dir = place.cache.join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(dir.join("project"))?;
    Ok(dir)
}

/// The middle value.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
