//! Programs that start what stands somewhere behind options of their own, and options that carry a command as text.
//!
//! Their grammars are not read: the first words that are no options are each tried as a program, and each text with a
//! blank in it as a script. More is seen than runs; only a rule that speaks about it is told of it.

use super::{Field, Inner, Unwrapped, Weight};

/// How many words are tried as the program.
const TRIED: usize = 4;

/// These start a program that is one of their words.
const LAUNCHERS: &[&str] = &[
    "aa-exec",
    "aws-vault",
    "bwrap",
    "capsh",
    "cgexec",
    "chamber",
    "choom",
    "chpst",
    "concurrently",
    "coresched",
    "corepack",
    "cross-env",
    "cross-env-shell",
    "daemon",
    "daemonize",
    "dbus-run-session",
    "direnv",
    "doppler",
    "dotenv",
    "dumb-init",
    "entr",
    "env-cmd",
    "envdir",
    "expect",
    "faketime",
    "fakechroot",
    "gnome-terminal",
    "heaptrack",
    "hyperfine",
    "i386",
    "infisical",
    "konsole",
    "ld.so",
    "linux32",
    "lldb",
    "nix-shell",
    "nodemon",
    "start",
    "numactl",
    "op",
    "perf",
    "pipx",
    "proot",
    "retry",
    "rr",
    "runuser",
    "screen",
    "setarch",
    "setlock",
    "setpriv",
    "setuidgid",
    "sg",
    "socat",
    "softlimit",
    "ssh-agent",
    "start-stop-daemon",
    "systemd-run",
    "tini",
    "tmux",
    "ts",
    "tsocks",
    "uclampset",
    "uname26",
    "unshare",
    "valgrind",
    "watchexec",
    "x86_64",
    "xterm",
    "xvfb-run",
    "start-process",
    "saps",
    "dtach",
    "abduco",
    "nc",
    "ncat",
    "gdb",
    "firejail",
    "prlimit",
    "nsenter",
    "chroot",
    "chrt",
    "taskset",
];

/// These start a program behind one of the words.
const RUNNERS: &[(&[&str], &[&str])] = &[
    (
        &["uv", "poetry", "pipenv", "pdm", "hatch", "rye", "conda", "mamba", "micromamba", "pixi", "devbox"],
        &["run"],
    ),
    (&["npm", "pnpm", "yarn", "bun"], &["exec", "x", "dlx"]),
    (
        &["bundle", "mise", "asdf", "rtx", "rbenv", "pyenv", "nodenv", "opam", "direnv", "ip", "stack"],
        &["exec", "x"],
    ),
    (&["volta", "rustup"], &["run"]),
    (&["nix", "guix"], &["run", "shell", "develop", "-c", "--command", "--"]),
];

/// Options whose value is a command: `--name=value`, `--name value` or `-xvalue`.
const CARRIERS: &[(&[&str], &[&str])] = &[
    (
        &["tar", "gtar", "bsdtar"],
        &[
            "--checkpoint-action",
            "--to-command",
            "-I",
            "--use-compress-program",
            "-F",
            "--info-script",
            "--new-volume-script",
            "--rsh-command",
        ],
    ),
    (&["rsync"], &["-e", "--rsh", "--rsync-path"]),
    (&["ssh", "scp", "sftp"], &["-o", "-S", "-D"]),
    (&["split", "gsplit"], &["--filter"]),
    (&["sort", "gsort"], &["--compress-program"]),
    (&["zip"], &["-TT", "--unzip-command"]),
    (&["rg"], &["--pre", "--hostname-bin"]),
    (&["fzf", "sk"], &["--preview", "--bind"]),
    (&["man"], &["-P", "--pager", "-H"]),
    (&["make", "gmake"], &["--eval"]),
    (&["npm", "npx", "pnpm", "yarn"], &["-c", "--call", "--shell-mode"]),
    (&["complete", "compgen", "mapfile", "readarray"], &["-C"]),
    (&["find"], &["-fprintf"]),
    (&["nix-shell"], &["--run", "--command"]),
    (&["bind"], &["-x"]),
    (
        &["git"],
        &[
            "-c",
            "--exec",
            "-x",
            "--extcmd",
            "--upload-pack",
            "--receive-pack",
            "-O",
            "--open-files-in-pager",
            "--tree-filter",
            "--index-filter",
            "--msg-filter",
            "--env-filter",
            "--parent-filter",
            "--commit-filter",
            "--tag-name-filter",
            "--setup",
        ],
    ),
];

/// Programs whose arguments may hold commands of their own that reach a shell.
const TALKERS: &[&str] = &[
    "vi",
    "vim",
    "nvim",
    "view",
    "ex",
    "ed",
    "emacs",
    "less",
    "more",
    "sqlite3",
    "psql",
    "mysql",
    "duckdb",
    "gdb",
    "lldb",
    "expect",
    "tclsh",
    "m4",
    "ftp",
    "lftp",
    "socat",
    "msfconsole",
    "bc",
    "gnuplot",
    "sqlplus",
    "octave",
];

/// Programs that are given SQL, in which functions read files.
pub(crate) const DATABASES: &[&str] = &["sqlite3", "psql", "mysql", "duckdb", "sqlite", "mariadb"];

/// What `argv` starts by one of these ways.
pub(super) fn launch(name: &str, argv: &[Field], found: &mut Unwrapped) {
    let words = argv.get(1..).unwrap_or_default();
    if LAUNCHERS.contains(&name) || name.starts_with("ld-linux") {
        found.weight = Weight::Sealed;
        tried(words, found);
    }
    for (names, verbs) in RUNNERS {
        if names.contains(&name)
            && let Some(at) = words.iter().position(|f| verbs.contains(&f.text.as_str()))
        {
            found.weight = Weight::Sealed;
            first_word(words.get(at + 1..).unwrap_or_default(), found);
        }
    }
    if matches!(name, "npx" | "pnpx" | "bunx" | "uvx") {
        found.weight = Weight::Sealed;
        first_word(words, found);
    }
    for (names, options) in CARRIERS {
        if names.contains(&name) {
            carried(words, options, found);
        }
    }
    if TALKERS.contains(&name) {
        words.iter().for_each(|field| talked(&field.text, found));
    }
    match name {
        "git" => git(words, found),
        "make" | "gmake" => assigned(words, found, is_program),
        "sed" | "gsed" => words.iter().for_each(|field| sed(&field.text, found)),
        "alias" => assigned(words, found, |_| true),
        "hash" if after(words, "-p").is_some() => {
            found.inner.push(Inner::Unsure("a name is given to another program"));
        }
        "jobs" => found.inner.extend(
            words
                .iter()
                .position(|f| f.text == "-x")
                .and_then(|at| words.get(at + 1..))
                .map(|rest| Inner::Argv(rest.to_vec())),
        ),
        _ if DATABASES.contains(&name) => {
            found.inner.extend(words.iter().map(|f| Inner::Code("sql", f.text.clone())));
        }
        // These expand the text of an argument once more.
        "let" | "declare" | "typeset" | "local" | "export" | "readonly" | "test" | "[" | "[[" | "unset"
        | "read" => {
            again(words, found);
        }
        "printf" if words.first().is_some_and(|f| f.text == "-v") => again(words, found),
        "iex" | "invoke-expression" => found.inner.push(Inner::PowerShell(super::join(words))),
        _ => {}
    }
}

/// What a program of this kind would start if it read `text` from its input.
pub(crate) fn told(name: &str, text: &str) -> Vec<String> {
    let mut found = super::nothing();
    if TALKERS.contains(&name) {
        text.lines().for_each(|line| talked(line, &mut found));
    } else if matches!(name, "sed" | "gsed") {
        sed(text, &mut found);
    } else if matches!(name, "make" | "gmake") {
        found.inner.extend(text.lines().filter_map(|l| l.strip_prefix('\t')).map(script));
    }
    let scripts = found.inner.into_iter().filter_map(|inner| match inner {
        Inner::Script(text) => Some(text),
        _ => None,
    });
    scripts.collect()
}

fn script(text: &str) -> Inner {
    Inner::Script(text.trim().trim_start_matches(['!', '|', '@', '-']).trim().to_owned())
}

fn after<'a>(words: &'a [Field], option: &str) -> Option<&'a Field> {
    words.iter().position(|f| f.text == option).and_then(|at| words.get(at + 1))
}

fn tried(words: &[Field], found: &mut Unwrapped) {
    // Behind `--` stands the program.
    if let Some(at) = words.iter().position(|f| f.text == "--") {
        found.inner.extend(
            words.get(at + 1..).filter(|rest| !rest.is_empty()).map(|rest| Inner::Argv(rest.to_vec())),
        );
    }
    let mut left = TRIED;
    for (at, field) in words.iter().enumerate() {
        let text = field.text.as_str();
        if text == "--" {
            return;
        }
        if text.contains(char::is_whitespace) {
            found.inner.push(script(text));
        } else if let Some((_, value)) = text.split_once('=').filter(|_| text.starts_with('-')) {
            found.inner.push(script(value));
        } else if let Some((_, value)) =
            text.split_once(':').filter(|(kind, _)| kind.chars().all(|c| c.is_ascii_uppercase()))
        {
            // socat's EXEC:program.
            found.inner.push(script(value));
        }
        if !text.starts_with('-') && left > 0 {
            left -= 1;
            found.inner.push(Inner::Argv(words.get(at..).unwrap_or_default().to_vec()));
        }
    }
}

/// The program is the first word that is no option; a word behind an option may be the option's.
fn first_word(words: &[Field], found: &mut Unwrapped) {
    let mut behind_option = false;
    let mut left = TRIED;
    for (at, field) in words.iter().enumerate() {
        let option = field.text.starts_with('-');
        if !option {
            found.inner.push(Inner::Argv(words.get(at..).unwrap_or_default().to_vec()));
            left -= 1;
            if !behind_option || left == 0 {
                return;
            }
        }
        behind_option = option && !field.text.contains('=') && field.text != "--";
    }
}

fn carried(words: &[Field], options: &[&str], found: &mut Unwrapped) {
    for (at, field) in words.iter().enumerate() {
        let text = field.text.as_str();
        let value = if options.contains(&text) {
            words.get(at + 1).map(|f| f.text.as_str())
        } else if let Some((_, value)) = text.split_once('=').filter(|(option, _)| options.contains(option)) {
            Some(value)
        } else {
            let attached = options.iter().filter(|o| o.len() == 2).find_map(|o| text.strip_prefix(*o));
            attached.filter(|rest| !text.starts_with("--") && !rest.is_empty())
        };
        let Some(value) = value else { continue };
        // `git -c` sets something, `git switch -c` names a branch.
        if text == "-c" && !value.contains('=') && options.contains(&"--extcmd") {
            continue;
        }
        found.inner.push(script(value));
        // `exec=x`, `core.pager=x`, `ProxyCommand=x`, `ctrl-a:execute(x)`.
        if let Some((_, rest)) = value.split_once(['=', ':', '(', ' ']) {
            found.inner.push(script(rest.trim_end_matches(')')));
        }
    }
}

/// The rest of a line behind what reaches a shell in editors, debuggers and database clients.
fn talked(text: &str, found: &mut Unwrapped) {
    for mark in ["!", ".shell ", ".system ", "shell ", "system ", "spawn ", "exec ", "EXEC:", "SYSTEM:", "|"]
    {
        for (at, _) in text.match_indices(mark).take(4) {
            found
                .inner
                .extend(text.get(at + mark.len()..).filter(|rest| !rest.trim().is_empty()).map(script));
        }
    }
    for open in ["system(", "syscmd(", "shell-command ", "call-process ", "os.system("] {
        if let Some((_, rest)) = text.split_once(open) {
            let inner = rest.split(')').next().unwrap_or(rest);
            found.inner.push(script(inner.trim_matches(['"', '\'', ' ', '`'])));
        }
    }
}

/// The values of `NAME=command` words, for the names that `runs` says are run.
fn assigned(words: &[Field], found: &mut Unwrapped, runs: impl Fn(&str) -> bool) {
    let values = words.iter().filter_map(|f| f.text.split_once('=')).filter(|(name, _)| runs(name));
    found.inner.extend(values.map(|(_, value)| script(value)));
}

/// Variables of a makefile that hold programs.
fn is_program(name: &str) -> bool {
    const NAMES: &[&str] = &["PYTHON", "INSTALL", "MAKE", "CARGO", "NODE", "NPM", "GO", "PAGER", "EDITOR"];
    name.len() < 3 || NAMES.contains(&name) || ["SHELL", "CC", "CXX"].iter().any(|end| name.ends_with(end))
}

fn again(words: &[Field], found: &mut Unwrapped) {
    let texts = words
        .iter()
        .filter(|f| !f.dynamic)
        .map(|f| f.text.as_str())
        .filter(|t| t.contains("$(") || t.contains('`'));
    found.inner.extend(texts.map(|text| Inner::Script(format!(": {text}"))));
}

fn git(words: &[Field], found: &mut Unwrapped) {
    let shells = words.iter().map(|f| f.text.as_str()).filter_map(|t| {
        t.strip_prefix('!')
            .or_else(|| t.strip_prefix("ext::"))
            .or_else(|| t.split_once("=!").map(|(_, rest)| rest))
    });
    found.inner.extend(shells.map(script));
    let at = |verb: &str| words.iter().position(|f| f.text == verb);
    for (command, verb) in [("bisect", "run"), ("submodule", "foreach")] {
        if let (Some(from), Some(to)) = (at(command), at(verb))
            && from < to
        {
            tried(words.get(to + 1..).unwrap_or_default(), found);
        }
    }
}

/// GNU sed's `e` command and the `e` flag of `s`.
fn sed(text: &str, found: &mut Unwrapped) {
    let text = text.strip_prefix("--expression=").or_else(|| text.strip_prefix("-e")).unwrap_or(text);
    for piece in text.split([';', '\n', '{', '}']) {
        let piece = piece.trim();
        let command = piece.trim_start_matches(|c: char| c.is_ascii_digit() || "$,!~+ ".contains(c));
        let command = match command.strip_prefix('/').and_then(|rest| rest.split_once('/')) {
            Some((_, rest)) => rest.trim_start_matches(['I', 'M', '!', ' ']),
            None => command,
        };
        if let Some(rest) = command.strip_prefix('e') {
            match rest.trim() {
                "" => found.inner.push(Inner::Unsure("sed runs what it reads")),
                rest => found.inner.push(script(rest)),
            }
        } else if let Some(rest) = command.strip_prefix('s')
            && let Some(mark) = rest.chars().next().filter(|c| !c.is_alphanumeric() && !c.is_whitespace())
        {
            let parts: Vec<&str> = rest.split(mark).collect();
            if let [_, _, replaced, flags] = parts.as_slice()
                && flags.contains('e')
            {
                found.inner.push(script(replaced));
            }
        }
    }
}
