//! Commands that print a few lines in nearly all projects, and those whose output is as long as the files that they name. Owns the
//! lists: what isn't on them may print anything. A folder of thousands of files, or a hook of git that talks much, then comes as it
//! does without Plimsoll.

use shell::base;

/// The most commits of a log that is a few lines.
const FEW: usize = 20;

/// The most lines of a file that are asked for by their numbers and are a few lines.
const FEW_OF_A_FILE: usize = 100;

/// The letters that may be between the dash and the `i` of `sed -i`: those without a value.
const SED_LETTERS: [char; 6] = ['n', 'r', 'E', 's', 'z', 'u'];

/// Programs that print the files that they are given, or a part of them.
const FILE_PRINTERS: [&str; 7] = ["cat", "bat", "batcat", "head", "tail", "nl", "tac"];

/// How many bytes of source the program call `argv` prints at most; `None` where it may print anything else, or where `size`
/// doesn't know one of its files. Source that an agent shows whole is never shortened, data of the same size may be.
pub(super) fn source_bytes(argv: &[String], size: &dyn Fn(&str) -> Option<u64>) -> Option<u64> {
    let (program, arguments) = argv.split_first()?;
    if !filters::shows_source(argv) {
        return None;
    }
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let files: Vec<&String> = match (base(program), arguments) {
        ("sed", [quiet, _, file]) if quiet == "-n" => vec![file],
        (program, words) if FILE_PRINTERS.contains(&program) => {
            words.iter().filter(|word| !word.starts_with(['-', '+']) && !is_number(word)).collect()
        }
        _ => return None,
    };
    files.first()?;
    files.into_iter().try_fold(0_u64, |sum, file| sum.checked_add(size(file)?))
}

/// The letters behind one dash.
fn letters_of(word: &str) -> Option<&str> {
    word.strip_prefix('-').filter(|letters| !letters.starts_with('-'))
}

/// Whether the program call `argv` prints a few lines in nearly all projects.
pub(super) fn prints_little(argv: &[String]) -> bool {
    let Some((program, arguments)) = argv.split_first() else { return false };
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match base(program) {
        // What is changed in its place isn't printed.
        "sed" => {
            let in_place = |letters: &str| letters.trim_start_matches(SED_LETTERS).starts_with('i');
            arguments
                .iter()
                .any(|word| word.starts_with("--in-place") || letters_of(word).is_some_and(in_place))
                || is_short_range(&arguments)
        }
        // The folder that the command runs in, without those below it.
        "ls" => {
            arguments
                .iter()
                .all(|word| word.starts_with('-') && !letters_of(word).is_some_and(|all| all.contains('R')))
                && !arguments.contains(&"--recursive")
        }
        "git" => git_prints_little(&arguments),
        _ => false,
    }
}

/// Whether these arguments of `sed` ask for few lines of a file by their numbers: `-n 10,60p main.rs`.
fn is_short_range(arguments: &[&str]) -> bool {
    let ["-n", lines, file] = arguments else { return false };
    let Some(lines) = lines.strip_suffix('p').filter(|_| !file.starts_with('-')) else { return false };
    let (from, to) = lines.split_once(',').unwrap_or((lines, lines));
    // `4000,+900p` are 901 lines.
    let number = |word: &str| word.parse::<usize>().ok().filter(|_| !word.starts_with('+'));
    number(from).zip(number(to)).is_some_and(|(from, to)| to.saturating_sub(from) < FEW_OF_A_FILE)
}

fn git_prints_little(arguments: &[&str]) -> bool {
    let mut words = arguments.iter().copied();
    let subcommand = loop {
        match words.next() {
            Some("-C" | "-c") => {
                words.next();
            }
            Some(word) if word.starts_with('-') => {}
            other => break other.unwrap_or_default(),
        }
    };
    let rest: Vec<&str> = words.collect();
    match subcommand {
        "commit" | "push" => true,
        // Those of servers may be hundreds.
        "branch" => !rest.iter().any(|word| {
            let is_more = |letters: &str| letters.contains(['a', 'r']) || letters == "vv";
            matches!(*word, "--all" | "--remotes") || letters_of(word).is_some_and(is_more)
        }),
        "log" => is_short_log(&rest),
        _ => false,
    }
}

/// Whether these arguments of `git log` ask for few commits, a line each.
fn is_short_log(arguments: &[&str]) -> bool {
    let mut commits: Option<usize> = None;
    let mut one_line = false;
    // What is behind `--` are paths.
    let mut words = arguments.iter().copied().take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        let figure = ["--max-count=", "-n", "-"].iter().find_map(|before| word.strip_prefix(before));
        if ["--oneline", "--pretty=oneline", "--format=oneline"].contains(&word) {
            one_line = true;
        } else if ["-n", "--max-count"].contains(&word) {
            commits = words.next().and_then(|word| word.parse().ok());
        } else if let Some(figure) = figure {
            let Ok(figure) = figure.parse::<usize>() else {
                // It may ask for more of each commit.
                return false;
            };
            commits = Some(figure);
        }
    }
    one_line && commits.is_some_and(|commits| commits <= FEW)
}

#[cfg(test)]
mod tests {
    use super::prints_little;

    #[test]
    fn only_what_prints_little_nearly_everywhere_is_on_the_list() {
        let little = |line: &str| {
            let argv: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            prints_little(&argv)
        };
        for line in [
            "sed -i s/a/b/ a.ts",
            "sed -i.bak s/a/b/ a.ts",
            "sed -Ei s/a/b/ a.ts",
            "sed -n 1,90p a.ts",
            "sed -n 7p a.ts",
            "sed -nEi.bak s/a/b/ a.ts",
            "ls",
            "ls -la",
            "/bin/ls -la --color=never",
            "git commit -am x",
            "git -C api push -u origin x",
            "git branch",
            "git branch -d fix-a",
            "git --no-pager log --oneline -10",
            "git log --oneline -n 5 -- src",
            "git log -n5 --pretty=oneline",
            "git log --oneline --max-count=20 main..x",
        ] {
            assert!(little(line), "{line}");
        }
        for line in [
            "",
            "sed -n 1,101p a.ts",
            "sed -n 4000,+900p a.ts",
            "sed -n 4000,+4050p a.ts",
            "sed -n 1,$p a.ts",
            "sed -n 1,90p",
            "sed -n /x/,90p a.ts",
            "sed -n 1,90p a.ts b.ts",
            "sed -ne /i/p a.ts",
            "ls src",
            "ls -laR",
            "ls --recursive",
            "git",
            "git status",
            "git pull",
            "git branch -a",
            "git branch -av",
            "git branch -rv --no-color",
            "git log",
            "git log --oneline",
            "git log -3",
            "git log --oneline -200",
            "git log --oneline -10 --stat",
            "git log --oneline -p -1",
            "git diff",
            "cargo test",
        ] {
            assert!(!little(line), "{line}");
        }
    }
}
