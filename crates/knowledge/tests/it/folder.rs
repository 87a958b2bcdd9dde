//! Which files of a folder are indexed, what is counted, and how the knowledge base follows the files.

use std::fs;
use std::path::{Path, PathBuf};

use plimsoll_knowledge::folder::{Origin, Skipped, WalkOptions, index, index_file, walk};

use crate::common::{Temp, request, temp};

fn put(root: &Path, files: &[(&str, &str)]) {
    for (name, content) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("parent")).expect("folder");
        fs::write(path, content).expect("write");
    }
}

fn names(root: &Path, files: &[PathBuf]) -> Vec<String> {
    files.iter().map(|f| f.strip_prefix(root).expect("below").to_string_lossy().replace('\\', "/")).collect()
}

fn project() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("temp");
    let root = dir.path().join("project");
    put(
        &root,
        &[
            (".gitignore", "target/\n*.log\n!keep.log\n"),
            ("README.md", "# Read me\n\nThe walrus guide.\n"),
            ("src/main.rs", "fn main() {\n    start_walrus();\n}\n"),
            ("src/.gitignore", "generated.rs\n"),
            ("src/generated.rs", "fn generated() {}\n"),
            ("src/deep/.ignore", "secret.txt\n"),
            ("src/deep/secret.txt", "walrus"),
            ("src/deep/shown.txt", "a walrus is shown"),
            ("docs/.rgignore", "draft.md\n"),
            ("docs/draft.md", "walrus"),
            ("docs/done.md", "# Done\n\nwalrus\n"),
            ("target/debug/out.txt", "walrus"),
            ("a.log", "walrus"),
            ("keep.log", "walrus kept"),
            (".env", "WALRUS=1"),
            (".github/workflows/ci.yml", "on: push # walrus"),
            (".hidden/x.md", "walrus"),
            ("private/key.txt", "walrus"),
            ("image.png", "not really"),
            (".git/config", "[core]"),
        ],
    );
    fs::write(root.join("data.bin2"), b"\x7fELF\0\0\0walrus").expect("write");
    fs::write(root.join("huge.txt"), "walrus ".repeat(1_000)).expect("write");
    #[cfg(unix)]
    std::os::unix::fs::symlink(root.join("README.md"), root.join("link.md")).expect("link");
    (dir, root)
}

fn options<'a>(deny: &'a dyn Fn(&Path) -> bool) -> WalkOptions<'a> {
    WalkOptions { deny_read: deny, max_file_bytes: 5_000, ..WalkOptions::default() }
}

#[test]
fn every_file_is_taken_or_counted() {
    let (_dir, root) = project();
    let deny = |path: &Path| path.ends_with("private");
    let found = walk(&root, &options(&deny)).expect("walk");
    assert_eq!(
        names(&root, &found.files),
        [
            ".github/workflows/ci.yml",
            "README.md",
            "docs/done.md",
            "keep.log",
            "src/deep/shown.txt",
            "src/main.rs"
        ]
    );
    let expected = Skipped {
        binary: 2,
        huge: 1,
        ignored: 5,
        // Three .gitignore-like files, .env, .hidden, and the root's own .gitignore.
        hidden: 6,
        denied: 1,
        symlink: u64::from(cfg!(unix)),
        ..Skipped::default()
    };
    assert_eq!(found.skipped, expected);
}

#[test]
fn patterns_choose_and_a_broken_one_is_named() {
    let (_dir, root) = project();
    let deny = |_: &Path| false;
    let list = |include: &[&str], exclude: &[&str]| {
        let own = |p: &[&str]| p.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let options = WalkOptions { include: own(include), exclude: own(exclude), ..options(&deny) };
        walk(&root, &options).map(|w| names(&root, &w.files))
    };
    assert_eq!(list(&["*.rs"], &[]).expect("walk"), ["src/main.rs"]);
    assert_eq!(list(&["docs"], &[]).expect("walk"), ["docs/done.md"]);
    assert_eq!(list(&[".hidden/**"], &[]).expect("walk"), [".hidden/x.md"]);
    assert!(!list(&[], &["src"]).expect("walk").iter().any(|n| n.starts_with("src")));
    let error = list(&["[bad"], &[]).expect_err("pattern").to_string();
    assert!(error.contains("[bad"), "{error}");
    assert!(walk(&root.join("none"), &options(&deny)).is_err());
}

fn run(t: &mut Temp, root: &Path, now_ms: i64) -> plimsoll_knowledge::folder::FolderIndexResult {
    let deny = |_: &Path| false;
    let origin = Origin { label: Some("project"), now_ms, ..Origin::default() };
    index(&mut t.store, root, &options(&deny), &origin, &mut |_| true).expect("index")
}

/// A time long after every file was written, so that time stamps can be trusted.
const LATER: i64 = 4_000_000_000_000;

#[test]
fn a_second_run_reads_only_what_changed() {
    let (_dir, root) = project();
    let mut t = temp();
    let mut steps = 0;
    let deny = |_: &Path| false;
    let origin = Origin { label: Some("project"), now_ms: LATER, ..Origin::default() };
    let first = index(&mut t.store, &root, &options(&deny), &origin, &mut |p| {
        steps += 1;
        p.done <= p.total
    })
    .expect("index");
    assert_eq!((first.files, first.added, first.changed), (7, 7, 0));
    assert!(steps >= 7);
    assert_eq!(t.store.sources(0, 10).expect("list").total, 1);

    let second = run(&mut t, &root, LATER + 1);
    assert_eq!(
        (second.unchanged, second.added, second.changed, second.removed, second.chunks, second.bytes),
        (7, 0, 0, 0, 0, 0)
    );

    fs::write(root.join("README.md"), "# Read me\n\nThe narwhal guide, longer than it was.\n")
        .expect("write");
    fs::remove_file(root.join("keep.log")).expect("remove");
    put(&root, &[("docs/new.md", "# New\n\nnarwhal\n")]);
    let third = run(&mut t, &root, LATER + 2);
    assert_eq!((third.files, third.unchanged, third.added, third.changed, third.removed), (7, 5, 1, 1, 1));
    assert_eq!(t.find("narwhal").total, 2);
    assert_eq!(t.find("kept").total, 0);
    assert!(t.store.index_is_sound().expect("check"));

    let request = |source: &str| plimsoll_knowledge::SearchRequest {
        source: Some(source.into()),
        limit: 20,
        ..request(&["walrus"])
    };
    let in_folder = t.store.search(&request("project")).expect("search");
    let in_docs = t.store.search(&request("project/docs/")).expect("search");
    assert!(in_folder.per_query[0].total > in_docs.per_query[0].total && in_docs.per_query[0].total == 1);
}

#[test]
fn other_patterns_add_and_only_what_is_gone_excluded_or_forbidden_goes() {
    let (_dir, root) = project();
    let mut t = temp();
    let mut now_ms = LATER;
    let mut run = |include: &[&str], exclude: &[&str], deny: &dyn Fn(&Path) -> bool| {
        let own = |p: &[&str]| p.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let options = WalkOptions { include: own(include), exclude: own(exclude), ..options(deny) };
        now_ms += 1;
        let origin = Origin { label: Some("project"), now_ms, ..Origin::default() };
        let done = index(&mut t.store, &root, &options, &origin, &mut |_| true).expect("index");
        (done.files, done.added, done.kept, done.removed)
    };
    let nothing = |_: &Path| false;
    assert_eq!(run(&["*.rs"], &[], &nothing), (1, 1, 0, 0));
    assert_eq!(run(&["*.md"], &[], &nothing), (3, 2, 1, 0), "another pattern adds");
    assert_eq!(run(&["docs/*.md"], &[], &nothing), (3, 0, 2, 0), "a narrower one removes nothing");
    fs::remove_file(root.join("README.md")).expect("remove");
    assert_eq!(run(&["*.rs"], &[], &nothing), (2, 0, 1, 1), "what is gone goes");
    assert_eq!(run(&["*.rs"], &["docs"], &nothing), (1, 0, 0, 1), "what is excluded goes");
    put(&root, &[("docs/new.md", "# New\n\nnarwhal\n")]);
    assert_eq!(run(&["*.md"], &[], &nothing), (3, 2, 1, 0));
    let forbidden = |path: &Path| path.ends_with("src");
    assert_eq!(run(&["*.md"], &[], &forbidden), (2, 0, 0, 1), "what rules forbid goes");
    // The walk doesn't look into hidden folders unless a pattern names them.
    assert_eq!(run(&[".hidden/**"], &[], &nothing), (3, 1, 2, 0));
    assert_eq!(run(&["*.md"], &[], &nothing).2, 1, "what an earlier run stored from a hidden folder stays");
    assert_eq!(run(&[], &[], &nothing).3, 0, "also without patterns");
    let forbidden = |path: &Path| path.ends_with(".hidden");
    assert_eq!(run(&["*.md"], &[], &forbidden).3, 1, "unless rules forbid it");
    assert_eq!(run(&[".hidden/**"], &[], &nothing).1, 1);
    assert_eq!(run(&["*.md"], &[".hidden"], &nothing).3, 1, "or it's excluded");
    assert_eq!(run(&[".hidden/**"], &[], &nothing).1, 1);
    fs::remove_file(root.join(".hidden/x.md")).expect("remove");
    assert_eq!(run(&["*.md"], &[], &nothing).3, 1, "or it's gone");
    assert_eq!(run(&[], &[], &nothing).2, 0, "without patterns, everything is looked at");
}

#[test]
fn a_stopped_run_keeps_what_it_did_and_removes_nothing() {
    let (_dir, root) = project();
    let mut t = temp();
    run(&mut t, &root, LATER);
    fs::remove_file(root.join("keep.log")).expect("remove");
    let deny = |_: &Path| false;
    let origin = Origin { label: Some("project"), now_ms: LATER, ..Origin::default() };
    let stopped = index(&mut t.store, &root, &options(&deny), &origin, &mut |p| p.done < 2).expect("index");
    assert!(stopped.stopped && stopped.removed == 0);
    assert_eq!(t.find("kept").total, 1);
}

/// A search or a purge may come in between the batches of a long run.
#[test]
fn a_folder_that_is_purged_meanwhile_does_not_come_back() {
    let (_dir, root) = project();
    for number in 0..200 {
        put(&root, &[(&format!("pages/{number}.md"), "# Page\n\nThe narwhal is grey.\n")]);
    }
    let mut t = temp();
    let deny = |_: &Path| false;
    let origin = Origin { label: Some("project"), now_ms: LATER, ..Origin::default() };
    let path = t.store.path().to_path_buf();
    let mut purged = false;
    let mut purge = |p: plimsoll_knowledge::folder::Progress| {
        if p.done == 100 {
            let mut other = plimsoll_knowledge::Store::open(&path).expect("open");
            other.purge(&plimsoll_knowledge::PurgeScope::All, None, LATER).expect("purge");
            purged = true;
        }
        true
    };
    let report = index(&mut t.store, &root, &options(&deny), &origin, &mut purge).expect("index");
    assert!(purged && report.stopped && report.added < 200);
    assert_eq!(t.find("narwhal").total, 0);
    assert_eq!(t.store.stats().expect("stats").sources, 0);
}

#[test]
fn changed_files_are_read_again_when_searched() {
    let (_dir, root) = project();
    let mut t = temp();
    run(&mut t, &root, LATER);
    let alone = root.join("alone.txt");
    fs::write(&alone, "the octopus waits").expect("write");
    index_file(&mut t.store, &alone, 1_000, &Origin { now_ms: LATER, ..Origin::default() }).expect("file");

    fs::write(root.join("README.md"), "# Read me\n\nThe manatee guide, longer than it was.\n")
        .expect("write");
    fs::remove_file(root.join("keep.log")).expect("remove");
    fs::remove_file(&alone).expect("remove");
    let allow = |_: &Path| false;
    let (reply, refreshed) =
        t.store.search_fresh(&request(&["manatee", "kept", "octopus"]), &allow, LATER + 1).expect("search");
    assert_eq!((refreshed.changed, refreshed.removed), (1, 1));
    let totals: Vec<u64> = reply.per_query.iter().map(|q| q.total).collect();
    assert_eq!(totals, [1, 0, 1], "a file indexed by itself may be all that is left of it");

    fs::write(root.join("README.md"), "# Read me\n\nNow the dugong, and it is forbidden.\n").expect("write");
    let deny = |path: &Path| path.ends_with("README.md");
    let (reply, _) =
        t.store.search_fresh(&request(&["dugong", "manatee"]), &deny, LATER + 2).expect("search");
    assert_eq!((reply.per_query[0].total, reply.per_query[1].total), (0, 1));
}

#[test]
fn single_files_are_indexed_or_refused_with_a_reason() {
    let mut t = temp();
    let dir = t.dir.path().to_path_buf();
    let origin = Origin { now_ms: 1, ..Origin::default() };
    let pdf =
        Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("tests/fixtures/hello.pdf");
    index_file(&mut t.store, &pdf, 100_000, &origin).expect("pdf");
    assert_eq!(t.find("lighthouse").total, 1);
    fs::write(dir.join("latin.txt"), b"caf\xe9 walrus").expect("write");
    index_file(&mut t.store, &dir.join("latin.txt"), 100, &origin).expect("latin");
    assert!(t.find("walrus").hits[0].snippet.contains("café"));
    fs::write(dir.join("x.bin"), [0u8; 40]).expect("write");
    for (path, limit, words) in [
        ("x.bin", 100, "not a text file"),
        ("latin.txt", 3, "files of up to 3"),
        ("none", 9, "none"),
        (".", 9, "not a file"),
    ] {
        let error = index_file(&mut t.store, &dir.join(path), limit, &origin).expect_err(path).to_string();
        assert!(error.contains(words), "{error}");
    }
}

const TIDES: &str = "<!doctype html><html><head><title>Tides</title><script>var scriptword = 1;</script></head><body>\
<nav>navword</nav><h1>Tides</h1><p>High water at the <b>pier</b>.</p><div style=\"display:none\">hiddenword</div>\
<table><tr><th>Port</th><th>Height</th></tr><tr><td>Hamburg</td><td>3.1</td></tr></table></body></html>";

/// A saved page and a fetched one are the same text: no tags, no scripts, nothing that its readers don't see.
#[test]
fn html_files_are_read_like_fetched_pages() {
    let mut t = temp();
    let dir = tempfile::tempdir().expect("temp");
    let root = dir.path().join("site");
    put(&root, &[("tides.html", TIDES), ("part.vue", "<template><p>scriptword</p></template>")]);
    let origin = Origin { label: Some("site"), now_ms: LATER, ..Origin::default() };
    let deny = |_: &Path| false;
    index(&mut t.store, &root, &options(&deny), &origin, &mut |_| true).expect("folder");
    index_file(&mut t.store, &root.join("tides.html"), 9_000, &Origin { now_ms: LATER, ..Origin::default() })
        .expect("file");
    for source in ["site/tides.html", &root.join("tides.html").display().to_string()] {
        let text = t.store.source_text(source).expect("text").text;
        assert!(text.starts_with("# Tides\n\nHigh water at the **pier**."), "{text}");
        assert!(text.contains("| Hamburg | 3.1"), "{text}");
        for unseen in ["scriptword", "navword", "hiddenword", "<"] {
            assert!(!text.contains(unseen), "{unseen}: {text}");
        }
    }
    let hit = t.find("Hamburg").hits.remove(0);
    assert!(hit.other_lines, "its lines are not the file's");
    assert_eq!(hit.title, "Tides");
    assert!(!t.find("scriptword").hits[0].other_lines);

    put(&root, &[("tides.html", &TIDES.replace("High water", "Lowest water"))]);
    let (reply, refreshed) = t.store.search_fresh(&request(&["lowest"]), &deny, LATER + 1).expect("search");
    assert_eq!(refreshed.changed, 2);
    assert!(reply.per_query[0].hits[0].snippet.contains("Lowest water at the **pier**"));
}

#[test]
fn a_changed_pdf_is_read_again_and_a_document_without_text_is_left_out_by_name() {
    let mut t = temp();
    let dir = t.dir.path().join("papers");
    let fixtures = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("tests/fixtures");
    let pdf = fs::read(fixtures.join("hello.pdf")).expect("fixture");
    put(&dir, &[("letter.pdf", "not yet one")]);
    let letter = dir.join("letter.pdf");
    let origin = Origin { now_ms: LATER, ..Origin::default() };
    index_file(&mut t.store, &letter, 100_000, &origin).expect("text");
    fs::write(&letter, pdf).expect("write");
    let (reply, refreshed) =
        t.store.search_fresh(&request(&["lighthouse"]), &|_| false, LATER + 1).expect("search");
    assert_eq!((refreshed.changed, reply.per_query[0].total), (1, 1));

    let zip: Vec<u8> = b"PK\x03\x04".iter().copied().chain([0, 7].repeat(60)).collect();
    fs::write(dir.join("report.docx"), zip).expect("write");
    let refused = index_file(&mut t.store, &dir.join("report.docx"), 100_000, &origin).expect_err("docx");
    assert!(
        refused.to_string().contains("report.docx: it is a ZIP archive or an Office document"),
        "{refused}"
    );
    let deny = |_: &Path| false;
    let found = walk(&dir, &options(&deny)).expect("walk");
    assert_eq!((found.files.len(), found.skipped.binary), (0, 2));
}

#[test]
fn force_reads_files_that_seem_unchanged() {
    let (_dir, root) = project();
    let mut t = temp();
    run(&mut t, &root, LATER);
    let deny = |_: &Path| false;
    let origin = Origin { label: Some("project"), now_ms: LATER + 1, force: true, ..Origin::default() };
    let forced = index(&mut t.store, &root, &options(&deny), &origin, &mut |_| true).expect("index");
    assert!(forced.bytes > 0, "read");
    assert_eq!((forced.unchanged, forced.added, forced.changed, forced.removed), (7, 0, 0, 0));
}

#[test]
fn a_source_that_is_read_is_its_file_as_it_is_now() {
    let (_dir, root) = project();
    let mut t = temp();
    run(&mut t, &root, LATER);
    let read = |t: &mut Temp, deny: bool| {
        let rule = move |_: &Path| deny;
        t.store.source_text_fresh("project/README.md", &rule, LATER + 1).map(|found| found.text)
    };
    assert!(read(&mut t, false).expect("text").contains("walrus"));
    fs::write(root.join("README.md"), "# Read me\n\nThe narwhal guide, longer than it was.\n")
        .expect("write");
    assert!(read(&mut t, true).expect("text").contains("walrus"), "a forbidden file isn't read");
    assert!(read(&mut t, false).expect("text").contains("narwhal"));
    fs::remove_file(root.join("README.md")).expect("remove");
    assert!(read(&mut t, false).is_err());
}
