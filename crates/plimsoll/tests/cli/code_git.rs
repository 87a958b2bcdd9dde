//! `plimsoll code` in repositories: the review of a diff, what a reindex would read, worktrees, sparse checkouts,
//! folders without git, and the specification's examples as typed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::desk::Desk;

pub(crate) fn git(root: &Path, args: &[&str]) {
    git_at(root, None, args);
}

/// Runs git as if it were this moment.
pub(crate) fn git_at(root: &Path, date: Option<&str>, args: &[&str]) {
    let mut git = Command::new("git");
    for name in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
        git.envs(date.map(|date| (name, date)));
    }
    git.args(["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "commit.gpgsign=false"]);
    git.args(["-c", "init.defaultBranch=main"]).args(args).current_dir(root);
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").stdout(Stdio::null()).stderr(Stdio::null());
    assert!(git.status().unwrap().success(), "git {args:?}");
}

pub(crate) fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

const CART: &str = "export function cartTotal(items: number[]): number {\n  return items.length;\n}\n\nexport function cartName(): string {\n  return 'cart';\n}\n\nexport function emptyCart(): number[] {\n  return [];\n}\n";

/// A repository with these files in one commit.
pub(crate) fn repository(desk: &Desk, files: &[(&str, &str)]) -> PathBuf {
    let root = desk.beside("shop");
    for (path, text) in files {
        write(&root, path, text);
    }
    git(&root, &["init", "-q"]);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "One"]);
    root
}

/// A repository with a definition, a caller and a test.
fn shop(desk: &Desk) -> PathBuf {
    let checkout = "import { cartTotal, emptyCart } from './cart';\n\nexport function checkout(items: number[]) {\n  return cartTotal(items) + emptyCart().length;\n}\n";
    let test = "import { cartTotal } from '../src/cart';\n\ntest('total', () => cartTotal([1]));\n";
    repository(
        desk,
        &[
            ("src/cart.ts", CART),
            ("src/checkout.ts", checkout),
            ("test/cart.test.ts", test),
            ("package.json", "{\"name\": \"shop\"}\n"),
        ],
    )
}

pub(crate) fn code(desk: &Desk, root: &Path, args: &[&str]) -> Value {
    let args: Vec<&str> = ["code"].iter().chain(args).chain(&["--json"]).copied().collect();
    let ran = desk.run_in(root, &args);
    // 3: nothing was found.
    assert!(matches!(ran.code, 0 | 3), "{args:?}: {}{}", ran.out, ran.err);
    ran.json()
}

#[test]
fn a_review_says_what_changed_who_is_touched_and_what_to_look_at() {
    let desk = Desk::new();
    let root = shop(&desk);
    let printed = desk.run_in(&root, &["code", "review"]).ended(0).out;
    assert!(printed.contains("Nothing changed."), "{printed}");
    git(&root, &["checkout", "-q", "-b", "work"]);
    let changed = CART
        .replace("cartTotal(items: number[])", "cartTotal(items: number[], tax: number)")
        .replace("export function emptyCart(): number[] {\n  return [];\n}\n", "");
    write(&root, "src/cart.ts", &changed);
    git(&root, &["commit", "-qam", "Two"]);
    write(&root, "src/new.ts", "export function brandNew() {\n  return 1;\n}\n");
    for base in [&[][..], &["main"], &["--base", "HEAD~1"]] {
        let arguments: Vec<&str> = ["code", "review"].iter().chain(base).copied().collect();
        let printed = desk.run_in(&root, &arguments).ended(0).out;
        for part in [
            "# Changes since",
            "**high**: `cartTotal` takes or gives something else; outside the diff it is used in 1 file (`src/cart.ts`)",
            "**high**: `emptyCart` is gone, and still named in 1 file",
            "**medium**: no test names `brandNew`",
            "- function `cartTotal` in `src/cart.ts:1`: takes or gives something else",
            "  - used outside the diff: `src/checkout.ts:4`",
            "  - tests: `test/cart.test.ts`",
            "- added `src/new.ts` (+3 −0)",
        ] {
            assert!(printed.contains(part), "{base:?}: {part}\n{printed}");
        }
        assert!(!printed.contains("cartName"), "{printed}");
    }
    let data = code(&desk, &root, &["review", "main"]);
    assert_eq!((data["status"].as_str(), data["base"].as_str()), (Some("success"), Some("main")));
    let symbol = data["symbols"].as_array().unwrap().iter().find(|one| one["name"] == "cartTotal").unwrap();
    assert_eq!((symbol["change"].as_str(), &symbol["callers"][0]["line"]), (Some("signature"), &4.into()));
    let refused = desk.run_in(&root, &["code", "review", "no-such-branch"]);
    assert!(
        refused.code != 0 && refused.err.contains("there is no commit \"no-such-branch\""),
        "{refused:?}"
    );
    let refused = desk.run_in(&root, &["code", "review", "--base=--output=x"]);
    assert!(refused.code != 0 && !root.join("x").exists(), "{refused:?}");
}

#[test]
fn a_folder_without_git_is_searched_and_a_review_says_what_is_missing() {
    let desk = Desk::new();
    let root = desk.beside("shop");
    write(&root, "package.json", "{}");
    write(&root, "src/cart.ts", CART);
    let found = code(&desk, &root, &["search", "cartTotal"]);
    assert_eq!(found["results"][0]["symbol"], "cartTotal");
    let refused = desk.run_in(&root, &["code", "review"]);
    assert!(refused.code != 0 && refused.err.contains("is in no git repository"), "{refused:?}");
    assert!(refused.err.contains("git init"), "{refused:?}");
    git(&root, &["init", "-q"]);
    let refused = desk.run_in(&root, &["code", "review"]);
    assert!(refused.code != 0 && refused.err.contains("nothing is committed yet"), "{refused:?}");
}

#[test]
fn a_dry_run_lists_what_would_be_read_and_reads_nothing() {
    let desk = Desk::new();
    let root = shop(&desk);
    let listed = code(&desk, &root, &["reindex", "--dry-run"]);
    assert_eq!((&listed["new"], &listed["dryRun"]), (&4.into(), &true.into()));
    assert_eq!(listed["results"][1]["file"], "src/cart.ts");
    assert_eq!(code(&desk, &root, &["status"])["status"], "unknown", "nothing was made");
    // Only reading it shows that it isn't for the index.
    write(&root, "NOTICE", "a\0b");
    code(&desk, &root, &["reindex"]);
    write(&root, "src/more.ts", "export const more = 1;\n");
    write(&root, "picture.png", "x");
    std::fs::remove_file(root.join("test/cart.test.ts")).unwrap();
    write(&root, "src/cart.ts", "export {};\n");
    let printed = desk.run_in(&root, &["code", "reindex", "--dry-run"]).ended(0).out;
    for part in [
        "would read 1 new and 1 changed file (",
        "forget 1, leave 2 as they are",
        "new     src/more.ts",
        "changed src/cart.ts",
        "gone    test/cart.test.ts",
        "left out, binary: 1 (picture.png)",
        "left out, read before: 1 (NOTICE)",
    ] {
        assert!(printed.contains(part), "{part}\n{printed}");
    }
    assert_eq!(code(&desk, &root, &["reindex", "--all", "--dry-run", "--limit", "1"])["nextOffset"], 1);
}

#[test]
fn patterns_of_which_a_project_has_none_and_an_empty_map_say_so() {
    let desk = Desk::new();
    let root = repository(&desk, &[("notes.txt", "Water the plants.\n")]);
    code(&desk, &root, &["reindex"]);
    for (category, expected) in [
        ("all", "no known library, import style or error style is used here"),
        ("http", "no known library for http is used here"),
        ("libraries", "no known library is used here"),
        ("imports", "no known import style is used here"),
        ("naming", "too few names to tell how they are written: it takes ten of one kind in one language"),
    ] {
        let printed = desk.run_in(&root, &["code", "patterns", category]).ended(0).out;
        assert_eq!(printed.trim_end(), expected, "{category}");
        assert_eq!(code(&desk, &root, &["patterns", category])["hint"], expected, "{category}");
    }
    let empty = "nothing to draw: tests, examples, documents and what others made aren't on the map";
    assert_eq!(desk.run_in(&root, &["code", "map"]).ended(0).out.trim_end(), empty);
    write(&root, "src/cart.ts", CART);
    write(&root, "src/pay.ts", "import { cartTotal } from './cart';\n\nexport const due = cartTotal([1]);\n");
    code(&desk, &root, &["reindex"]);
    let told = code(&desk, &root, &["patterns", "imports"]);
    assert!(told["hint"].is_null() && told["styles"][0]["name"] == "relative paths", "{told}");
    assert!(code(&desk, &root, &["map"])["hint"].is_null());
}

#[test]
fn metadata_names_what_the_manifests_need_and_not_the_projects_own_packages() {
    let desk = Desk::new();
    let manifest = "{\"name\": \"shop\", \"dependencies\": {\"svelte\": \"5\", \"shop-core\": \"1\"}}\n";
    let root = repository(
        &desk,
        &[
            ("package.json", manifest),
            ("core/package.json", "{\"name\": \"shop-core\"}\n"),
            // A package that extends Nuxt for other projects.
            ("nuxt/package.json", "{\"name\": \"@shop/nuxt\", \"dependencies\": {\"nuxt\": \"3\"}}\n"),
            ("tests/fixtures/package.json", "{\"dependencies\": {\"next\": \"1\"}}\n"),
            ("src/cart.ts", CART),
        ],
    );
    let told = code(&desk, &root, &["metadata"]);
    assert_eq!(told["dependencies"], serde_json::json!(["svelte", "nuxt"]), "{told}");
    assert_eq!((&told["dependencyCount"], &told["framework"]), (&2.into(), &"Svelte".into()), "{told}");
}

#[test]
fn each_worktree_has_its_own_view_and_one_that_is_gone_is_no_harm() {
    let desk = Desk::new();
    let root = shop(&desk);
    let other = root.parent().unwrap().join("shop-work");
    git(&root, &["worktree", "add", "-q", "-b", "work", other.to_str().unwrap()]);
    write(&other, "src/cart.ts", &CART.replace("cartTotal", "cartSum"));
    let first = |root: &Path, name: &str| {
        let found = code(&desk, root, &["refs", name]);
        found["definitions"].as_array().unwrap().len()
    };
    assert_eq!((first(&root, "cartTotal"), first(&root, "cartSum")), (1, 0));
    assert_eq!((first(&other, "cartTotal"), first(&other, "cartSum")), (0, 1));
    std::fs::remove_dir_all(&other).unwrap();
    assert_eq!((first(&root, "cartTotal"), first(&root, "cartSum")), (1, 0));
}

#[test]
fn the_first_index_of_a_worktree_parses_only_what_differs() {
    let desk = Desk::new();
    let root = shop(&desk);
    write(&root, "src/here.ts", "export const onlyHere = 1;\n");
    code(&desk, &root, &["reindex"]);
    let other = root.parent().unwrap().join("shop-work");
    git(&root, &["worktree", "add", "-q", "-b", "work", other.to_str().unwrap()]);
    write(&other, "src/cart.ts", &CART.replace("cartTotal", "cartSum"));
    let first = code(&desk, &other, &["reindex"]);
    let counts = ["added", "changed", "removed", "unchanged"].map(|key| first[key].as_u64());
    assert_eq!(counts, [Some(0), Some(1), Some(1), Some(3)], "{first}");
    let answers = || {
        let asked: [&[&str]; 5] =
            [&["search", "cartSum"], &["refs", "cartSum"], &["refs", "onlyHere"], &["map"], &["patterns"]];
        asked.map(|words| code(&desk, &other, words))
    };
    let copied = answers();
    std::fs::remove_dir_all(desk.plimsoll().join("projects")).unwrap();
    // Without another index to begin with, all four are new.
    assert_eq!(code(&desk, &other, &["reindex"])["added"], 4);
    assert_eq!(copied, answers());
    assert_eq!(code(&desk, &root, &["refs", "cartTotal"])["definitions"][0]["file"], "src/cart.ts");
}

#[test]
fn a_sparse_checkout_is_what_is_there_and_grows_with_it() {
    let desk = Desk::new();
    let root = shop(&desk);
    git(&root, &["sparse-checkout", "set", "--no-cone", "/src/", "/package.json"]);
    code(&desk, &root, &["search", "cart"]);
    let status = code(&desk, &root, &["status"]);
    assert_eq!((&status["stats"]["files"], &status["sparse"]), (&3.into(), &true.into()), "{status}");
    let absent = code(&desk, &root, &["refs", "describeCart"]);
    let note = absent["note"].as_str().unwrap_or_default();
    assert!(note.ends_with("has the word; what isn't checked out isn't known"), "{absent}");
    git(&root, &["sparse-checkout", "disable"]);
    assert_eq!(code(&desk, &root, &["status"]).get("sparse"), None);
    let absent = code(&desk, &root, &["refs", "describeCart"]);
    assert!(absent["note"].as_str().unwrap_or_default().ends_with("has the word"), "{absent}");
    let found = code(&desk, &root, &["refs", "cartTotal", "--limit", "50"]);
    assert!(found["usages"].to_string().contains("test/cart.test.ts"), "{found}");
    assert_eq!(code(&desk, &root, &["status"])["stats"]["files"], 4);
}

/// A real branch, switched while the worker reads.
#[test]
fn another_branch_is_what_the_next_answer_says() {
    let desk = Desk::new();
    let root = shop(&desk);
    code(&desk, &root, &["search", "cart"]);
    git(&root, &["checkout", "-q", "-b", "work"]);
    for n in 0..200 {
        write(
            &root,
            &format!("src/many{n}.ts"),
            &format!("export function many{n}() {{\n  return {n};\n}}\n"),
        );
    }
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "Many"]);
    let mut worker = desk.command(&["code-worker", "update", root.to_str().unwrap()]);
    let mut worker = worker.current_dir(&root).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    git(&root, &["checkout", "-q", "main"]);
    let found = code(&desk, &root, &["refs", "many7"]);
    assert_eq!(found["definitions"].as_array().unwrap().len(), 0, "{found}");
    worker.wait().unwrap();
    code(&desk, &root, &["search", "cart"]);
    assert_eq!(code(&desk, &root, &["status"])["stats"]["files"], 4);
}

/// A file that needs more memory than the worker may use crashes it; it is indexed by lines, and everything else
/// normally.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_needs_too_much_memory_is_left_to_its_lines() {
    let desk = Desk::new();
    let root = shop(&desk);
    let dense: String = (0..80_000).map(|n| format!("a(b,[c,{}]);\n", n % 10)).collect();
    write(&root, "src/dense.ts", &dense);
    desk.write(".plimsoll/settings.toml", "[codebase]\nworker_memory_mb = 64\n");
    let found = code(&desk, &root, &["search", "cartTotal"]);
    assert_eq!(found["results"][0]["symbol"], "cartTotal", "{found}");
    let status = code(&desk, &root, &["status"]);
    assert_eq!(status["languages"]["typescript"]["fatal"], 1, "{status}");
    assert_eq!(status["stats"]["files"], 5, "{status}");
}

/// The specification's commands, with `plimsoll code` before them, and the fields of each answer.
#[test]
fn the_specifications_examples_give_its_shapes() {
    let desk = Desk::new();
    let root = shop(&desk);
    write(&root, "CONTRIBUTING.md", "# Contributing\n\n## Naming\n\nFunctions say what they give.\n");
    write(&root, "src/features/sale.ts", "export const HALF = 0.5;\n");
    let examples: &[(&[&str], &[&str])] = &[
        (&["status"], &["status", "rootPath"]),
        (
            &["search", "--query", "cart total", "--intent", "edit"],
            &["status", "searchQuality", "budget", "results", "preflight"],
        ),
        (
            &[
                "search", "--query", "cart", "--intent", "explore", "--limit", "3", "--lang", "ts",
                "--layer", "src",
            ],
            &["results"],
        ),
        (
            &["refs", "--symbol", "cartTotal", "--limit", "10"],
            &["symbol", "usageCount", "usages", "confidence", "isComplete"],
        ),
        (&["cycles", "--scope", "src/features"], &["cycles", "count", "graphStats", "advice"]),
        (&["reindex", "--incremental"], &["status"]),
        (&["reindex", "--incremental", "--reason", "branch"], &["status"]),
        (
            &["metadata"],
            &["name", "languages", "dependencies", "architecture", "projectStructure", "statistics"],
        ),
        (&["style-guide", "--query", "naming"], &["status", "results"]),
        (&["style-guide", "--category", "naming"], &["results"]),
        (&["patterns", "--category", "all"], &["patterns", "goldenFiles", "conflicts"]),
        (&["patterns", "--category", "testing"], &["patterns"]),
        (&["patterns", "--category", "libraries"], &["patterns"]),
        (&["patterns", "--category", "di"], &["patterns"]),
        (&["patterns", "--category", "state"], &["patterns"]),
        (&["patterns", "--category", "imports"], &["patterns", "styles"]),
        (&["patterns", "--category", "naming"], &["patterns", "naming"]),
    ];
    for (words, fields) in examples {
        let answer = code(&desk, &root, words);
        for field in *fields {
            assert!(answer.get(*field).is_some(), "{words:?} has no {field}: {answer}");
        }
    }
    let found = code(&desk, &root, &["search", "--query", "cartTotal", "--intent", "edit"]);
    for field in ["file", "summary", "score", "type", "importedByCount", "symbol"] {
        assert!(found["results"][0].get(field).is_some(), "{field}: {found}");
    }
    let card = &found["preflight"];
    assert!(card["ready"].is_boolean() && card["impact"]["coverage"].is_string(), "{card}");
    let full = code(&desk, &root, &["search", "--query", "cartTotal", "--mode", "full"]);
    assert_eq!(full["results"][0]["relationships"]["hasTests"], true, "{full}");
    assert!(full["results"][0]["hints"]["tests"][0].is_string(), "{full}");
    let refs = code(&desk, &root, &["refs", "--symbol", "cartTotal"]);
    for field in ["file", "line", "preview"] {
        assert!(refs["usages"][0].get(field).is_some(), "{field}: {refs}");
    }
}
