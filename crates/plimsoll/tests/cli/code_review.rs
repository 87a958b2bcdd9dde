//! `plimsoll code review` where a diff removes, moves or only marks files, is large, or where branches are left over.

use std::path::Path;

use super::code_git::{code, git, repository, write};
use super::desk::Desk;

pub(crate) fn printed(desk: &Desk, root: &Path) -> String {
    desk.run_in(root, &["code", "review"]).ended(0).out
}

#[test]
fn remaining_importers_of_a_removed_file_are_named() {
    let desk = Desk::new();
    let root = repository(
        &desk,
        &[
            ("package.json", "{\"name\": \"shop\"}\n"),
            ("src/a.ts", "export const a = 1;\n"),
            ("src/b.ts", "export const b = 1;\n"),
            ("src/u.ts", "import { b } from './b';\nimport { a } from './a';\nexport const u = a + b;\n"),
            ("src/v.ts", "import { a } from './a';\nexport const v = a;\n"),
            ("app/__init__.py", ""),
            ("app/models.py", "X = 1\n"),
            ("app/views.py", "from app import models\n"),
            ("rs/Cargo.toml", "[package]\nname = \"rs\"\n"),
            ("rs/src/lib.rs", "pub mod net;\npub mod run;\n"),
            ("rs/src/net.rs", "pub fn open() {}\n"),
            ("rs/src/run.rs", "use crate::net::open;\n"),
        ],
    );
    git(&root, &["mv", "src/a.ts", "src/z.ts"]);
    // A file that takes the removed one's place, and one that no longer imports it.
    std::fs::remove_file(root.join("src/b.ts")).unwrap();
    write(&root, "src/b/index.ts", "export const b = 1;\n");
    write(&root, "src/v.ts", "export const v = 1;\n");
    std::fs::remove_file(root.join("app/models.py")).unwrap();
    std::fs::remove_file(root.join("rs/src/net.rs")).unwrap();
    write(&root, "rs/src/lib.rs", "pub mod run;\n");
    let out = printed(&desk, &root);
    for part in [
        "- **high**: line 2 imports `./a`, whose file is gone (`src/u.ts`)",
        "- **high**: line 1 imports `app`, whose file is gone (`app/views.py`)",
        "- **high**: line 1 imports `crate::net::open`, whose file is gone (`rs/src/run.rs`)",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert_eq!(out.matches("whose file is gone").count(), 3, "{out}");
}

#[test]
fn a_changed_or_new_file_that_imports_a_removed_one_is_named_as_well() {
    let desk = Desk::new();
    let user = "import { one } from './one';\nexport const two = one + 1;\n";
    let root = repository(
        &desk,
        &[
            ("src/one.ts", "export const one = 1;\n"),
            ("src/changed.ts", user),
            ("src/mended.ts", user),
            ("rs/Cargo.toml", "[package]\nname = \"rs\"\n"),
            ("rs/src/lib.rs", "pub mod net;\npub mod run;\n"),
            ("rs/src/net.rs", "pub fn open() {}\n"),
            ("rs/src/run.rs", "use crate::net::open;\n"),
        ],
    );
    std::fs::remove_file(root.join("src/one.ts")).unwrap();
    write(&root, "src/changed.ts", &format!("{user}export const three = two + 1;\n"));
    write(&root, "src/mended.ts", "export const two = 2;\n");
    write(&root, "src/new.ts", "import { one } from './one';\nexport const four = one + 3;\n");
    // Its module is another file now.
    std::fs::remove_file(root.join("rs/src/net.rs")).unwrap();
    write(&root, "rs/src/net/mod.rs", "pub fn open() {}\n\npub fn shut() {}\n");
    write(&root, "rs/src/run.rs", "use crate::net::open;\n\npub fn run() {\n    open();\n}\n");
    let out = printed(&desk, &root);
    for file in ["src/changed.ts", "src/new.ts"] {
        let told = format!("- **high**: line 1 imports `./one`, whose file is gone (`{file}`)");
        assert!(out.contains(&told), "{file}\n{out}");
    }
    assert_eq!(out.matches("whose file is gone").count(), 2, "{out}");
}

#[test]
fn new_lines_that_look_risky_are_named() {
    let desk = Desk::new();
    let own = "def run(x):\n    return eval(x)\n";
    let old = "def go(y):\n    return eval(y)\n\n\ndef stop():\n    return 1\n";
    let tested = "def get(url):\n    return requests.get(url, verify=False)\n";
    let files = [
        ("app/run.py", own),
        ("app/old.py", old),
        ("tests/test_run.py", "A = 1\n"),
        ("tests/test_get.py", tested),
    ];
    let root = repository(&desk, &files);
    let get = "import requests\n\n\ndef get(url):\n    return requests.get(url, verify=False)\n\n\n";
    write(&root, "app/run.py", &format!("{get}{own}"));
    write(&root, "tests/test_run.py", "A = eval(B)\n");
    // What only a test did is new in the product.
    write(&root, "tests/test_get.py", "def get(url):\n    return None\n");
    git(&root, &["mv", "app/old.py", "app/new.py"]);
    write(&root, "app/new.py", &old.replace('1', "2"));
    let out = printed(&desk, &root);
    let told = "- **high**: line 5: a check of certificates is switched off (`verify`) (`app/run.py`)";
    assert!(out.contains(told), "{out}");
    // One was there before, one in a file of another name, and one is in a test.
    assert!(!out.contains("run as code"), "{out}");
}

#[test]
fn a_secret_is_named_in_files_that_the_index_does_not_have() {
    let desk = Desk::new();
    let root = repository(&desk, &[("app/run.py", "A = 1\n"), (".netrc", "machine shop\n")]);
    let key = "-----BEGIN RSA PRIVATE KEY-----\nFakeFakeFakeFakeFakeFakeFakeFake\n";
    write(&root, "app/id_rsa", key);
    write(&root, ".netrc", &format!("machine shop\n{key}"));
    write(&root, "tests/id_rsa", key);
    let out = printed(&desk, &root);
    assert!(out.contains("- **high**: line 1: this looks like a secret (`app/id_rsa`)"), "{out}");
    assert!(out.contains("- **high**: line 2: this looks like a secret (`.netrc`)"), "{out}");
    // What only tests use isn't one.
    assert_eq!(out.matches("this looks like a secret").count(), 2, "{out}");
}

#[test]
fn a_renamed_file_is_not_reported_as_removed_and_added() {
    let desk = Desk::new();
    let cart = "export function total(items: number[]) {\n  return items.length;\n}\n";
    let root = repository(
        &desk,
        &[
            ("package.json", "{\"name\": \"shop\"}\n"),
            ("src/cart.ts", cart),
            ("src/page.ts", "import { total } from './cart';\nexport const page = total([]);\n"),
            ("tests/old.test.ts", "import { page } from '../src/page';\ntest('page', () => page);\n"),
        ],
    );
    git(&root, &["mv", "src/cart.ts", "src/bag.ts"]);
    git(&root, &["mv", "tests/old.test.ts", "tests/page.test.ts"]);
    let out = printed(&desk, &root);
    for part in [
        "\n2 files, 0 lines added, 0 removed.\n",
        "- **high**: line 1 imports `./cart`, whose file is gone (`src/page.ts`)",
        "\n- renamed `src/bag.ts` from `src/cart.ts` (+0 −0)\n",
        "\n- renamed `tests/page.test.ts` from `tests/old.test.ts` (+0 −0)",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert!(!out.contains("a test is gone") && !out.contains("function `total`"), "{out}");
}

#[test]
fn a_module_that_became_part_of_its_parent_is_not_reported_removed() {
    let desk = Desk::new();
    let root = repository(
        &desk,
        &[
            ("Cargo.toml", "[package]\nname = \"rs\"\n"),
            ("src/lib.rs", "pub mod net;\npub mod disk;\npub mod run;\n"),
            ("src/net.rs", "pub fn open() {}\n"),
            ("src/disk/mod.rs", "pub mod tape;\n"),
            ("src/disk/tape/mod.rs", "pub fn wind() {}\n"),
            ("src/run.rs", "use crate::disk::tape::wind;\nuse crate::net::open;\n"),
        ],
    );
    std::fs::remove_file(root.join("src/net.rs")).unwrap();
    std::fs::remove_file(root.join("src/disk/tape/mod.rs")).unwrap();
    write(&root, "src/lib.rs", "pub mod net {\n    pub fn open() {}\n}\npub mod disk;\npub mod run;\n");
    write(&root, "src/disk/mod.rs", "pub mod tape {\n    pub fn wind() {}\n}\n");
    let out = printed(&desk, &root);
    assert!(!out.contains("whose file is gone"), "{out}");
    write(&root, "src/lib.rs", "pub mod disk;\npub mod run;\n");
    let out = printed(&desk, &root);
    assert!(out.contains("line 2 imports `crate::net::open`, whose file is gone (`src/run.rs`)"), "{out}");
    assert_eq!(out.matches("whose file is gone").count(), 1, "{out}");
}

#[test]
fn files_without_line_diffs_count_as_changed() {
    let desk = Desk::new();
    let root = repository(
        &desk,
        &[
            (".gitattributes", "*.lock -diff\n"),
            ("Cargo.lock", "one\n"),
            ("logo.png", "\u{0}one"),
            ("run.sh", "echo\n"),
            ("sub/readme", "one\n"),
        ],
    );
    git(&root, &["rm", "-q", "-r", "--cached", "sub"]);
    let sub = root.join("sub");
    git(&sub, &["init", "-q"]);
    git(&sub, &["add", "-A"]);
    git(&sub, &["commit", "-q", "-m", "One"]);
    git(&root, &["add", "sub"]);
    git(&root, &["commit", "-q", "-m", "Two"]);
    assert!(printed(&desk, &root).contains("Nothing changed."));
    // Edits in a submodule don't belong to this project.
    write(&sub, "readme", "two\n");
    assert!(printed(&desk, &root).contains("Nothing changed."));
    git(&sub, &["commit", "-qam", "Two"]);
    write(&root, "Cargo.lock", "two\n");
    write(&root, "logo.png", "\u{0}two");
    git(&root, &["update-index", "--chmod=+x", "run.sh"]);
    write(&root, "empty.rs", "");
    let mut expected = vec!["Cargo.lock", "empty.rs", "logo.png", "sub"];
    if cfg!(unix) {
        // Elsewhere the file's own mode isn't looked at.
        use_mode(&root.join("run.sh"));
        write(&root, "a\"b.rs", "pub fn quoted() {}\n");
        expected.extend(["a\"b.rs", "run.sh"]);
    }
    git(&root, &["add", "-A"]);
    let data = code(&desk, &root, &["review"]);
    let files = data["files"].as_array().unwrap();
    let mut paths: Vec<&str> = files.iter().map(|file| file["path"].as_str().unwrap()).collect();
    paths.retain(|path| cfg!(unix) || *path != "run.sh");
    expected.sort_unstable();
    assert_eq!(paths, expected, "{data}");
    if cfg!(unix) {
        assert_eq!(
            (&files[1]["added"], &data["symbols"][0]["name"]),
            (&1.into(), &"quoted".into()),
            "{data}"
        );
    }
}

/// Lets the file be run.
fn use_mode(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    #[cfg(not(unix))]
    let _ = path;
}

#[test]
fn a_large_diff_lists_code_first_and_counts_the_rest() {
    let desk = Desk::new();
    let text = |with: &str| {
        let one = |n: usize| format!("export function wide{n:02}({with}) {{\n  return {n};\n}}\n");
        (0..62).map(one).collect::<String>()
    };
    let root = repository(&desk, &[("zoo/wide.ts", text("").as_str())]);
    write(&root, "zoo/wide.ts", &text("a: number"));
    for n in 0..302 {
        write(&root, &format!("notes/n{n:03}.md"), "# Note\n");
    }
    let out = printed(&desk, &root);
    for part in [
        "- function `wide00` in `zoo/wide.ts:1`: takes or gives something else",
        "The uses of 2 more definitions weren't looked for.",
        "3 files weren't looked into for their definitions.",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let data = code(&desk, &root, &["review"]);
    let unknown = data["symbols"].as_array().unwrap().iter().filter(|one| one["usesKnown"] == false);
    assert_eq!(unknown.count(), 2);
}

#[test]
fn an_abandoned_trunk_is_not_the_base() {
    let desk = Desk::new();
    let root = repository(&desk, &[("a.ts", "export const a = 1;\n")]);
    git(&root, &["branch", "master"]);
    write(&root, "b.ts", "export const b = 1;\n");
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "Two"]);
    let out = printed(&desk, &root);
    assert!(out.contains("# Changes since `HEAD`") && out.contains("Nothing changed."), "{out}");
    git(&root, &["checkout", "-q", "-b", "work"]);
    write(&root, "c.ts", "export const c = 1;\n");
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "Three"]);
    let out = printed(&desk, &root);
    assert!(out.contains("# Changes since `main`") && out.contains("1 file,"), "{out}");
}

#[test]
fn importers_of_a_moved_files_old_path_are_reported() {
    let desk = Desk::new();
    let rate = "export function taxRate(country: string) {\n  return country === 'DE' ? 19 : 20;\n}\n";
    let root = repository(
        &desk,
        &[
            ("package.json", "{\"name\": \"shop\"}\n"),
            ("src/cart.ts", format!("export const one = 1;\n{rate}").as_str()),
            (
                "src/page.ts",
                "import { one, taxRate } from './cart';\nexport const page = taxRate('DE') + one;\n",
            ),
            ("src/other.ts", "import { one } from './cart';\nexport const other = one;\n"),
            ("pkg/__init__.py", ""),
            ("pkg/a.py", "def kept():\n    return 1\n\n\ndef moved():\n    return 1\n"),
            ("pkg/b.py", "from pkg.a import moved\n\n\ndef use():\n    return moved()\n"),
        ],
    );
    write(&root, "src/cart.ts", "export const one = 1;\n");
    write(&root, "src/tax.ts", rate);
    write(&root, "pkg/a.py", "def kept():\n    return 1\n");
    write(&root, "pkg/c.py", "def moved():\n    return 1\n");
    let out = printed(&desk, &root);
    for part in [
        "- **high**: line 1 imports `taxRate` from a file that it moved out of (`src/page.ts`)",
        "- **high**: line 1 imports `moved` from a file that it moved out of (`pkg/b.py`)",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert!(!out.contains("other.ts"), "{out}");
    // The old file re-exports it, or its users were changed too.
    write(&root, "src/cart.ts", "export const one = 1;\nexport { taxRate } from './tax';\n");
    write(&root, "pkg/b.py", "from pkg.c import moved\n\n\ndef use():\n    return moved()\n");
    let out = printed(&desk, &root);
    assert!(!out.contains("moved out of"), "{out}");
}

#[test]
fn merge_conflicts_are_reported() {
    let desk = Desk::new();
    let root =
        repository(&desk, &[("src/a.ts", "export const a = 1;\n"), ("src/b.ts", "export const b = 1;\n")]);
    git(&root, &["checkout", "-q", "-b", "work"]);
    write(&root, "src/a.ts", "export const a = 2;\n");
    git(&root, &["commit", "-q", "-a", "-m", "Two"]);
    git(&root, &["checkout", "-q", "main"]);
    write(&root, "src/a.ts", "export const a = 3;\n");
    git(&root, &["commit", "-q", "-a", "-m", "Three"]);
    // It ends with an error, as it should.
    let merged = std::process::Command::new("git")
        .args(["-c", "user.name=x", "-c", "user.email=x@example.com", "merge", "-q", "work"])
        .current_dir(&root)
        .output()
        .unwrap();
    assert!(!merged.status.success());
    write(&root, "src/b.ts", "export const b = 2;\n");
    let out = printed(&desk, &root);
    let told = "- **high**: it's in a merge whose conflicts aren't resolved";
    assert!(out.contains(&format!("{told} (`src/a.ts`)")), "{out}");
    assert_eq!(out.matches(told).count(), 1, "{out}");
}
