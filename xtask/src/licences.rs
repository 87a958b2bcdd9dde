//! `cargo xtask licences [--target T] [--check]`: the licence texts of everything that is built into the packages.
//!
//! The programs' dependencies come from cargo's own resolution for the target, without those of tests and build
//! scripts; the window's come from `ui/package.json` without its development dependencies. Each has to bring its text,
//! or one of its own project's other packages does, or it names a licence whose words are known; anything else is an
//! error, so that nothing ships without. Equal texts are printed once. Whether a licence is allowed at all is
//! `deny.toml`'s matter.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::place::Place;
use crate::steps::say;
use crate::ui;

/// The programs that are shipped.
const PROGRAMS: [&str; 2] = ["plimsoll", "plimsoll-desktop"];

/// A package that is built in.
#[derive(Debug)]
struct Part {
    name: String,
    version: String,
    /// SPDX expression, as the package says it.
    licence: String,
    authors: Vec<String>,
    repository: String,
    folder: PathBuf,
    /// What its own folder contains.
    texts: BTreeSet<String>,
}

/// Prints the texts, or with `--check` only says whether all are there.
pub(crate) fn licences(place: &Place, rest: &[String]) -> Result<()> {
    let mut target = host();
    let mut check = false;
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--check" => check = true,
            "--target" => target = words.next().context("--target wants a triple")?.clone(),
            other => bail!("there is no option `{other}`; use --target T or --check"),
        }
    }
    let text = texts(place, &target)?;
    if check {
        say(&format!("   {} KB of texts for {target}", text.len() / 1000));
    } else {
        say(&text);
    }
    Ok(())
}

/// The triple that this program runs on.
pub(crate) fn host() -> String {
    let arch = std::env::consts::ARCH;
    match std::env::consts::OS {
        "macos" => format!("{arch}-apple-darwin"),
        "windows" => format!("{arch}-pc-windows-msvc"),
        _ => format!("{arch}-unknown-linux-gnu"),
    }
}

/// One text file with every licence of what is built for `target`, in an order that depends on nothing else.
pub(crate) fn texts(place: &Place, target: &str) -> Result<String> {
    let mut parts = crates(place, target)?;
    ui::ensure(place)?;
    parts.extend(web(place)?);
    complete(place, &mut parts)?;
    Ok(print(&parts))
}

fn crates(place: &Place, target: &str) -> Result<Vec<Part>> {
    let output = place
        .cargo(&["metadata", "--format-version", "1", "--locked", "--filter-platform", target])
        .output()
        .context("starting cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages: BTreeMap<&str, &Value> =
        list(&metadata["packages"]).map(|package| (text(&package["id"]), package)).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), node)).collect();

    let mut open: Vec<&str> = packages
        .iter()
        .filter(|(_, package)| PROGRAMS.contains(&text(&package["name"])) && package["source"].is_null())
        .map(|(id, _)| *id)
        .collect();
    ensure!(open.len() == PROGRAMS.len(), "cargo does not know all of {}", PROGRAMS.join(", "));
    let mut seen = BTreeSet::new();
    let mut parts = Vec::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = nodes.get(id).with_context(|| format!("cargo resolved no {id}"))?;
        let built_in =
            |dependency: &&Value| list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null());
        open.extend(list(&node["deps"]).filter(built_in).map(|dependency| text(&dependency["pkg"])));
        let package = packages.get(id).with_context(|| format!("cargo described no {id}"))?;
        // The workspace's own crates have no source.
        if !package["source"].is_null() {
            parts.push(part_of_crate(package)?);
        }
    }
    Ok(parts)
}

fn part_of_crate(package: &Value) -> Result<Part> {
    let folder = Path::new(text(&package["manifest_path"])).parent().context("a manifest is in a folder")?;
    let mut texts = licence_texts(folder)?;
    if let Some(named) = package["license_file"].as_str() {
        texts.extend(read(&folder.join(named)));
    }
    Ok(Part {
        name: text(&package["name"]).to_owned(),
        version: text(&package["version"]).to_owned(),
        // Before there was SPDX, a slash meant OR.
        licence: text(&package["license"]).replace(" / ", "/").replace('/', " OR "),
        authors: list(&package["authors"]).map(|author| text(author).to_owned()).collect(),
        repository: project(text(&package["repository"])),
        folder: folder.to_owned(),
        texts,
    })
}

/// The window's dependencies and theirs, as Node.js would find them.
fn web(place: &Place) -> Result<Vec<Part>> {
    let ui = place.repo.join("ui");
    let mut parts = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![ui.clone()];
    while let Some(folder) = open.pop() {
        let manifest: Value = serde_json::from_slice(
            &std::fs::read(folder.join("package.json"))
                .with_context(|| format!("reading {}/package.json", folder.display()))?,
        )?;
        let optional = manifest["optionalDependencies"].as_object();
        for name in manifest["dependencies"].as_object().into_iter().flat_map(|all| all.keys()) {
            let there = folder
                .ancestors()
                .map(|above| above.join("node_modules").join(name))
                .find(|path| path.join("package.json").is_file());
            match there {
                Some(path) => open.push(path),
                None if optional.is_some_and(|all| all.contains_key(name)) => {}
                None => bail!("{name} is not installed: run `npm ci` in ui/"),
            }
        }
        if folder != ui && seen.insert(folder.clone()) {
            parts.push(part_of_web(&manifest, folder)?);
        }
        open.retain(|folder| !seen.contains(folder));
    }
    Ok(parts)
}

fn part_of_web(manifest: &Value, folder: PathBuf) -> Result<Part> {
    let repository = manifest["repository"]["url"].as_str().or(manifest["repository"].as_str());
    let author = manifest["author"]["name"].as_str().or(manifest["author"].as_str());
    Ok(Part {
        name: text(&manifest["name"]).to_owned(),
        version: text(&manifest["version"]).to_owned(),
        licence: text(&manifest["license"]).to_owned(),
        authors: author.map(str::to_owned).into_iter().collect(),
        repository: project(repository.unwrap_or_default()),
        texts: licence_texts(&folder)?,
        folder,
    })
}

/// The address of a project without the part that names one of its folders.
fn project(repository: &str) -> String {
    let bare = repository.trim_start_matches("git+").trim_end_matches('/').trim_end_matches(".git");
    bare.split("/tree/").next().unwrap_or_default().to_lowercase()
}

/// The licence texts of a folder.
fn licence_texts(folder: &Path) -> Result<BTreeSet<String>> {
    let mut texts = BTreeSet::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let licence = ["license", "licence", "copying", "copyright", "notice", "unlicense"]
            .iter()
            .any(|start| name.starts_with(start));
        let code = [".rs", ".js", ".ts", ".html", ".tmpl"].iter().any(|end| name.ends_with(end));
        if !licence || code {
            continue;
        }
        if path.is_dir() {
            texts.extend(found_all(&path)?);
        } else {
            texts.extend(read(&path));
        }
    }
    Ok(texts)
}

/// Every file of a folder that contains only licences.
fn found_all(folder: &Path) -> Result<BTreeSet<String>> {
    let mut texts = BTreeSet::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() {
            texts.extend(read(&path));
        }
    }
    Ok(texts)
}

fn read(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    let text = text.trim_start_matches('\u{feff}').trim_end().trim_start_matches('\n');
    // Some packages contain a link of their repository as a file with the path in it.
    (text.lines().count() > 2).then(|| text.to_owned())
}

/// Gives those without a text the one of their project, or their licence's own words.
fn complete(place: &Place, parts: &mut [Part]) -> Result<()> {
    let mut projects: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for part in parts.iter().filter(|part| !part.repository.is_empty()) {
        projects.entry(part.repository.clone()).or_default().extend(part.texts.iter().cloned());
    }
    let mut without = Vec::new();
    for part in parts.iter_mut().filter(|part| part.texts.is_empty()) {
        part.texts = projects.get(&part.repository).cloned().unwrap_or_default();
        if part.texts.is_empty() {
            part.texts.extend(words(place, part)?);
        }
        if part.texts.is_empty() {
            without.push(format!(
                "{} {} ({}) in {}",
                part.name,
                part.version,
                part.licence,
                part.folder.display()
            ));
        }
    }
    ensure!(without.is_empty(), "no licence text was found for:\n  {}", without.join("\n  "));
    parts.iter_mut().for_each(choose);
    Ok(())
}

/// Where a package leaves the choice, MIT is chosen, and the other texts need not be carried.
fn choose(part: &mut Part) {
    let choice = part.licence.contains(" OR ") && !part.licence.contains("AND");
    let mit = |text: &String| text.contains("Permission is hereby granted, free of charge");
    if choice && part.licence.contains("MIT") && part.texts.iter().any(mit) {
        part.texts.retain(mit);
    }
}

/// The words of the first known licence of a package. Plimsoll has the same licences, so they are taken from here.
fn words(place: &Place, part: &Part) -> Result<Option<String>> {
    let named: Vec<&str> = part.licence.split([' ', '(', ')']).collect();
    if named.contains(&"MIT") {
        let ours = std::fs::read_to_string(place.repo.join("LICENSE-MIT"))?;
        let holder = if part.authors.is_empty() {
            format!("The developers of {}", part.name)
        } else {
            part.authors.join(", ")
        };
        let lines = ours.lines().map(|line| {
            if line.starts_with("Copyright") { format!("Copyright (c) {holder}") } else { line.to_owned() }
        });
        return Ok(Some(lines.collect::<Vec<_>>().join("\n")));
    }
    if named.contains(&"Apache-2.0") {
        return Ok(Some(std::fs::read_to_string(place.repo.join("LICENSE-APACHE"))?.trim_end().to_owned()));
    }
    Ok(None)
}

fn print(parts: &[Part]) -> String {
    let mut by_text: BTreeMap<String, (&str, BTreeSet<String>)> = BTreeMap::new();
    let mut all = BTreeSet::new();
    for part in parts {
        let name = format!("{} {}", part.name, part.version);
        let licence = if part.licence.is_empty() { "as its text says" } else { &part.licence };
        all.insert(format!("{name}  {licence}"));
        for text in &part.texts {
            // Many differ in nothing but how they are laid out.
            let same = text.split_whitespace().collect::<Vec<_>>().join(" ");
            by_text.entry(same).or_insert_with(|| (text, BTreeSet::new())).1.insert(name.clone());
        }
    }
    let mut sections: Vec<(&BTreeSet<String>, &str)> =
        by_text.values().map(|(text, names)| (names, *text)).collect();
    // The most common licence comes first.
    sections.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));

    let mut out = String::from(HEAD);
    for line in &all {
        out.push_str(&format!("  {line}\n"));
    }
    for (names, text) in sections {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        out.push_str(&format!("\n{RULE}\n{}\n{RULE}\n\n{text}\n", wrap(&names.join(", "))));
    }
    out
}

const RULE: &str = "--------------------------------------------------------------------------------";

const HEAD: &str = "\
Plimsoll is under the MIT licence or the Apache licence 2.0, whichever you choose.

It is made with the software below. Each is named with its version and its licences; after the list come the texts.
Where it may be had under the MIT licence among others, it is used under that one.
It also contains SQLite, which is in the public domain, and Rust's standard library, which is under the MIT licence or the
Apache licence 2.0.

";

/// Breaks a list of names into lines.
fn wrap(names: &str) -> String {
    let mut lines = vec![String::new()];
    for word in names.split(' ') {
        let last = lines.last_mut().filter(|line| line.len() + word.len() < RULE.len());
        match last {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
