//! Rule sets in their settings layers: which file or argument forbids what, where the agent starts and where its shell has been.
//! Read from `tests/differential/<host>.toml`.

use anyhow::{Context, Result};
use toml_edit::{DocumentMut, Item, Table};

use super::data;
use super::grammar::strings;
use crate::cli::Cli;

/// Whether the agent asks about what no rule allows. No one answers, so that it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// A call that no rule allows is refused.
    Asks,
    /// Everything runs that no rule forbids.
    Bypass,
}

/// One set of rules and its location.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// The modes it is played in.
    pub modes: Vec<Mode>,
    /// The agent's start folder in the project.
    pub start: String,
    /// Whether the user trusts the project, if the agent has that concept.
    pub trusted: bool,
    /// Where the shell goes before a command: one of these.
    pub histories: Vec<Vec<String>>,
    /// The kinds of payloads that the rules are about.
    pub payloads: Vec<String>,
    /// More arguments of the agent.
    pub arguments: Vec<String>,
    /// Files by their path below `home/` or `project/`; `{home}` and `{project}` are replaced.
    pub files: Vec<(String, String)>,
}

/// An agent's scenarios.
///
/// # Errors
/// If the file is missing, isn't TOML, or lacks what a scenario needs.
pub fn scenarios(cli: Cli) -> Result<Vec<Scenario>> {
    let path = data().join(format!("{}.toml", cli.id()));
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let document: DocumentMut = text.parse().with_context(|| path.display().to_string())?;
    let list = document.get("scenario").and_then(Item::as_array_of_tables).context("no scenario")?;
    list.iter().map(|table| of(table).with_context(|| path.display().to_string())).collect()
}

fn of(table: &Table) -> Result<Scenario> {
    let text = |key: &str| table.get(key).and_then(Item::as_str).map(str::to_owned);
    let name = text("name").context("a scenario without a name")?;
    let mut modes = Vec::new();
    for mode in strings(table.get("modes")) {
        modes.push(match mode.as_str() {
            "asks" => Mode::Asks,
            "bypass" => Mode::Bypass,
            other => anyhow::bail!("{name}: there is no mode {other}"),
        });
    }
    let histories = table.get("histories").and_then(Item::as_array).into_iter().flatten();
    let mut histories: Vec<Vec<String>> = histories
        .filter_map(|history| history.as_array())
        .map(|history| history.iter().filter_map(|step| step.as_str().map(str::to_owned)).collect())
        .collect();
    if histories.is_empty() {
        histories.push(Vec::new());
    }
    let payloads = strings(table.get("payloads"));
    anyhow::ensure!(!payloads.is_empty() && !modes.is_empty(), "{name}: modes and payloads are needed");
    let files = table.get("files").and_then(Item::as_table).into_iter().flat_map(Table::iter);
    Ok(Scenario {
        name,
        modes,
        start: text("start").unwrap_or_default(),
        trusted: table.get("trusted").and_then(Item::as_bool).unwrap_or(true),
        histories,
        payloads,
        arguments: strings(table.get("arguments")),
        files: files.filter_map(|(path, text)| Some((path.to_owned(), text.as_str()?.to_owned()))).collect(),
    })
}
