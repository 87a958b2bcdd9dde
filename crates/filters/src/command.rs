//! Recognises commands: which program and subcommand a simple command runs, looking through wrappers that start
//! another. Owns the wrappers and the options before a subcommand that take a value; the crate `shell` reads lines.

use shell::{base, is_assignment};

use crate::containers;

/// The command that really runs: `argv` without any wrappers in front.
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
    // The first word from `from` on that isn't an option; options in `with_value` take a value.
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
        "time" | "nohup" | "command" | "exec" | "stdbuf" | "setsid" | "xvfb-run" | "caffeinate"
        | "unbuffer" | "chronic" => after(0, &["-o", "-e", "-i", "-f", "-s", "-n", "-a"]),
        "timeout" | "gtimeout" => after(0, &["-s", "-k", "--signal", "--kill-after"])?.get(1..),
        "npx" | "bunx" | "pnpx" => after(0, &["-p", "--package"]),
        // What sets up tools, secrets or variables, and then starts the program behind the dashes.
        "mise" | "aws-vault" | "chamber" | "op" | "doppler" | "infisical" | "dotenvx"
            if matches!(word(0), Some("exec" | "x" | "run"))
                && (base(program) != "mise" || word(0) != Some("run")) =>
        {
            let at = rest.iter().position(|word| word == "--")?;
            rest.get(at + 1..)
        }
        "npm" | "pnpm" | "yarn" | "bun" if matches!(word(0), Some("exec" | "dlx" | "x")) => after(1, &[]),
        // `yarn jest` runs one of the project's programs; yarn's own known subcommands are not looked through.
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
        inner @ ("docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" | "kubectl" | "oc"
        | "k") => containers::inside(inner, rest, |option| takes_value(inner, option)),
        _ => None,
    }
}

/// Programs that start others: their output is mostly that of the started program.
const RUNNERS: &[&str] = &[
    "make", "gmake", "just", "task", "mage", "rake", "invoke", "inv", "tox", "nox", "poe", "lerna", "nx",
    "turbo", "moon", "rush", "lage", "wireit", "lefthook", "husky", "act", "earthly", "dagger", "bazel",
    "bazelisk", "pants", "buck2", "ant", "ssh", "parallel", "xargs", "entr", "script",
];
/// For programs that also do other work, the words after them that start others.
const STARTS: &[(&str, &[&str])] = &[
    ("mise", &["run", "r", "exec", "x"]),
    ("hatch", &["run", "test"]),
    ("npm", &["run", "run-script", "rum", "test", "t", "tst", "start", "restart", "exec", "x"]),
    ("bun", &["run", "x"]),
    ("deno", &["task"]),
    ("composer", &["run", "run-script", "exec", "test", "check", "lint"]),
    ("nix", &["develop", "shell", "run"]),
    ("docker", &["run", "exec", "compose"]),
    ("podman", &["run", "exec", "compose"]),
    ("docker-compose", &["run", "exec", "up"]),
    ("kubectl", &["exec", "run"]),
    ("vagrant", &["ssh", "provision"]),
    ("rails", &["test", "spec", "runner"]),
    ("mix", &["run", "cmd", "do"]),
    ("pre-commit", &["run"]),
    ("cargo", &["xtask", "make", "run"]),
];
/// Programs that start any script by its name, and the words after them that don't name a script.
const OWN_WORK: &[(&str, &[&str])] = &[
    (
        "pnpm",
        &[
            "install", "i", "add", "remove", "rm", "update", "up", "list", "ls", "why", "audit", "outdated",
            "link", "import", "store", "config", "publish", "pack", "info", "view", "licenses", "patch",
            "dedupe", "prune",
        ],
    ),
    (
        "yarn",
        &[
            "install", "add", "remove", "upgrade", "up", "list", "why", "audit", "outdated", "link", "info",
            "config", "publish", "pack", "cache", "dedupe", "licenses", "set", "init", "npm", "explain",
        ],
    ),
];
/// Programs that run a script, or a line after `-c`.
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "fish", "pwsh", "powershell", "cmd", "eval"];
/// Programs that run the user's script when the first word that isn't an option names a file.
const INTERPRETERS: &[&str] =
    &["python", "python3", "pypy3", "node", "tsx", "ts-node", "ruby", "perl", "php", "lua", "Rscript"];

/// Whether `argv`, looked through, starts programs that it doesn't name, so that only the output identifies them: a
/// runner of targets or scripts, a shell, one of the project's scripts.
#[must_use]
pub fn runs_other_tools(argv: &[String]) -> bool {
    let Some((first, rest)) = argv.split_first() else { return false };
    let program = base(first);
    let word = rest.iter().find(|word| !word.starts_with('-')).map(String::as_str);
    if is_script(first) || SHELLS.contains(&program) {
        return true;
    }
    if INTERPRETERS.contains(&program) {
        return word.is_some_and(|word| word.contains('.'));
    }
    let words = |of: &[(&str, &'static [&'static str])]| {
        of.iter().find(|(name, _)| *name == program).map(|(_, words)| *words)
    };
    if let Some(own) = words(OWN_WORK) {
        // Without a word these install.
        return word.is_some_and(|word| !own.contains(&word));
    }
    match words(STARTS) {
        // An option before the word may have a value (`npm --prefix js test`), so either of the first two may be it.
        Some(starts) => rest
            .iter()
            .filter(|word| !word.starts_with('-'))
            .take(2)
            .any(|word| starts.contains(&word.as_str())),
        None => RUNNERS.contains(&program),
    }
}

/// Whether a program's name is the path of a script or of something the project built.
fn is_script(program: &str) -> bool {
    let ends =
        [".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd", ".py", ".rb", ".pl", ".js", ".mjs", ".ts"];
    let relative = ["./", "../", ".\\", "..\\"].iter().any(|start| program.starts_with(start));
    ends.iter().any(|end| program.ends_with(end))
        || relative
        || program.contains('/') && !program.starts_with('/')
}

/// As a filter's command: one of the project's programs, by its path, or a package's module, whose name says that it
/// runs tests.
const TEST_PROGRAM: &str = "./*test*";

/// `shop_tests`, `test-runner`, `run_tests.sh`, `CartTest`; not `latest` and `contest`.
fn names_tests(name: &str) -> bool {
    let parts = name.split(|c: char| !c.is_ascii_alphanumeric());
    let says = |part: &str| {
        matches!(
            part.to_ascii_lowercase().as_str(),
            "test" | "tests" | "unittest" | "unittests" | "testsuite" | "spec" | "specs"
        ) || part.ends_with("Test")
            || part.ends_with("Tests")
    };
    parts.into_iter().any(says)
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
    if first == TEST_PROGRAM {
        return rest.is_empty() && program.contains(['/', '.']) && names_tests(name);
    }
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
                // An option may be anywhere.
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

/// Whether `option` is one of those in a line.
fn is_one_of(option: &str, options: &str) -> bool {
    options.split_whitespace().any(|known| known == option)
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
        "gcloud" => is_one_of(option, "--project --account --configuration --format --verbosity"),
        "apt" | "apt-get" => ["-o", "-c", "-t"].contains(&option),
        "cargo" => ["--color", "--config", "-C", "-Z", "--manifest-path"].contains(&option),
        // The second line are those of compose.
        "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" => is_one_of(
            option,
            "-H --host -c --context --connection --config -l --log-level -n --namespace \
             -f --file -p --project-name --project-directory --profile --env-file --progress --ansi --parallel",
        ),
        "kubectl" | "oc" | "k" | "helm" => is_one_of(
            option,
            "-n --namespace --context --kube-context --kubeconfig --cluster --user --as --as-group --token -s \
             --server --request-timeout -v -l -f",
        ),
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
            ("mise exec node@22 -- cargo test --", "cargo test --"),
            ("aws-vault exec dev -- terraform plan", "terraform plan"),
            ("unbuffer make all", "make all"),
            ("mise run test -- cargo test", "mise run test -- cargo test"),
            ("docker compose --env-file .env -f dev.yaml exec -T web sh -c make", "sh -c make"),
            ("python script.py -m pytest", "python script.py -m pytest"),
        ] {
            let argv = argvs(line).remove(0);
            assert_eq!(unwrapped(&argv).join(" "), inner, "{line}");
        }
    }

    #[test]
    fn scripts_and_runners_run_other_tools() {
        for (line, wanted) in [
            ("make test", true),
            ("just check", true),
            ("tox -q", true),
            ("npm test", true),
            ("npm --prefix js test", true),
            ("npm run lint", true),
            ("npm install", false),
            ("npm ls", false),
            ("pnpm test", true),
            ("pnpm build", true),
            ("pnpm install", false),
            ("yarn", false),
            ("yarn check", true),
            ("./ci.sh", true),
            ("scripts/ci", true),
            ("bash ci.sh", true),
            ("bash -c 'make test'", true),
            ("python tools/check.py", true),
            ("python -V", false),
            ("/usr/bin/pytest", false),
            ("docker compose run web pytest", true),
            ("docker ps", false),
            ("uv run pytest", false),
            ("uv run ./check.py", true),
            ("cargo xtask test", true),
            ("cargo test", false),
            ("cat log.txt", false),
            ("", false),
        ] {
            let argv = argvs(line).into_iter().next().unwrap_or_default();
            assert_eq!(runs_other_tools(unwrapped(&argv)), wanted, "{line}");
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
            (
                "docker compose up",
                "docker --context far compose -p shop --profile dev -f dev.yaml up -d",
                true,
            ),
            ("docker-compose up", "docker-compose --env-file .env -f dev.yaml up", true),
            ("podman ps", "podman --log-level debug ps", true),
            ("kubectl get", "kubectl --as ana -v 6 -s https://k.example.org get pods", true),
            ("helm list", "helm --kube-context far list -A", true),
            ("docker compose up", "docker compose run up", false),
            ("pytest", "pytest -q", true),
            ("node --test", "node --import x --test a.js", true),
            ("go test", "go vet", false),
            ("npm run test", "npm run test -- --x", true),
            ("npm run test", "npm run", false),
            // What `python -m tornado.test` starts.
            ("./*test*", "tornado.test --verbose", true),
            ("./*test*", "build/shop_tests", true),
            ("./*test*", "shop.latest", false),
            ("./*test*", "test -f shop.tests", false),
        ] {
            let words: Vec<&str> = words.split(' ').collect();
            assert_eq!(answers(&words, &argv(line)), wanted, "{line}");
        }
    }
}
