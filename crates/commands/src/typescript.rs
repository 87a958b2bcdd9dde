//! Generates the TypeScript types from the same list of commands as the router.

use std::fmt::Write as _;
use std::path::Path;

use system::System;
use ts_rs::{Config, ExportError, TS};

use crate::table::{COMMANDS, TerminalEquivalent, in_typescript};

/// Writes each type to its own file in `folder`, and the list of commands to `index.ts`.
///
/// # Errors
/// When a file cannot be written.
pub fn write(folder: &Path, systems: &[&'static System]) -> Result<(), ExportError> {
    let config = Config::new().with_large_int("number").with_out_dir(folder);
    let mut lines = in_typescript(&config)?;
    let of_systems = || systems.iter().flat_map(|system| system.commands);
    for command in of_systems() {
        let [args, reply] = (command.types)(&config)?;
        lines.push([command.name.to_owned(), args, reply]);
    }
    <contract::Error as TS>::export_all(&config)?;
    let mut names: Vec<String> = std::fs::read_dir(folder)?
        .flatten()
        .filter_map(|entry| entry.file_name().to_string_lossy().strip_suffix(".ts").map(str::to_owned))
        .filter(|name| name != "index")
        .collect();
    names.sort();
    let mut text = String::from(
        "// Made from crates/commands/src/table.rs by `cargo xtask types`. Not edited by hand.\n",
    );
    for name in &names {
        let _ = writeln!(text, "import type {{ {name} }} from \"./{name}\";");
    }
    let _ = writeln!(text, "export type {{ {} }};", names.join(", "));
    text.push_str("\n/** Argument and reply of every command. */\nexport interface Commands {\n");
    for [name, args, reply] in &lines {
        let _ = writeln!(text, "  {name}: {{ args: {args}; reply: {reply} }};");
    }
    text.push_str("}\n\n/** The command line that does the same; null where there is none. */\n");
    text.push_str("export const terminalCommands: Record<keyof Commands, string | null> = {\n");
    let rows = COMMANDS.iter().map(|command| (command.name, command.in_terminal));
    for (name, line) in rows.chain(of_systems().map(|command| (command.name, command.in_terminal))) {
        let line = match line {
            TerminalEquivalent::CommandLine(line) => format!("{line:?}"),
            TerminalEquivalent::None(_) => "null".to_owned(),
        };
        let _ = writeln!(text, "  {name}: {line},");
    }
    text.push_str("};\n");
    let all = system::screens(systems.iter().copied());
    let quoted = |screen: &system::Screen| format!("{:?}", screen.name);
    let screens: Vec<String> = all.iter().map(quoted).collect();
    let wordy: Vec<String> = all.iter().filter(|screen| screen.loads_words).map(quoted).collect();
    let _ = writeln!(
        text,
        "\n/** The screens of the systems, in the order of the navigation: each a folder below `features/`. */\n\
         export const screens = [{}] as const;\n\
         \n/** Those whose words are loaded with them (`i18n/*.later.json`) and not with the first screen. */\n\
         export const wordy: readonly string[] = [{}];",
        screens.join(", "),
        wordy.join(", ")
    );
    text.push_str("\n/** The agents: what people call them, two letters that stand for each (no product's logo is used), and whether they withhold credentials from their servers. */\n");
    text.push_str(
        "export const agents: readonly { id: string; name: string; mark: string; withholds: boolean }[] = [\n",
    );
    for agent in agents::all() {
        let (id, name, mark) = (agent.id(), agent.name(), agent.mark());
        let withholds = agent.withholds_credentials();
        let _ = writeln!(text, "  {{ id: {id:?}, name: {name:?}, mark: {mark:?}, withholds: {withholds} }},");
    }
    text.push_str("];\n");
    std::fs::write(folder.join("index.ts"), text)?;
    Ok(())
}
