//! Extracts the files and folders that a shell command removes or moves: `rm`, `unlink`, `mv`, `git rm`, `git mv`. What the shell
//! would expand isn't known and is left out. Whether something is really gone is for the caller to see.

use std::path::{Component, Path, PathBuf};

use shell::base;
use shell::grammar::{self, Step, Word};

use super::edits::FileEdit;

/// The most files of one command that are looked at.
const MOST: usize = 32;
/// Programs that run the rest of their words, and options of theirs that take no value.
const WRAPPERS: &[&str] = &["sudo", "doas", "command", "exec", "nohup", "time"];
const WRAPPER_OPTIONS: &[&str] = &["-n", "-E", "-H", "-p", "--"];

/// What a command removes or moves, in its order. `reported` is the folder that the agent reports with it.
pub(super) fn removals(command: &str, reported: Option<&Path>) -> Vec<FileEdit> {
    // Nearly all commands have none of these.
    if !["rm", "mv", "unlink"].iter().any(|word| command.contains(word)) {
        return Vec::new();
    }
    let script = grammar::parse(command);
    let (mut folder, mut around, mut out) = (PathBuf::new(), Vec::new(), Vec::new());
    // A function's body runs where it's called, if anywhere.
    if script.odd || script.unfinished || script.too_deep || !script.functions.is_empty() {
        return out;
    }
    for step in &script.steps {
        let simple = match step {
            Step::Run(simple) if !simple.substituted => simple,
            Step::Run(_) | Step::Loop { .. } => continue,
            // A subshell has its own folder.
            Step::Enter => {
                around.push(folder.clone());
                continue;
            }
            Step::Leave => {
                folder = around.pop().unwrap_or_default();
                continue;
            }
        };
        let argv: Vec<String> = simple.words.iter().map(Word::text).collect();
        let words: Vec<&str> = argv.iter().map(String::as_str).collect();
        let Some((program, rest)) = unwrapped(&words).split_first() else { continue };
        match (base(program), rest) {
            ("cd", [to]) if is_plain(to) => folder.push(to),
            // The folder of the rest is unknown.
            ("cd" | "pushd" | "popd", _) => break,
            ("rm" | "unlink", rest) => removed(&folder, rest, &mut out),
            ("mv", rest) => moved(&folder, rest, &mut out),
            ("git", rest) => by_git(&folder, rest, &mut out),
            _ => {}
        }
    }
    out.truncate(MOST);
    if let Some(began) = reported.and_then(|reported| began_in(reported, &folder)) {
        for one in &mut out {
            one.path = began.join(&one.path);
            one.moved_to = one.moved_to.take().map(|to| began.join(to));
        }
    }
    out
}

/// Where a command began that changed to `folder`, if the reported one is where that led: an agent whose shell stays there reports it
/// after the command. Then there isn't such a folder in it once more.
fn began_in(reported: &Path, folder: &Path) -> Option<PathBuf> {
    // `./web` is `web`.
    let folder: PathBuf = folder.components().filter(|part| *part != Component::CurDir).collect();
    let mut parts = folder.components();
    let is_below = parts.clone().next().is_some() && parts.all(|part| matches!(part, Component::Normal(_)));
    let is_behind = is_below && reported.ends_with(&folder) && !reported.join(&folder).is_dir();
    reported.ancestors().nth(folder.components().count()).filter(|_| is_behind).map(Path::to_owned)
}

/// The program that really runs: `rm` for `sudo -n rm`. `command -v rm` only looks it up.
fn unwrapped<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    let mut words = words;
    while let [program, rest @ ..] = words
        && WRAPPERS.contains(&base(program))
    {
        words = rest;
        while let [option, rest @ ..] = words
            && WRAPPER_OPTIONS.contains(option)
        {
            words = rest;
        }
    }
    words
}

/// Whether a word is a literal path: nothing in it that a shell expands, and no option.
fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with(['-', '~'])
        && !word.contains(['*', '?', '[', '{', '$', '`', '\\'])
        && !word.contains(char::is_control)
}

/// The words that aren't options, and the folder that `-t` names.
fn operands<'a>(words: &[&'a str]) -> (Vec<&'a str>, Option<&'a str>) {
    let (mut out, mut target, mut options) = (Vec::new(), None, true);
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        if options && word == "--" {
            options = false;
        } else if options && (word == "-t" || word == "--target-directory") {
            target = words.next();
        } else if let Some(folder) = word.strip_prefix("--target-directory=").filter(|_| options) {
            target = Some(folder);
        } else if options && (word == "-S" || word == "--suffix") {
            words.next();
        } else if !(options && word.len() > 1 && word.starts_with('-')) {
            out.push(word);
        }
    }
    (out, target)
}

fn removed(folder: &Path, words: &[&str], out: &mut Vec<FileEdit>) {
    let paths = operands(words).0.into_iter().filter(|path| is_plain(path));
    out.extend(paths.map(|path| FileEdit { path: folder.join(path), gone: true, ..FileEdit::default() }));
}

fn moved(folder: &Path, words: &[&str], out: &mut Vec<FileEdit>) {
    let (mut paths, target) = operands(words);
    let Some(to) = target.or_else(|| paths.pop()).filter(|to| is_plain(to)) else { return };
    let into = target.is_some() || paths.len() > 1 || to.ends_with('/');
    for path in paths.into_iter().filter(|path| is_plain(path)) {
        let name = Path::new(path).file_name();
        let to = match name.filter(|_| into) {
            Some(name) => folder.join(to).join(name),
            None => folder.join(to),
        };
        out.push(FileEdit { path: folder.join(path), gone: true, moved_to: Some(to), ..FileEdit::default() });
    }
}

fn by_git(folder: &Path, words: &[&str], out: &mut Vec<FileEdit>) {
    let (mut folder, mut words) = (folder.to_owned(), words);
    loop {
        match words {
            ["-C", to, rest @ ..] if is_plain(to) => {
                folder.push(to);
                words = rest;
            }
            ["-c", _, rest @ ..] | ["--no-pager", rest @ ..] => words = rest,
            // It leaves the files where they are.
            [_, rest @ ..] if rest.iter().any(|word| ["--cached", "--dry-run", "-n"].contains(word)) => {
                return;
            }
            ["rm", rest @ ..] => return removed(&folder, rest, out),
            ["mv", rest @ ..] => return moved(&folder, rest, out),
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_and_moved_paths_are_read_without_shell_expansions() {
        for (command, expected) in [
            ("rm src/a.ts", "src/a.ts"),
            ("rm -rf -- src/a.ts -b", "src/a.ts"),
            ("unlink a.py", "a.py"),
            ("git rm -q 'src/a b.ts' src/c.ts", "src/a b.ts; src/c.ts"),
            ("git -C web rm -r src/cart/", "web/src/cart/"),
            ("git -c core.quotePath=off --no-pager rm a.ts", "a.ts"),
            ("mv src/a.ts src/b.ts", "src/a.ts > src/b.ts"),
            ("git mv -k src/a.ts src/b.ts", "src/a.ts > src/b.ts"),
            ("mv a.ts b.ts lib", "a.ts > lib/a.ts; b.ts > lib/b.ts"),
            ("mv src/a.ts lib/", "src/a.ts > lib/a.ts"),
            ("mv -t lib src/a.ts", "src/a.ts > lib/a.ts"),
            ("mv --target-directory=lib a.ts", "a.ts > lib/a.ts"),
            ("cd web && rm a.ts && git commit -qm 'rm b.ts'", "web/a.ts"),
            ("mkdir -p lib; git mv a.ts lib/a.ts; rm b.ts", "a.ts > lib/a.ts; b.ts"),
            ("cat > b.ts <<'END'\nrm c.ts\nEND\nrm a.ts", "a.ts"),
            ("if [ -f a.ts ]; then git rm -q a.ts; fi", "a.ts"),
            ("[[ -e a.ts ]] && { rm a.ts; }", "a.ts"),
            ("(cd web && rm a.ts); rm b.ts", "web/a.ts; b.ts"),
            ("NOW=$(cd web && date); rm a.ts", "a.ts"),
            ("sudo -n rm a.ts; command rm b.ts; \\mv c.ts d.ts", "a.ts; b.ts; c.ts > d.ts"),
            // Unclear commands, and commands that remove nothing.
            ("command -v rm a.ts", ""),
            ("sudo -u www rm a.ts", ""),
            ("echo $(rm a.ts)", ""),
            ("drop() { rm a.ts; }", ""),
            ("rm *.ts", ""),
            ("rm $FILE ~/a.ts", ""),
            ("cd \"$HERE\" && rm a.ts", ""),
            ("for f in a b; do rm $f; done", ""),
            ("git rm --cached a.ts", ""),
            ("git mv -n a.ts b.ts", ""),
            ("git commit -m 'rm a.ts'", ""),
            ("docker run --rm a.ts", ""),
            ("npm rm left", ""),
            ("echo rm a.ts", ""),
            ("mv a.ts", ""),
            ("rm", ""),
        ] {
            assert_eq!(paths(command, None), expected, "{command}");
        }
        let many: Vec<String> = (0..100).map(|n| format!("{n}.ts")).collect();
        assert_eq!(removals(&format!("rm {}", many.join(" ")), None).len(), MOST);
    }

    #[test]
    fn a_folder_reported_after_the_command_is_its_target() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("web/src")).unwrap();
        let root = dir.path().to_string_lossy().replace('\\', "/");
        for (command, reported, expected) in [
            ("cd web && rm a.ts", "web", "ROOT/web/a.ts"),
            ("cd ./web && rm a.ts", "web", "ROOT/./web/a.ts"),
            ("(cd web && rm a.ts)", "", "web/a.ts"),
            (
                "rm b.ts; cd web/src && mv a.ts c.ts",
                "web/src",
                "ROOT/b.ts; ROOT/web/src/a.ts > ROOT/web/src/c.ts",
            ),
            ("cd web; cd src; rm ../a.ts", "web/src", "ROOT/web/src/../a.ts"),
            // The reported folder is the one before the command, as for an agent that starts every command in the same
            // folder.
            ("cd web && rm a.ts", "", "web/a.ts"),
            ("cd src && rm a.ts", "web", "src/a.ts"),
            ("cd .. && rm a.ts", "web", "../a.ts"),
            ("rm a.ts", "web", "a.ts"),
        ] {
            let seen = paths(command, Some(&dir.path().join(reported)));
            assert_eq!(seen, expected.replace("ROOT", &root), "{command} in {reported}");
        }
    }

    fn paths(command: &str, reported: Option<&Path>) -> String {
        let seen = removals(command, reported).into_iter().map(|one| {
            assert!(one.gone);
            let to = one.moved_to.map(|to| format!(" > {}", to.display())).unwrap_or_default();
            format!("{}{to}", one.path.display())
        });
        // Windows has its own separator.
        seen.collect::<Vec<_>>().join("; ").replace('\\', "/")
    }
}
