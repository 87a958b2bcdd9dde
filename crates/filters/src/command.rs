//! Recognising commands: which program a simple command runs, looked through wrappers that start another, and told by
//! its subcommand. Owns the wrappers and the options before a subcommand that take a value; the room `shell` reads lines.

use shell::{base, is_assignment};

/// What really runs: `argv` from the program on that a wrapper starts, looking through as many as there are.
#[must_use]
pub fn unwrapped(argv: &[String]) -> &[String] {
    let mut rest = argv;
    for _ in 0..8 {
        match wrapped(rest) {
            Some(inner) if !inner.is_empty() && inner.len() < rest.len() => rest = inner,
            _ => break,
        }
    }
    rest
}

fn wrapped(argv: &[String]) -> Option<&[String]> {
    let (program, rest) = argv.split_first()?;
    let word = |at: usize| rest.get(at).map(String::as_str);
    // The first word that is no option, from `from` on; options named take a value.
    let after = |from: usize, with_value: &[&str]| {
        let mut at = from;
        while let Some(word) = rest.get(at) {
            if word == "--" {
                return rest.get(at + 1..);
            }
            if with_value.contains(&word.as_str()) {
                at += 2;
            } else if word.starts_with('-') || is_assignment(word) {
                at += 1;
            } else {
                return rest.get(at..);
            }
        }
        None
    };
    match base(program) {
        "env" => after(0, &["-u", "-C", "--unset", "--chdir"]),
        "sudo" | "doas" => after(0, &["-u", "-g", "-h", "-p", "-C"]),
        "nice" => after(0, &["-n"]),
        "ionice" => after(0, &["-c", "-n"]),
        "time" | "nohup" | "command" | "exec" | "stdbuf" | "setsid" | "xvfb-run" | "caffeinate" => {
            after(0, &["-o", "-e", "-i", "-f", "-s", "-n", "-a"])
        }
        "timeout" | "gtimeout" => after(0, &["-s", "-k", "--signal", "--kill-after"])?.get(1..),
        "npx" | "bunx" | "pnpx" => after(0, &["-p", "--package"]),
        "npm" | "pnpm" | "yarn" | "bun" if matches!(word(0), Some("exec" | "dlx" | "x")) => after(1, &[]),
        // `yarn jest` runs a program of the project's; known subcommands of yarn's own are not looked through.
        "yarn" | "pnpm"
            if word(0).is_some_and(|first| {
                [
                    "jest",
                    "vitest",
                    "tsc",
                    "eslint",
                    "mocha",
                    "playwright",
                    "biome",
                    "prettier",
                    "vite",
                    "webpack",
                    "next",
                ]
                .contains(&first)
            }) =>
        {
            Some(rest)
        }
        "python" | "python3" | "py" | "pypy3" => {
            let at = rest.iter().position(|word| word == "-m")?;
            if rest.get(..at)?.iter().all(|word| word.starts_with('-')) { rest.get(at + 1..) } else { None }
        }
        "poetry" | "uv" | "pipenv" | "pdm" | "hatch" | "rye" if word(0) == Some("run") => {
            after(1, &["--with", "--extra", "--group", "-p", "--python"])
        }
        "bundle" if word(0) == Some("exec") => after(1, &[]),
        "bash" | "sh" | "zsh" => None,
        _ => None,
    }
}

/// Whether `argv`, looked through, is a call of `words`: the same program, and the other words among its first
/// arguments in that order, options between them skipped.
#[must_use]
pub fn answers<W: AsRef<str>>(words: &[W], argv: &[String]) -> bool {
    let (Some(program), Some((first, rest))) = (argv.first(), words.split_first()) else { return false };
    let name = base(program);
    // `python3.11` is python, `pip3` is pip, `gcc-12` is gcc.
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end_matches('-');
    let first = first.as_ref();
    if name != first && (plain != first || plain.is_empty()) {
        return false;
    }
    let mut args = argv.iter().skip(1).peekable();
    for wanted in rest {
        let wanted = wanted.as_ref();
        loop {
            let Some(arg) = args.next() else { return false };
            if arg == wanted {
                break;
            }
            if wanted.starts_with('-') {
                // An option may stand anywhere.
                continue;
            }
            if takes_value(name, arg) {
                args.next();
            } else if !arg.starts_with('-') && !arg.starts_with('+') {
                return false;
            }
        }
    }
    true
}

/// Options before a subcommand whose value is the next word.
fn takes_value(program: &str, option: &str) -> bool {
    match program {
        "git" => ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--attr-source"]
            .contains(&option),
        "pip" | "pip3" => [
            "--python",
            "--proxy",
            "--timeout",
            "--retries",
            "--log",
            "--cache-dir",
            "--trusted-host",
            "--cert",
        ]
        .contains(&option),
        "uv" => ["--directory", "--project", "--config-file", "--cache-dir"].contains(&option),
        "poetry" => ["-C", "-P", "--directory", "--project"].contains(&option),
        "aws" => ["--profile", "--region", "--output", "--endpoint-url"].contains(&option),
        "gh" => ["-R", "--repo"].contains(&option),
        "apt" | "apt-get" => ["-o", "-c", "-t"].contains(&option),
        "cargo" => ["--color", "--config", "-C", "-Z", "--manifest-path"].contains(&option),
        "docker" | "kubectl" | "helm" => {
            ["-H", "--context", "--host", "-n", "--namespace", "--kubeconfig", "-l", "-f", "--cluster"]
                .contains(&option)
        }
        "npm" | "pnpm" | "yarn" | "bun" => {
            ["--prefix", "-w", "--workspace", "--filter", "-C", "--dir", "--cwd", "-F"].contains(&option)
        }
        "make" | "ninja" => ["-C", "-f", "-j", "--directory"].contains(&option),
        "terraform" => option == "-chdir",
        "gradle" | "gradlew" | "mvn" => ["-p", "-f", "-b"].contains(&option),
        "go" => option == "-C",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shell::line::{Simple, parse};

    fn argvs(line: &str) -> Vec<Vec<String>> {
        parse(line).commands.iter().map(Simple::argv).collect()
    }

    #[test]
    fn looks_through_wrappers() {
        for (line, inner) in [
            ("npx vitest run", "vitest run"),
            ("sudo -u ana env A=1 timeout 5 make all", "make all"),
            ("python3 -m pytest -q", "pytest -q"),
            ("poetry run pytest", "pytest"),
            ("uv run --with x pytest -q", "pytest -q"),
            ("bundle exec rspec", "rspec"),
            ("pnpm exec -- tsc", "tsc"),
            ("yarn jest", "jest"),
            ("time cargo build", "cargo build"),
            ("npm test", "npm test"),
            ("python script.py -m pytest", "python script.py -m pytest"),
        ] {
            let argv = argvs(line).remove(0);
            assert_eq!(unwrapped(&argv).join(" "), inner, "{line}");
        }
    }

    #[test]
    fn knows_subcommands() {
        let argv = |line: &str| argvs(line).remove(0);
        for (words, line, wanted) in [
            ("git log", "git -C x --no-pager log -5", true),
            ("git log", "git show log", false),
            ("cargo test", "cargo +nightly test", true),
            ("cargo test", "/usr/bin/cargo test", true),
            ("pip install", "pip3 install x", true),
            ("pip install", "pip --python v2/bin/python install x", true),
            ("apt-get install", "apt-get -o Debug::NoLocking=1 install x", true),
            ("gh pr", "gh -R ana/shop pr list", true),
            ("pytest", "pytest -q", true),
            ("node --test", "node --import x --test a.js", true),
            ("go test", "go vet", false),
            ("npm run test", "npm run test -- --x", true),
            ("npm run test", "npm run", false),
        ] {
            let words: Vec<&str> = words.split(' ').collect();
            assert_eq!(answers(&words, &argv(line)), wanted, "{line}");
        }
    }
}
