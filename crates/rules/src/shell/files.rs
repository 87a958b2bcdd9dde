//! Which files and hosts a plain command would touch, read from its arguments.
//!
//! A table of the programs that show, copy or change files. Programs that are not in it may read whatever
//! they like; that is for the host's own sandbox.

use super::expand::Field;
use super::named::named;
use crate::domain::host_of;

/// What one command touches, as written.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    pub(crate) reads: Vec<Field>,
    pub(crate) writes: Vec<Field>,
    pub(crate) hosts: Vec<String>,
}

/// Every argument that is no option is a file that is read.
const READERS: &[&str] = &[
    "cat",
    "tac",
    "head",
    "tail",
    "less",
    "more",
    "most",
    "bat",
    "batcat",
    "nl",
    "od",
    "xxd",
    "hexdump",
    "hd",
    "strings",
    "wc",
    "sort",
    "uniq",
    "cut",
    "paste",
    "rev",
    "fold",
    "fmt",
    "pr",
    "expand",
    "unexpand",
    "column",
    "base64",
    "base32",
    "md5sum",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "b2sum",
    "cksum",
    "sum",
    "shasum",
    "md5",
    "diff",
    "colordiff",
    "sdiff",
    "cmp",
    "comm",
    "join",
    "source",
    ".",
    "vi",
    "vim",
    "nvim",
    "view",
    "nano",
    "emacs",
    "ed",
    "ex",
    "code",
    "open",
    "xdg-open",
    "split",
    "csplit",
    "iconv",
    "zcat",
    "gzcat",
    "xzcat",
    "bzcat",
    "zstdcat",
    "zless",
    "zmore",
    "gzip",
    "gunzip",
    "bzip2",
    "xz",
    "zstd",
    "tar",
    "zip",
    "unzip",
    "7z",
    "cpio",
    "rsync",
    "scp",
    "sftp",
    "strings",
    "tsort",
    "ptx",
    "dos2unix",
    "envsubst",
    "pandoc",
    "csvcut",
    "csvlook",
    "xmllint",
    "readarray",
    "mapfile",
    "bash",
    "sh",
    "zsh",
    "dash",
    "python",
    "python3",
    "node",
    "ruby",
    "perl",
    "php",
    "openssl",
    "gpg",
    "age",
    "get-content",
    "gc",
    "type",
    "select-string",
    "glow",
    "mdcat",
    "textutil",
    "plutil",
    "grealpath",
    "look",
    "shuf",
    "numfmt",
    "tee-object",
    "cp",
    "mv",
    "ln",
    "install",
    "dd",
    "link",
];

/// The first argument that is no option is a pattern or a program, the others are files.
const SEARCHERS: &[&str] = &[
    "grep", "egrep", "fgrep", "zgrep", "rg", "ripgrep", "ag", "ack", "ugrep", "sed", "gsed", "awk", "gawk",
    "mawk", "nawk", "jq", "yq", "gojq", "jaq", "ggrep", "sd", "perl", "ruby", "xq", "dasel", "tomlq",
    "ast-grep", "sg",
];

/// Options of the searchers whose value is the pattern, so that every argument is a file.
const PATTERN_GIVEN: &[&str] = &["-e", "--regexp", "--expression", "-f", "--file", "--from-file", "--files"];

/// Options of the searchers that take the next word for themselves.
const SEARCHER_VALUES: &[&str] = &[
    "-A",
    "-B",
    "-C",
    "-m",
    "-d",
    "-D",
    "-F",
    "-v",
    "-g",
    "-t",
    "-T",
    "-M",
    "-j",
    "--max-count",
    "--context",
    "--glob",
    "--type",
    "--iglob",
    "--arg",
    "--argjson",
    "--slurpfile",
    "--rawfile",
    "--indent",
    "-l",
];

/// Programs that fetch from hosts.
const FETCHERS: &[&str] = &[
    "curl",
    "wget",
    "wget2",
    "http",
    "https",
    "httpie",
    "xh",
    "xhs",
    "aria2c",
    "axel",
    "lynx",
    "w3m",
    "links",
    "elinks",
    "curlie",
    "fetch",
    "iwr",
    "irm",
    "invoke-webrequest",
    "invoke-restmethod",
    "start-bitstransfer",
    "websocat",
    "wscat",
    "grpcurl",
];

/// Every argument that is no option is a file that is changed or removed.
const CHANGERS: &[&str] = &[
    "tee",
    "rm",
    "rmdir",
    "unlink",
    "touch",
    "truncate",
    "shred",
    "srm",
    "remove-item",
    "set-content",
    "out-file",
    "add-content",
];

fn is_option(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-')
}

/// The files and hosts that `argv` names.
pub(crate) fn touched(name: &str, argv: &[Field]) -> Touched {
    let mut found = Touched::default();
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
        found.reads.extend(named(name, args));
    }
    if name == "plimsoll" && args.first().is_some_and(|f| f.text == "index") {
        found.hosts.extend(args.iter().filter(|f| f.text.contains("://")).filter_map(|f| host_of(&f.text)));
    }
    found
}

/// The files that sed's `r` and `R` put in.
fn sed_reads(script: &Field) -> Vec<Field> {
    let pieces = script
        .text
        .split([';', '\n', '{', '}'])
        .map(|piece| piece.trim().trim_start_matches(|c: char| c.is_ascii_digit() || "$,!~+ ".contains(c)));
    let files = pieces.filter_map(|piece| piece.strip_prefix(['r', 'R'])).map(str::trim);
    files.filter(|file| !file.is_empty()).map(|file| script.with(file)).collect()
}

fn fetcher(name: &str, args: &[Field], found: &mut Touched) {
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

fn searcher(name: &str, args: &[Field], found: &mut Touched) {
    let given = args.iter().any(|f| {
        let option = f.text.split('=').next().unwrap_or("");
        PATTERN_GIVEN.contains(&option)
            || (f.text.starts_with("-e") && matches!(name, "grep" | "sed" | "rg" | "egrep"))
            || (matches!(name, "perl" | "ruby") && carries_code(&f.text))
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
            if matches!(name, "perl" | "ruby") && carries_code(text) {
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
                let takes_next = pattern || (SEARCHER_VALUES.contains(&text) && !no_value(name, text));
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

/// `-pe1`, `-ne`, `-e`: the program of perl and ruby.
fn carries_code(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|rest| {
        !rest.starts_with('-')
            && rest.chars().take_while(char::is_ascii_alphanumeric).any(|c| matches!(c, 'e' | 'E'))
    })
}

/// The same letter is a plain switch in these.
fn no_value(name: &str, option: &str) -> bool {
    match option {
        "-v" | "-F" => !matches!(name, "awk" | "gawk" | "mawk" | "nawk"),
        "-l" | "-d" | "-D" | "-T" => true,
        "-t" | "-g" | "-M" | "-j" => !matches!(name, "rg" | "ripgrep"),
        "-C" | "-A" | "-B" | "-m" => matches!(name, "jq" | "gojq" | "jaq" | "yq" | "sed" | "perl" | "ruby"),
        _ => false,
    }
}

fn reader(name: &str, args: &[Field], found: &mut Touched) {
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
        // What stands last is where it goes.
        if files.len() > 1 && !into {
            found.writes.extend(files.pop());
        }
    }
    found.reads.extend(files);
}
