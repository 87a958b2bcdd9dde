//! The files and hosts that a simple command would read, write or contact, from its arguments.
//!
//! Knows the programs in `file_programs`. Any other program may read whatever it likes; that is up to the agent's own
//! sandbox.

use super::expand::Field;
use super::file_programs::{CHANGERS, FETCHERS, PATTERN_GIVEN, READERS, SEARCHER_VALUES, SEARCHERS};
use super::path_words::path_words;
use crate::domain::host_of;

/// The files and hosts that one command uses, as written.
#[derive(Debug, Default)]
pub(crate) struct FileAccess {
    pub(crate) reads: Vec<Field>,
    pub(crate) writes: Vec<Field>,
    pub(crate) hosts: Vec<String>,
}

fn is_option(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-')
}

/// The files and hosts that `argv` names.
pub(crate) fn file_access(name: &str, argv: &[Field]) -> FileAccess {
    let mut found = FileAccess::default();
    let args = argv.get(1..).unwrap_or_default();
    let name = name.to_lowercase();
    let name = name.as_str();
    if FETCHERS.contains(&name) {
        fetcher(name, args, &mut found);
    } else {
        let remote =
            args.iter().filter(|f| f.text.contains("://") && matches!(name, "git" | "pip" | "npm" | "go"));
        found.hosts.extend(remote.filter_map(|f| host_of(&f.text)));
    }
    if CHANGERS.contains(&name) {
        found.writes.extend(args.iter().filter(|f| !is_option(&f.text)).cloned());
    }
    if matches!(name, "sed" | "gsed") {
        found.reads.extend(args.iter().flat_map(sed_reads));
    }
    let told = args.iter().filter_map(|f| f.text.trim().split_once(' '));
    let told = told.filter(|(verb, _)| matches!(*verb, ".read" | ".import" | ".open" | "\\i" | "source"));
    found.reads.extend(told.filter_map(|(_, rest)| rest.split_whitespace().next()).map(Field::plain));
    if matches!(name, "vi" | "vim" | "nvim" | "view" | "ex") {
        let words = args.iter().filter(|f| f.text.contains(' ')).flat_map(|f| f.text.split_whitespace());
        found.reads.extend(words.map(Field::plain));
    }
    if SEARCHERS.contains(&name) {
        searcher(name, args, &mut found);
    } else if READERS.contains(&name) {
        reader(name, args, &mut found);
    } else if !CHANGERS.contains(&name) && !FETCHERS.contains(&name) {
        found.reads.extend(path_words(name, args));
    }
    if name == "plimsoll" && args.first().is_some_and(|f| f.text == "index") {
        found.hosts.extend(args.iter().filter(|f| f.text.contains("://")).filter_map(|f| host_of(&f.text)));
    }
    found
}

/// The files that sed's `r` and `R` insert.
fn sed_reads(script: &Field) -> Vec<Field> {
    let pieces = script
        .text
        .split([';', '\n', '{', '}'])
        .map(|piece| piece.trim().trim_start_matches(|c: char| c.is_ascii_digit() || "$,!~+ ".contains(c)));
    let files = pieces.filter_map(|piece| piece.strip_prefix(['r', 'R'])).map(str::trim);
    files.filter(|file| !file.is_empty()).map(|file| script.with(file)).collect()
}

fn fetcher(name: &str, args: &[Field], found: &mut FileAccess) {
    let mut skip = false;
    for field in args {
        let text = field.text.as_str();
        if text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:")) {
            let path = text.get(5..).unwrap_or_default();
            let path = path.strip_prefix("//").unwrap_or(path);
            let path = path.strip_prefix("localhost").unwrap_or(path);
            found.reads.push(field.with(path.split(['?', '#']).next().unwrap_or(path)));
        }
        if let Some(file) = text.split_once(['@', '<']).map(|(_, f)| f) {
            let file = file.split(';').next().unwrap_or(file);
            found.reads.push(field.with(file));
        }
        if let Some((_, file)) = text.split_once('=').filter(|(option, _)| option.ends_with("-file")) {
            found.reads.push(field.with(file));
        }
        if skip {
            skip = false;
            if text.starts_with("http") {
                found.hosts.extend(host_of(text));
            }
            continue;
        }
        if let Some((_, value)) =
            text.split_once('=').filter(|(option, v)| option.starts_with("--") && v.contains("://"))
        {
            found.hosts.extend(host_of(value));
        }
        match text {
            "-o" | "--output" | "-O" if name != "curl" || text != "-O" => skip = true,
            _ if text.starts_with("--") && text.ends_with("-file") => {
                let next = args.iter().skip_while(|f| !std::ptr::eq(*f, field)).nth(1);
                found.reads.extend(next.cloned());
            }
            "-T" | "--upload-file" | "--netrc-file" | "-K" | "--config" | "-b" | "--cookie" | "-i"
            | "--input-file" => {
                let next = args.iter().skip_while(|f| !std::ptr::eq(*f, field)).nth(1);
                found.reads.extend(next.filter(|f| !is_option(&f.text) && !f.text.contains("://")).cloned());
            }
            "-H" | "--header" | "-d" | "--data" | "-X" | "--request" | "-A" | "--user-agent" | "-u"
            | "--user" | "-F" | "--form" | "--data-raw" | "--data-binary" | "-w" | "--write-out"
            | "--json" => skip = true,
            _ if is_option(text) => {}
            _ => found.hosts.extend(host_of(text)),
        }
    }
}

fn searcher(name: &str, args: &[Field], found: &mut FileAccess) {
    let given = args.iter().any(|f| {
        let option = f.text.split('=').next().unwrap_or("");
        PATTERN_GIVEN.contains(&option)
            || (f.text.starts_with("-e") && matches!(name, "grep" | "sed" | "rg" | "egrep"))
            || (matches!(name, "perl" | "ruby") && is_code_option(&f.text))
    });
    let mut pattern_due = !given && !matches!(name, "perl" | "ruby");
    let mut next_is = None;
    let mut files = Vec::new();
    for field in args {
        let text = field.text.as_str();
        if let Some(option) = next_is.take() {
            if matches!(option, "-f" | "--file" | "--from-file") {
                files.push(field.clone());
            }
            if option == "name" {
                next_is = Some("-f");
            }
            continue;
        }
        if is_option(text) {
            if matches!(name, "perl" | "ruby") && is_code_option(text) {
                next_is = text.ends_with(['e', 'E']).then_some("-e");
            } else if matches!(text, "--rawfile" | "--slurpfile") {
                // A name and a file.
                next_is = Some("name");
            } else if let Some((option, value)) = text.split_once('=') {
                if matches!(option, "--file" | "--from-file" | "--env-file") {
                    files.push(field.with(value));
                }
            } else {
                let pattern = PATTERN_GIVEN.contains(&text) && text != "--files";
                let takes_next = pattern || (SEARCHER_VALUES.contains(&text) && !is_switch(name, text));
                next_is = takes_next.then_some(text);
            }
        } else if pattern_due {
            pattern_due = false;
        } else {
            files.push(field.clone());
        }
    }
    let in_place = |f: &&Field| {
        (f.text.starts_with("-i")
            || f.text.starts_with("--in-place")
            || (f.text.len() < 6 && f.text.ends_with('i')))
            && is_option(&f.text)
    };
    if matches!(name, "sed" | "gsed" | "perl" | "ruby" | "sd" | "yq") && args.iter().any(|f| in_place(&f)) {
        found.writes.extend(files.iter().cloned());
    }
    found.reads.extend(files);
}

/// `-pe1`, `-ne`, `-e`: an option with a perl or ruby script.
fn is_code_option(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|rest| {
        !rest.starts_with('-')
            && rest.chars().take_while(char::is_ascii_alphanumeric).any(|c| matches!(c, 'e' | 'E'))
    })
}

/// Whether the same letter is a switch without a value in this program.
fn is_switch(name: &str, option: &str) -> bool {
    match option {
        "-v" | "-F" => !matches!(name, "awk" | "gawk" | "mawk" | "nawk"),
        "-l" | "-d" | "-D" | "-T" => true,
        "-t" | "-g" | "-M" | "-j" => !matches!(name, "rg" | "ripgrep"),
        "-C" | "-A" | "-B" | "-m" => matches!(name, "jq" | "gojq" | "jaq" | "yq" | "sed" | "perl" | "ruby"),
        _ => false,
    }
}

fn reader(name: &str, args: &[Field], found: &mut FileAccess) {
    let mut files: Vec<Field> = Vec::new();
    let mut left_out = false;
    for field in args {
        let text = field.text.as_str();
        if name == "dd" {
            if let Some(file) = text.strip_prefix("if=") {
                found.reads.push(field.with(file));
            } else if let Some(file) = text.strip_prefix("of=") {
                found.writes.push(field.with(file));
            }
            continue;
        }
        if std::mem::take(&mut left_out) {
            continue;
        }
        match text.split_once('=').filter(|_| text.starts_with("--")) {
            _ if text.starts_with("--exclude") || (text == "-x" && matches!(name, "diff" | "zip")) => {
                left_out = !text.contains('=');
            }
            Some((_, value)) => files.push(field.with(value)),
            None if is_option(text) => {
                // `-f.env`, `-in.env`
                files.extend(text.get(2..).filter(|rest| !rest.is_empty()).map(|rest| field.with(rest)));
            }
            None => files.push(field.clone()),
        }
    }
    if matches!(name, "cp" | "mv" | "ln" | "install" | "link" | "scp" | "rsync") {
        let into = args.iter().any(|f| f.text == "-t" || f.text.starts_with("--target-directory"));
        if name == "mv" {
            found.writes.extend(files.iter().cloned());
        }
        // The last one is the destination.
        if files.len() > 1 && !into {
            found.writes.extend(files.pop());
        }
    }
    found.reads.extend(files);
}
