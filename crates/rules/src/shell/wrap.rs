//! Programs that run other programs: what they would run, read from their arguments.
//!
//! A table for those that only take options before the command, and a function for each of the few that have
//! a grammar of their own. `ssh`, `docker exec` and their like are left alone: what they run, runs elsewhere.

use super::expand::Field;

/// What a program runs.
#[derive(Debug, PartialEq)]
pub(crate) enum Inner {
    /// A command as words.
    Argv(Vec<Field>),
    /// A text for a shell.
    Script(String),
    /// A text for PowerShell.
    PowerShell(String),
    /// A program in a scripting language.
    Code(&'static str, String),
    /// Something that hides its text (an encoded command).
    Hidden(&'static str),
}

/// How far a rule for the inner command speaks for the whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Weight {
    /// The wrapper adds nothing to judge: what holds for the inner command holds for both.
    Nothing,
    /// Wrapper and inner command must both be allowed.
    Both,
    /// Only a rule for exactly this command line can allow it.
    Sealed,
}

/// What `argv` runs besides itself.
#[derive(Debug)]
pub(crate) struct Unwrapped {
    pub(crate) inner: Vec<Inner>,
    pub(crate) weight: Weight,
    /// A shell or interpreter whose program comes from its input.
    pub(crate) stdin: Option<&'static str>,
    /// The inner command gets more words from the input (`xargs`).
    pub(crate) more_words: bool,
}

struct Wrapper {
    names: &'static [&'static str],
    /// Options whose value is the next word.
    valued: &'static [&'static str],
    /// Words between the options and the command.
    skip: usize,
    /// Whether `NAME=value` may stand before the command.
    assigns: bool,
    weight: Weight,
}

const fn wrapper(
    names: &'static [&'static str],
    valued: &'static [&'static str],
    skip: usize,
    weight: Weight,
) -> Wrapper {
    Wrapper { names, valued, skip, assigns: false, weight }
}

const WRAPPERS: &[Wrapper] = &[
    wrapper(&["timeout", "gtimeout"], &["-s", "--signal", "-k", "--kill-after"], 1, Weight::Nothing),
    wrapper(&["time", "gtime"], &["-f", "--format", "-o", "--output"], 0, Weight::Nothing),
    wrapper(&["nice"], &["-n", "--adjustment"], 0, Weight::Nothing),
    wrapper(&["nohup"], &[], 0, Weight::Nothing),
    wrapper(&["stdbuf"], &["-i", "-o", "-e", "--input", "--output", "--error"], 0, Weight::Nothing),
    wrapper(&["command"], &[], 0, Weight::Both),
    wrapper(&["builtin"], &[], 0, Weight::Both),
    wrapper(&["exec"], &["-a"], 0, Weight::Both),
    wrapper(&["ionice"], &["-c", "-n", "-p", "-P", "-u", "--class", "--classdata"], 0, Weight::Sealed),
    wrapper(&["setsid"], &[], 0, Weight::Sealed),
    wrapper(&["chrt"], &["-T", "-P", "-D"], 1, Weight::Sealed),
    wrapper(&["taskset"], &[], 1, Weight::Sealed),
    wrapper(&["chroot"], &["--userspec", "--groups"], 1, Weight::Sealed),
    wrapper(&["unshare"], &["-S", "-G", "-R", "-w"], 0, Weight::Sealed),
    wrapper(&["nsenter"], &["-t", "-S", "-G"], 0, Weight::Sealed),
    wrapper(&["caffeinate"], &["-t", "-w"], 0, Weight::Both),
    wrapper(&["strace", "ltrace"], &["-o", "-e", "-p", "-s", "-u", "-E", "-P"], 0, Weight::Both),
    wrapper(
        &["unbuffer", "catchsegv", "chronic", "torify", "proxychains", "proxychains4", "setarch", "linux64"],
        &["-f"],
        0,
        Weight::Both,
    ),
    wrapper(&["busybox", "toybox"], &[], 0, Weight::Both),
    wrapper(
        &["prlimit", "systemd-run", "systemd-inhibit", "firejail", "fakeroot", "rlwrap"],
        &["-p", "-u", "-E", "--unit", "--property", "--setenv", "--what", "--who", "--why"],
        0,
        Weight::Sealed,
    ),
    wrapper(&["coproc", "noglob", "nocorrect", "-"], &[], 0, Weight::Both),
    wrapper(
        &["xargs", "gxargs"],
        &[
            "-a",
            "--arg-file",
            "-d",
            "--delimiter",
            "-E",
            "-I",
            "-L",
            "--max-lines",
            "-n",
            "--max-args",
            "-P",
            "--max-procs",
            "-s",
            "--max-chars",
            "--process-slot-var",
            "-J",
            "-R",
            "-S",
        ],
        0,
        Weight::Both,
    ),
    wrapper(
        &["parallel"],
        &["-j", "--jobs", "-a", "-I", "-n", "-N", "-S", "--delay", "--timeout"],
        0,
        Weight::Sealed,
    ),
    Wrapper {
        names: &["sudo"],
        valued: &[
            "-u",
            "--user",
            "-g",
            "--group",
            "-h",
            "--host",
            "-p",
            "--prompt",
            "-C",
            "--close-from",
            "-D",
            "--chdir",
            "-R",
            "--chroot",
            "-T",
            "--command-timeout",
            "-U",
            "--other-user",
            "-r",
            "--role",
            "-t",
            "--type",
        ],
        skip: 0,
        assigns: true,
        weight: Weight::Both,
    },
    Wrapper { names: &["doas"], valued: &["-u", "-C", "-a"], skip: 0, assigns: true, weight: Weight::Both },
    Wrapper {
        names: &["pkexec", "gosu", "su-exec"],
        valued: &["--user"],
        skip: 0,
        assigns: false,
        weight: Weight::Both,
    },
];

const SHELLS: &[&str] =
    &["bash", "sh", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash", "bash5", "yash", "csh", "tcsh"];

/// Interpreters: name, language, options that carry a program.
const INTERPRETERS: &[(&str, &str, &[&str])] = &[
    ("python", "python", &["-c"]),
    ("pypy", "python", &["-c"]),
    ("node", "javascript", &["-e", "--eval", "-p", "--print", "-pe"]),
    ("nodejs", "javascript", &["-e", "--eval", "-p", "--print", "-pe"]),
    ("bun", "javascript", &["-e", "--eval", "-p", "--print"]),
    ("tsx", "javascript", &["-e", "--eval"]),
    ("ruby", "ruby", &["-e"]),
    ("perl", "perl", &["-e", "-E"]),
    ("php", "php", &["-r"]),
    ("rscript", "r", &["-e"]),
    ("r", "r", &["-e"]),
    ("elixir", "elixir", &["-e", "--eval"]),
    ("lua", "lua", &["-e"]),
    ("osascript", "applescript", &["-e"]),
];

/// The last part of a program's path, without `.exe`.
pub(crate) fn basename(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let stem = name.len().checked_sub(4).and_then(|at| name.split_at_checked(at));
    match stem {
        Some((stem, ext)) if ext.eq_ignore_ascii_case(".exe") && !stem.is_empty() => stem,
        _ => name,
    }
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with('-')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Index of the first word that is no option.
fn skip_options(argv: &[Field], from: usize, valued: &[&str], assigns: bool) -> usize {
    let mut i = from;
    while let Some(field) = argv.get(i) {
        let text = field.text.as_str();
        if text == "--" {
            i += 1;
            // What follows may still be assignments.
            while assigns && argv.get(i).is_some_and(|f| is_assignment(&f.text)) {
                i += 1;
            }
            return i;
        }
        if text.starts_with("--") {
            i += if valued.contains(&text) { 2 } else { 1 };
        } else if text.len() > 1 && text.starts_with('-') {
            // In `-nu root` the last letter takes the next word; in `-uroot` the value is attached.
            let takes = text.char_indices().skip(1).find(|(_, c)| valued.contains(&format!("-{c}").as_str()));
            i += match takes {
                _ if valued.contains(&text) => 2,
                Some((at, c)) if at + c.len_utf8() == text.len() => 2,
                _ => 1,
            };
        } else if assigns && is_assignment(text) {
            i += 1;
        } else {
            return i;
        }
    }
    i
}

fn join(fields: &[Field]) -> String {
    fields.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn tail(argv: &[Field], from: usize) -> Vec<Inner> {
    match argv.get(from..) {
        Some(rest) if !rest.is_empty() => vec![Inner::Argv(rest.to_vec())],
        _ => Vec::new(),
    }
}

/// What `argv` runs besides itself; nothing for most programs.
pub(crate) fn unwrap(argv: &[Field]) -> Unwrapped {
    let mut found = Unwrapped { inner: Vec::new(), weight: Weight::Both, stdin: None, more_words: false };
    let Some(first) = argv.first() else { return found };
    let name = basename(&first.text).to_lowercase();
    let name = name.as_str();
    if SHELLS.contains(&name) {
        shell(argv, &mut found);
        return found;
    }
    if let Some(wrapper) = WRAPPERS.iter().find(|w| w.names.contains(&name)) {
        found.weight = wrapper.weight;
        let at = skip_options(argv, 1, wrapper.valued, wrapper.assigns) + wrapper.skip;
        match name {
            // `command -v x` only asks where `x` is.
            "command" if argv.get(1).is_some_and(|f| f.text == "-v" || f.text == "-V") => {}
            "sudo" if at >= argv.len() && argv.iter().any(|f| f.text == "-s" || f.text == "-i") => {
                found.stdin = Some("shell");
            }
            "xargs" | "gxargs" => {
                found.more_words = true;
                if at == 1 {
                    found.weight = Weight::Nothing;
                }
                found.inner = tail(argv, at);
            }
            "parallel" => {
                found.more_words = true;
                if let Some(rest) = argv.get(at..) {
                    let end = rest.iter().position(|f| f.text.starts_with(":::")).unwrap_or(rest.len());
                    found.inner.push(Inner::Script(join(&rest[..end])));
                    found.inner.push(Inner::Script(join(rest).replace(":::", " ")));
                }
            }
            _ => found.inner = tail(argv, at),
        }
        return found;
    }
    match name {
        "env" | "genv" => env(argv, &mut found),
        "eval" => found.inner.push(Inner::Script(join(&argv[1..]))),
        "trap" => {
            found.inner.extend(argv.get(1).filter(|_| argv.len() > 2).map(|f| Inner::Script(f.text.clone())));
        }
        "watch" => {
            found.weight = Weight::Sealed;
            let at = skip_options(argv, 1, &["-n", "--interval", "-q", "--equexit"], false);
            found.inner.extend(argv.get(at..).filter(|r| !r.is_empty()).map(|r| Inner::Script(join(r))));
        }
        "su" | "runuser" | "script" | "flock" => {
            found.weight = Weight::Sealed;
            command_option(argv, &mut found);
            if name == "flock" && found.inner.is_empty() {
                found.inner = tail(argv, skip_options(argv, 1, &["-w", "--timeout", "-E"], false) + 1);
            }
        }
        "find" | "gfind" | "fd" | "fdfind" => find(argv, &mut found),
        "powershell" | "pwsh" => powershell(argv, &mut found),
        "cmd" => {
            let at = argv.iter().position(|f| matches!(f.text.to_lowercase().as_str(), "/c" | "/k" | "//c"));
            found.inner.extend(at.and_then(|at| argv.get(at + 1..)).map(|r| Inner::Script(join(r))));
        }
        "awk" | "gawk" | "mawk" | "nawk" => {
            let at =
                skip_options(argv, 1, &["-F", "-v", "-f", "--file", "--assign", "--field-separator"], false);
            found.inner.extend(argv.get(at).map(|f| Inner::Code("awk", f.text.clone())));
        }
        "deno" if argv.get(1).is_some_and(|f| f.text == "eval") => {
            let at = skip_options(argv, 2, &[], false);
            found.inner.extend(argv.get(at).map(|f| Inner::Code("javascript", f.text.clone())));
        }
        _ => interpreter(name, argv, &mut found),
    }
    found
}

fn shell(argv: &[Field], found: &mut Unwrapped) {
    let mut command = false;
    let mut stdin = false;
    let mut i = 1;
    while let Some(field) = argv.get(i) {
        let text = field.text.as_str();
        match text {
            "--" => {
                i += 1;
                break;
            }
            "-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file" => i += 2,
            "--command" => {
                command = true;
                i += 1;
            }
            "-" => i += 1,
            _ if text.starts_with("--") => i += 1,
            _ if text.starts_with(['-', '+']) => {
                command |= text.starts_with('-') && text.contains('c');
                stdin |= text.contains('s');
                i += 1;
            }
            _ => break,
        }
    }
    match argv.get(i) {
        Some(script) if command => found.inner.push(Inner::Script(script.text.clone())),
        Some(_) if !stdin => {}
        _ => found.stdin = Some("shell"),
    }
}

fn env(argv: &[Field], found: &mut Unwrapped) {
    let mut i = 1;
    while let Some(field) = argv.get(i) {
        let text = field.text.as_str();
        let split = match text {
            "-S" | "--split-string" => {
                i += 1;
                argv.get(i).map(|f| f.text.as_str())
            }
            _ if text.starts_with("--split-string=") => text.strip_prefix("--split-string="),
            // `-vS'…'`, `-iS …` and the attached form.
            _ if text.starts_with('-') && !text.starts_with("--") => match text.split_once('S') {
                Some((_, "")) => {
                    i += 1;
                    argv.get(i).map(|f| f.text.as_str())
                }
                Some((flags, rest)) if !flags.contains(['u', 'C']) => Some(rest),
                _ => None,
            },
            _ => None,
        };
        if let Some(split) = split {
            let rest = argv.get(i + 1..).unwrap_or_default();
            found.inner.push(Inner::Script(format!("{split} {}", join(rest)).trim().to_owned()));
            return;
        }
        match text {
            "-u" | "--unset" | "-C" | "--chdir" | "-P" => i += 2,
            "--" => i += 1,
            _ if text.starts_with('-') => i += 1,
            _ if text.contains('=') => i += 1,
            _ => break,
        }
    }
    found.inner = tail(argv, i);
}

/// `-c text` of programs that hand it to a shell.
fn command_option(argv: &[Field], found: &mut Unwrapped) {
    for (i, field) in argv.iter().enumerate().skip(1) {
        let text = field.text.as_str();
        let value = match text {
            "-c" | "--command" => argv.get(i + 1).map(|f| f.text.clone()),
            _ if text.starts_with("--command=") => text.strip_prefix("--command=").map(str::to_owned),
            _ if text.starts_with('-') && !text.starts_with("--") && text.ends_with('c') => {
                argv.get(i + 1).map(|f| f.text.clone())
            }
            _ => None,
        };
        found.inner.extend(value.map(Inner::Script));
    }
}

fn find(argv: &[Field], found: &mut Unwrapped) {
    let name_after = |option: &[&str]| {
        argv.iter().position(|f| option.contains(&f.text.as_str())).and_then(|at| argv.get(at + 1))
    };
    let root = argv.get(1).filter(|f| !f.text.starts_with('-')).map_or(".", |f| f.text.as_str());
    let named = name_after(&["-name", "-iname"]).or_else(|| name_after(&["-path", "-wholename"]));
    let place = match named {
        Some(name) if !name.text.starts_with(['/', '.']) || name.text.matches('/').count() == 0 => {
            format!("{}/{}", root.trim_end_matches('/'), name.text)
        }
        Some(name) => name.text.clone(),
        None => root.to_owned(),
    };
    let mut i = 1;
    while let Some(field) = argv.get(i) {
        let starts = matches!(
            field.text.as_str(),
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "--exec" | "-X" | "--exec-batch"
        );
        found.weight = match field.text.as_str() {
            _ if starts => Weight::Sealed,
            "-delete" | "-fprint" | "-fprintf" | "-fls" => Weight::Sealed,
            _ => found.weight,
        };
        i += 1;
        if starts {
            let from = i;
            while argv.get(i).is_some_and(|f| f.text != ";" && !(f.text == "+" && i > from)) {
                i += 1;
            }
            let words: Vec<Field> = argv.get(from..i).unwrap_or_default().to_vec();
            if words.is_empty() {
                continue;
            }
            // What `{}` stands for is known as far as the search names it.
            let filled: Vec<Field> = words
                .iter()
                .map(|f| {
                    let text = f.text.replace("{}", &place);
                    Field {
                        glob: f.glob || (text != f.text && text.contains(['*', '?'])),
                        dynamic: f.dynamic,
                        text,
                    }
                })
                .collect();
            if filled != words {
                found.inner.push(Inner::Argv(filled));
            }
            found.inner.push(Inner::Argv(words));
        }
    }
}

fn powershell(argv: &[Field], found: &mut Unwrapped) {
    let mut i = 1;
    while let Some(field) = argv.get(i) {
        let text = field.text.to_lowercase();
        let option = text.strip_prefix(['-', '/']).map(|o| o.trim_start_matches('-').to_owned());
        match option.as_deref() {
            Some(o) if !o.is_empty() && "command".starts_with(o) => {
                found.inner.extend(argv.get(i + 1..).map(|r| Inner::PowerShell(join(r))));
                return;
            }
            Some(o) if o == "ec" || (o.starts_with('e') && "encodedcommand".starts_with(o)) => {
                found.inner.push(Inner::Hidden("an encoded PowerShell command"));
                return;
            }
            Some(o) if !o.is_empty() && "file".starts_with(o) => return,
            Some(o)
                if ["executionpolicy", "ex", "ep", "version", "windowstyle", "workingdirectory", "wd"]
                    .contains(&o) =>
            {
                i += 2;
            }
            Some(_) => i += 1,
            None => {
                found.inner.extend(argv.get(i..).map(|r| Inner::PowerShell(join(r))));
                return;
            }
        }
    }
}

fn interpreter(name: &str, argv: &[Field], found: &mut Unwrapped) {
    // `python3.12` is python.
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let Some((_, language, options)) = INTERPRETERS.iter().find(|(n, _, _)| *n == name || *n == stem) else {
        return;
    };
    let mut program = false;
    for (i, field) in argv.iter().enumerate().skip(1) {
        let text = field.text.as_str();
        let code = if options.contains(&text) {
            argv.get(i + 1).map(|f| f.text.clone())
        } else if let Some((option, value)) = text.split_once('=')
            && options.contains(&option)
        {
            Some(value.to_owned())
        } else if text.starts_with('-') && !text.starts_with("--") {
            // `perl -ne '…'`, `python3 -Bc '…'`: the letter at the end; or the text attached to it.
            options.iter().filter(|o| o.len() == 2).find_map(|o| {
                let letter = o.trim_start_matches('-');
                let at = text.find(letter)?;
                let rest = text.get(at + 1..)?;
                if rest.is_empty() { argv.get(i + 1).map(|f| f.text.clone()) } else { Some(rest.to_owned()) }
            })
        } else {
            program |= text != "-";
            break;
        };
        if let Some(code) = code {
            program = true;
            found.inner.push(Inner::Code(language, code));
        }
    }
    if !program {
        found.stdin = Some(language);
    }
}
