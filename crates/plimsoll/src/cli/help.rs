//! The first help that a reader meets: every command in one of five groups, and what applies to all of them. The texts
//! of the commands are their own; this file owns the groups and their order.

use std::fmt::Write as _;

use clap::CommandFactory as _;

use super::args::Cli;

/// Shown below the commands.
const BELOW: &str = "\
`plimsoll help <command>` explains one of them. `plimsoll` alone shows how things are.

Exit codes:
  0  done
  1  failed; the message says what to do
  2  the command line can't be understood
  3  nothing was found
  4  needs you: a consent, or something to approve or repair

Everything Plimsoll stores is in ~/.plimsoll (PLIMSOLL_HOME moves it). Nothing leaves this computer.
NO_COLOR switches colours off. PLIMSOLL_LOG=info says more on standard error.";

/// What `help` does; the parser's own words are longer.
const HELP: &str = "Print this help, or that of a command";

/// What a reader wants, with the commands for it. Each command is in one group.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Start", &["setup", "agents", "connect", "disconnect", "verify", "discover"]),
    ("Use", &["run", "search", "index", "sources", "read", "projects"]),
    ("Look", &["status", "stats", "sessions", "activity", "changes"]),
    (
        "Care",
        &[
            "doctor",
            "settings",
            "filters",
            "pause",
            "resume",
            "purge",
            "restore",
            "upgrade",
            "uninstall",
            "completions",
            "help",
        ],
    ),
    ("Called by agents", &["hook", "mcp"]),
];

/// The command line with its help in groups.
pub(super) fn grouped() -> clap::Command {
    let mut command = Cli::command();
    // Adds `help`, with the text that it has among the others.
    command.build();
    let mut groups = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(groups, "{title}:");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let about = if *name == "help" { HELP } else { &about };
            let _ = writeln!(groups, "  {name:<12} {about}");
        }
        groups.push('\n');
    }
    Cli::command().override_usage("plimsoll [COMMAND]").help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}\n\n{BELOW}\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut command = Cli::command();
        command.build();
        for one in command.get_subcommands() {
            let name = one.get_name();
            let groups = GROUPS.iter().filter(|(_, names)| names.contains(&name)).count();
            assert_eq!(groups, 1, "`plimsoll {name}` is in {groups} groups of the help");
        }
        for name in GROUPS.iter().flat_map(|(_, names)| *names) {
            assert!(command.find_subcommand(name).is_some(), "{name} is no command");
        }
    }

    /// The reference in `docs/cli.md`: what `--help` prints of each command, in the order of the groups.
    fn reference() -> String {
        let mut command = Cli::command().disable_help_subcommand(true).term_width(100);
        command.build();
        let mut text = String::from(
            "# The command line\n\nWhat `plimsoll help <command>` prints. Written by `PLIMSOLL_WRITE_DOCS=1 cargo xtask test the_reference`.\n",
        );
        for (title, names) in GROUPS {
            let _ = writeln!(text, "\n## {title}");
            for name in names.iter().filter(|name| **name != "help") {
                describe(command.find_subcommand(name).unwrap(), &mut text);
            }
        }
        text
    }

    fn describe(command: &clap::Command, text: &mut String) {
        let help = command.clone().disable_help_flag(true).render_long_help().to_string();
        let help: Vec<&str> = help.lines().map(str::trim_end).collect();
        let name = command.get_bin_name().unwrap();
        let _ = writeln!(text, "\n### `{name}`\n\n```text\n{}\n```", help.join("\n").trim());
        for nested in command.get_subcommands() {
            describe(nested, text);
        }
    }

    #[test]
    fn the_reference_is_what_help_prints() {
        let here = std::env::var("CARGO_MANIFEST_DIR").unwrap();
        let path = std::path::Path::new(&here).join("../../docs/cli.md");
        let wanted = reference();
        if std::env::var_os("PLIMSOLL_WRITE_DOCS").is_some() {
            std::fs::write(&path, &wanted).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == wanted,
            "docs/cli.md is older than the help: PLIMSOLL_WRITE_DOCS=1 cargo xtask test the_reference"
        );
    }

    #[test]
    fn the_help_shows_the_groups_and_fits_a_terminal() {
        let help = grouped().render_help().to_string();
        for (title, names) in GROUPS {
            assert!(help.contains(&format!("\n{title}:\n  {} ", names[0])), "{help}");
        }
        for line in help.lines() {
            assert!(line.chars().count() <= 110, "{line}");
        }
        assert!(help.contains("--version") && help.ends_with("standard error.\n"), "{help}");
    }
}
