//! Measures how well a commit's message finds the files it changed: `history --repos FOLDER [--commits N]`. The folder has git
//! directories as `owner+name/repo`, `name/.git` or `name.git`. Each is indexed as it was before the commits in question, so that no
//! answer is in the index; only product files count, not tests or documents. For comparison, in the same run: the files with most of
//! the message's words, as a search by grep finds them. Prints one JSON object.
#![expect(clippy::print_stdout, reason = "its output is its purpose")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use plimsoll_code::role::Role;
use plimsoll_code::search::{Reader, Request, search};
use plimsoll_code::{Options, Store};
use serde_json::{Value, json};

/// How many commits of the main line the index is behind.
const BACK: usize = 400;
/// The default number of commits for each repository.
const COMMITS: usize = 80;
/// A commit that changes more isn't about a single thing.
const MOST_FILES: usize = 5;
/// Not the product: change logs, tests and documents change with any commit.
const BESIDE: u32 = Role::TEST.0
    | Role::VENDORED.0
    | Role::GENERATED.0
    | Role::EXAMPLE.0
    | Role::DOCS.0
    | Role::CONFIG.0
    | Role::MINIFIED.0;
/// A shorter name isn't specific enough.
const SHORT: usize = 15;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1)).cloned();
    let repos = PathBuf::from(option("--repos").ok_or("--repos FOLDER names a folder with git directories")?);
    let most = match option("--commits") {
        Some(count) => count.parse().map_err(|_| format!("--commits takes a whole number, not {count:?}"))?,
        None => COMMITS,
    };
    let mut rows = BTreeMap::new();
    let mut sums = Sums::default();
    for (name, objects) in git_directories(&repos)? {
        match measured(&objects, most) {
            Ok(one) if one.commits > 0 => {
                rows.insert(name, one.report());
                sums.add(&one);
            }
            Ok(_) => eprintln!("{name} has no commit to ask about"),
            Err(error) => eprintln!("{name} is left out: {error}"),
        }
    }
    println!("{}", serde_json::to_string_pretty(&json!({"repositories": rows, "all": sums.report()}))?);
    Ok(())
}

/// The git directories in a folder.
fn git_directories(repos: &Path) -> std::io::Result<BTreeMap<String, PathBuf>> {
    let mut out = BTreeMap::new();
    for entry in std::fs::read_dir(repos)?.flatten() {
        let path = entry.path();
        let found = [path.join("repo"), path.join(".git"), path.clone()];
        if let Some(objects) = found.into_iter().find(|dir| dir.join("objects").is_dir()) {
            out.insert(entry.file_name().to_string_lossy().into_owned(), objects);
        }
    }
    Ok(out)
}

#[derive(Default)]
struct Sums {
    commits: u64,
    ranked: Recall,
    words: Recall,
}

/// Sums of the shares of the files that changed, among the first five and ten answers.
#[derive(Default)]
struct Recall {
    at_5: f64,
    at_10: f64,
}

impl Recall {
    fn add(&mut self, other: &Self) {
        self.at_5 += other.at_5;
        self.at_10 += other.at_10;
    }

    /// Counts one question, whose `answers` are best first.
    fn count(&mut self, changed: &[&str], answers: &[&str]) {
        let share = |most: usize| {
            let first: Vec<&&str> = answers.iter().take(most).collect();
            changed.iter().filter(|path| first.contains(path)).count() as f64 / changed.len() as f64
        };
        self.at_5 += share(5);
        self.at_10 += share(10);
    }
}

impl Sums {
    fn add(&mut self, other: &Self) {
        self.commits += other.commits;
        self.ranked.add(&other.ranked);
        self.words.add(&other.words);
    }

    fn report(&self) -> Value {
        let mean = |sum: f64| (sum / self.commits.max(1) as f64 * 1_000.0).round() / 1_000.0;
        let recall = |one: &Recall| json!({"recall_at_5": mean(one.at_5), "recall_at_10": mean(one.at_10)});
        json!({"commits": self.commits, "ranked": recall(&self.ranked), "words": recall(&self.words)})
    }
}

fn git(objects: &Path, arguments: &[&str]) -> Result<String, Box<dyn std::error::Error>> {
    let output =
        Command::new("git").arg("--git-dir").arg(objects).args(arguments).stdin(Stdio::null()).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned().into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn measured(objects: &Path, most: usize) -> Result<Sums, Box<dyn std::error::Error>> {
    let main = git(objects, &["rev-list", "--first-parent", "--max-count", &(BACK + 1).to_string(), "HEAD"])?;
    let base = main.lines().last().ok_or("it has no commit")?;
    // A merge is named after its branch, which isn't a description.
    let log = git(
        objects,
        &["log", "--no-merges", "--no-renames", "--format=%x01%s", "--name-status", &format!("{base}..HEAD")],
    )?;
    let mut commits: Vec<(&str, BTreeSet<&str>)> = Vec::new();
    for part in log.split('\u{1}').skip(1) {
        let mut lines = part.lines();
        let Some(subject) = lines.next() else { continue };
        let changed =
            lines.filter(|line| !line.is_empty()).map(|line| line.split_once('\t').unwrap_or(("", line)));
        // New and removed files can't be found in the earlier state.
        let files: BTreeSet<&str> = changed.filter(|(how, _)| *how == "M").map(|(_, path)| path).collect();
        commits.push((subject, files));
    }
    let scratch = tempfile::tempdir()?;
    let tree = scratch.path().join("tree");
    std::fs::create_dir(&tree)?;
    let done = Command::new("git")
        .arg("--git-dir")
        .arg(objects)
        .arg("--work-tree")
        .arg(&tree)
        .env("GIT_INDEX_FILE", scratch.path().join("index"))
        // Nothing in a repository is run.
        .args(["-c", "core.hooksPath=/dev/null", "checkout", "--quiet", "--force", base, "--", "."])
        .status()?;
    if !done.success() {
        return Err("the commit can't be checked out".into());
    }
    let mut store = Store::open(&scratch.path().join("code.db"))?;
    plimsoll_code::update(&mut store, &tree, &Options::default())?;
    let reader = Reader::open(&store)?;
    let code: BTreeSet<&str> = reader
        .files()
        .iter()
        .filter(|file| file.role.0 & BESIDE == 0)
        .map(|file| file.path.as_str())
        .collect();
    let texts: Vec<(&str, String)> = reader
        .files()
        .iter()
        .map(|file| file.path.as_str())
        .filter_map(|path| {
            Some((path, String::from_utf8_lossy(&std::fs::read(tree.join(path)).ok()?).to_lowercase()))
        })
        .collect();
    let mut sums = Sums::default();
    // The oldest first: the index is least out of date for them.
    for (subject, files) in commits.iter().rev() {
        let files: Vec<&str> = files.iter().copied().filter(|path| code.contains(path)).collect();
        let query = asked(subject);
        if query.len() < SHORT || files.is_empty() || files.len() > MOST_FILES {
            continue;
        }
        let found =
            search(&store, &reader, &Request { query: query.clone(), limit: 10, ..Request::default() })
                .unwrap_or_default();
        let ranked: Vec<&str> = found.iter().map(|one| one.path.as_str()).collect();
        let words = most_words(&texts, &query);
        sums.commits += 1;
        sums.ranked.count(&files, &ranked);
        sums.words.count(&files, &words);
        if sums.commits as usize >= most {
            break;
        }
    }
    Ok(sums)
}

/// The ten files with most of the words of a question in them; of two with the same number, the one with more
/// occurrences.
fn most_words<'a>(texts: &[(&'a str, String)], query: &str) -> Vec<&'a str> {
    let lower = query.to_lowercase();
    let words: BTreeSet<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.len() > 2).collect();
    let mut rated: Vec<(usize, usize, &str)> = texts
        .iter()
        .map(|(path, text)| {
            let often: Vec<usize> =
                words.iter().map(|word| text.matches(word).count()).filter(|n| *n > 0).collect();
            (often.len(), often.iter().sum(), *path)
        })
        .filter(|(several, ..)| *several > 0)
        .collect();
    rated.sort_by_key(|(several, often, path)| (Reverse(*several), Reverse(*often), *path));
    rated.into_iter().take(10).map(|(.., path)| path).collect()
}

/// A commit's subject without its pull request number and the kind before a colon.
fn asked(subject: &str) -> String {
    let text = subject.rsplit_once(" (#").map_or(subject, |(text, _)| text);
    let plain = text
        .split_once(": ")
        .filter(|(kind, _)| kind.len() < 20 && !kind.contains(' '))
        .map_or(text, |(_, rest)| rest);
    plain.trim().to_owned()
}
