//! The top-level help: every command in one of five groups, and what applies to all of them. Each command has its own
//! text; this file owns the groups and their order.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write as _};

use clap::Command;
use system::{Group, System};

use super::verbs;

/// Printed below the commands.
const FOOTER: &str = "\
`plimsoll help <command>` explains one of them. `plimsoll` alone, in a terminal, shows how things are.

Exit codes:
  0  done
  1  failed; the message says what to do
  2  the command line can't be understood
  3  nothing was found
  4  needs you: a consent, or something to approve or repair

Everything Plimsoll stores is in ~/.plimsoll (PLIMSOLL_HOME moves it). Nothing leaves this computer unasked.
NO_COLOR switches colours off. PLIMSOLL_LOG=info says more on standard error.";

/// The text for `help`; the parser's own is longer.
const HELP_ABOUT: &str = "Print this help, or that of a command";

/// What a reader wants, with the commands for it. Each command is in one group; systems' verbs name theirs.
const GROUPS: [(Group, &str, &[&str]); 5] = [
    (Group::Start, "Start", &["setup", "agents", "connect", "disconnect", "verify", "discover"]),
    (Group::Use, "Use", &["run", "search", "index", "sources", "read", "projects"]),
    (Group::Look, "Look", &["status", "stats", "sessions", "activity", "changes"]),
    (
        Group::Care,
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
    (Group::Agents, "Called by agents", &["hook", "mcp"]),
];

/// The names of a group's commands: the built-in ones, then systems' verbs.
fn names(
    group: Group,
    ours: &'static [&str],
    systems: &[&'static System],
) -> impl Iterator<Item = &'static str> {
    let verbs = systems.iter().flat_map(|system| system.verbs).filter(move |verb| verb.group == group);
    ours.iter().copied().chain(verbs.map(|verb| verb.name))
}

/// The command line with these systems' verbs, and its help in groups.
pub(crate) fn grouped_help(systems: &[&'static System]) -> Command {
    let mut command = verbs::parser(systems);
    // Adds `help`, so that its text can be looked up like the others.
    command.build();
    let mut groups = String::new();
    for (group, title, ours) in GROUPS {
        let _ = writeln!(groups, "{title}:");
        for name in names(group, ours, systems) {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let about = if name == "help" { HELP_ABOUT } else { &about };
            let _ = writeln!(groups, "  {name:<12} {about}");
        }
        groups.push('\n');
    }
    verbs::parser(systems).override_usage("plimsoll [COMMAND]").help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}\n\n{FOOTER}\n"
    ))
}

/// Whether these words after a command only ask what it is.
pub(crate) fn is_asked(rest: &[String]) -> bool {
    matches!(rest, [word] if word == "--help" || word == "-h")
}

/// The commands whose words are theirs to read.
const ENTRY_POINTS: [&str; 3] = ["hook", "mcp", "run"];

/// What was typed, with `mcp --help` as `help mcp`: to the parser, each word after that command is one to pass on.
pub(super) fn of_entry_point(words: Vec<OsString>) -> Vec<OsString> {
    if let [program, command, option] = words.as_slice()
        && ENTRY_POINTS.iter().any(|name| command == name)
        && (option == "--help" || option == "-h")
    {
        return vec![program.clone(), "help".into(), command.clone()];
    }
    words
}

/// In a terminal narrower than this, columns are unreadable.
const NARROWEST: usize = 30;

/// Prints help about the command line; in a narrow terminal with its lines broken.
///
/// # Errors
/// If it can't be written.
pub(crate) fn print(asked: &clap::Error) -> io::Result<()> {
    let styled =
        std::env::var_os("NO_COLOR").is_none() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    let rendered = asked.render();
    let text = if styled { rendered.ansi().to_string() } else { rendered.to_string() };
    match terminal_width().and_then(|width| wrapped(&text, width)) {
        Some(text) => io::stdout().write_all(text.as_bytes())?,
        None => asked.print()?,
    }
    io::stdout().flush()
}

/// The columns of the terminal that reads; `None` for anything else.
fn terminal_width() -> Option<usize> {
    #[cfg(unix)]
    {
        let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
        Some(usize::from(size.ws_col)).filter(|width| *width >= NARROWEST)
    }
    #[cfg(not(unix))]
    {
        None
    }
}

/// `text` in lines of at most `width` columns: a continued text starts below its own beginning. `None` if every line
/// fits.
fn wrapped(text: &str, width: usize) -> Option<String> {
    let columns = |text: &str| text::strip_ansi(text).chars().count();
    if text.lines().all(|line| columns(line) <= width) {
        return None;
    }
    let mut out = String::new();
    for line in text.lines() {
        let indent = Some(hanging(&text::strip_ansi(line))).filter(|indent| indent * 2 <= width).unwrap_or(4);
        let mut at = 0;
        // The blanks before a word: each beyond the first counts as an empty word.
        for (number, word) in line.split(' ').enumerate() {
            let blank = usize::from(number > 0);
            let length = columns(word);
            if number > 0 && at > indent && length > 0 && at + blank + length > width {
                out.truncate(out.trim_end_matches(' ').len());
                let _ = write!(out, "\n{:indent$}{word}", "");
                at = indent + length;
            } else {
                let _ = write!(out, "{:blank$}{word}", "");
                at += blank + length;
            }
        }
        out.push('\n');
    }
    Some(out)
}

/// The column of a line's description, which two blanks separate from the first words; without one, the column of the
/// words.
fn hanging(line: &str) -> usize {
    let lead = line.len() - line.trim_start_matches(' ').len();
    let rest = &line[lead..];
    rest.find("  ").map_or(lead, |gap| {
        let blanks = rest[gap..].len() - rest[gap..].trim_start_matches(' ').len();
        line[..lead + gap].chars().count() + blanks
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::SYSTEMS;

    #[test]
    fn every_command_is_in_one_group() {
        let mut command = verbs::parser(SYSTEMS);
        command.build();
        let grouped_help = || GROUPS.into_iter().flat_map(|(group, _, ours)| names(group, ours, SYSTEMS));
        for one in command.get_subcommands() {
            let name = one.get_name();
            let groups = grouped_help().filter(|grouped_help| *grouped_help == name).count();
            assert_eq!(groups, 1, "`plimsoll {name}` is in {groups} groups of the help");
        }
        for name in grouped_help() {
            assert!(command.find_subcommand(name).is_some(), "{name} is no command");
        }
    }

    /// `help` is a command of its own, and what is behind another one is listed as in the reference.
    #[test]
    fn no_command_but_plimsoll_lists_a_help_of_the_parsers() {
        let mut command = verbs::parser(SYSTEMS);
        command.build();
        for one in command.get_subcommands().filter(|one| one.get_name() != "help") {
            assert!(one.find_subcommand("help").is_none(), "{}", one.get_name());
        }
    }

    /// The reference in `docs/cli.md`: what `--help` prints for each command, group by group.
    fn reference() -> String {
        let mut command = verbs::parser(SYSTEMS).disable_help_subcommand(true).term_width(100);
        command.build();
        let mut text = String::from(
            "# The command line\n\nWhat `plimsoll help <command>` prints. Written by `PLIMSOLL_WRITE_DOCS=1 cargo xtask test the_reference`.\n\n\
             JSON is UTF-8: what isn't in a path, which Linux allows, is U+FFFD there.\n",
        );
        for (group, title, ours) in GROUPS {
            let _ = writeln!(text, "\n## {title}");
            for name in names(group, ours, SYSTEMS).filter(|name| *name != "help") {
                describe(command.find_subcommand(name).unwrap(), &mut text);
            }
        }
        text
    }

    fn describe(command: &Command, text: &mut String) {
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
    fn the_reference_contracts_as_people_speak() {
        for line in reference().lines() {
            for stiff in ["is not ", "are not ", "does not ", "do not ", "did not ", "was not ", "cannot"] {
                assert!(!line.contains(stiff), "{line}");
            }
        }
    }

    #[test]
    fn in_a_narrow_terminal_each_text_goes_on_below_itself() {
        let help = grouped_help(SYSTEMS).render_help().to_string();
        assert_eq!(wrapped(&help, 200), None);
        for width in [30, 44, 60, 80, 100] {
            let narrow = wrapped(&help, width).unwrap();
            for line in narrow.lines() {
                let one_word = line.split_whitespace().count() < 2;
                assert!(line.chars().count() <= width || one_word, "{width}: {line}");
            }
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&narrow), words(&help));
        }
        let narrow = wrapped(&help, 60).unwrap();
        assert!(
            narrow.contains("\n  setup        Find your agents, show the changes, connect\n               them and check that they work\n"),
            "{narrow}"
        );
        assert!(narrow.contains("\nExit codes:\n  0  done\n"), "{narrow}");
        // Colour codes take no room.
        let styled = "  \u{1b}[1mone\u{1b}[0m  two three \u{1b}[4mfour\u{1b}[0m five six seven eight\n";
        assert_eq!(
            wrapped(styled, 30).unwrap(),
            "  \u{1b}[1mone\u{1b}[0m  two three \u{1b}[4mfour\u{1b}[0m five six\n       seven eight\n"
        );
    }

    #[test]
    fn the_help_shows_the_groups_and_fits_a_terminal() {
        let help = grouped_help(SYSTEMS).render_help().to_string();
        for (_, title, ours) in GROUPS {
            assert!(help.contains(&format!("\n{title}:\n  {} ", ours[0])), "{help}");
        }
        for line in help.lines() {
            assert!(line.chars().count() <= 110, "{line}");
        }
        assert!(help.contains("--version") && help.ends_with("standard error.\n"), "{help}");
    }
}
