//! Which files and hosts a plain command would touch, read from its arguments.
//!
//! A table of the programs that show, copy or change files. Programs that are not in it may read whatever
//! they like; that is for the host's own sandbox.

use super::expand::Field;
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
    if SEARCHERS.contains(&name) {
        searcher(name, args, &mut found);
    } else if READERS.contains(&name) {
        reader(name, args, &mut found);
    } else if name == "git" && args.iter().any(|f| f.text == "--no-index") {
        reader("diff", args, &mut found);
    }
    found
}

fn fetcher(name: &str, args: &[Field], found: &mut Touched) {
    let mut skip = false;
    for field in args {
        let text = field.text.as_str();
        if let Some(file) =
            text.split_once('@').filter(|(b, _)| b.is_empty() || b.ends_with('=')).map(|(_, f)| f)
        {
            let file = file.split(';').next().unwrap_or(file);
            found.reads.push(Field { text: file.to_owned(), ..field.clone() });
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
    });
    let mut pattern_due = !given;
    let mut next_is = None;
    let mut files = Vec::new();
    for field in args {
        let text = field.text.as_str();
        if let Some(option) = next_is.take() {
            if matches!(option, "-f" | "--file" | "--from-file" | "--slurpfile" | "--rawfile") {
                files.push(field.clone());
            }
            continue;
        }
        if is_option(text) {
            if let Some((option, value)) = text.split_once('=') {
                if matches!(option, "--file" | "--from-file") {
                    files.push(Field { text: value.to_owned(), ..field.clone() });
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
    for field in args {
        let text = field.text.as_str();
        if name == "dd" {
            if let Some(file) = text.strip_prefix("if=") {
                found.reads.push(Field { text: file.to_owned(), ..field.clone() });
            } else if let Some(file) = text.strip_prefix("of=") {
                found.writes.push(Field { text: file.to_owned(), ..field.clone() });
            }
            continue;
        }
        match text.split_once('=').filter(|_| text.starts_with("--")) {
            Some((_, value)) => files.push(Field { text: value.to_owned(), ..field.clone() }),
            None if is_option(text) => {}
            None => files.push(field.clone()),
        }
    }
    match name {
        "cp" | "ln" | "install" | "link" | "scp" | "rsync" => {
            found.writes.extend(files.last().cloned());
        }
        "mv" => found.writes.extend(files.iter().cloned()),
        _ => {}
    }
    // An interpreter reads its program; what follows it is the program's own affair.
    if matches!(
        name,
        "bash" | "sh" | "zsh" | "dash" | "python" | "python3" | "node" | "ruby" | "perl" | "php"
    ) {
        files.truncate(1);
        if args.iter().any(|f| matches!(f.text.as_str(), "-c" | "-e" | "-r" | "--eval" | "-lc" | "-m")) {
            files.clear();
        }
    }
    found.reads.extend(files);
}
