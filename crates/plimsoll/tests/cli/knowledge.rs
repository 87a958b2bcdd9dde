//! `index`, `search`, `sources`, `stats`, `purge`: a project's knowledge base from the command line.

use std::path::{Path, PathBuf};

use crate::desk::Desk;

fn project(desk: &Desk) -> PathBuf {
    let project = desk.beside("shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    std::fs::create_dir_all(project.join("docs")).unwrap();
    std::fs::write(project.join("docs/hull.md"), "# Hull\n\nThe load line is painted on both sides.\n")
        .unwrap();
    std::fs::write(project.join("docs/mast.md"), "# Mast\n\nThe mast carries the sails.\n").unwrap();
    project
}

#[test]
fn a_size_and_a_count_read_the_same_wherever_they_are_printed() {
    let desk = Desk::new();
    let project = project(&desk);
    let text = format!("{}.\n", "anchor ".repeat(200));
    let indexed = desk.run_with_input(&project, &["index", "-", "--source", "notes"], &text).ended(0).out;
    // 1,402 bytes; by 1,024 they would be 1.3 KB.
    for (verb, out) in [
        ("index", indexed),
        ("sources", desk.run_in(&project, &["sources"]).ended(0).out),
        ("projects", desk.run_in(&project, &["projects"]).ended(0).out),
        ("stats", desk.run_in(&project, &["stats"]).ended(0).out),
    ] {
        assert!(out.contains(" 1.4 KB") && out.contains(" 1 chunk"), "{verb}: {out}");
        assert!(!out.contains("1 sources") && !out.contains("1 chunks"), "{verb}: {out}");
    }
}

/// The home folder is `~` in every message, and a name that a message printed so is taken as it is.
#[cfg(target_os = "linux")]
#[test]
fn a_path_below_the_home_folder_begins_with_a_tilde() {
    let desk = Desk::new();
    let project = desk.home().join("lab/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    desk.write("lab/shop/mast.md", "# Mast\n\nThe mast carries the sails.\n");
    let home = desk.home().display().to_string();
    let name = "~/lab/shop/mast.md";
    let run = |args: &[&str], code| {
        let ran = desk.run_in(&project, args).ended(code);
        let told = ran.out + &ran.err;
        assert!(told.contains("~/") && !told.contains(&home), "{args:?}: {told}");
        told
    };
    run(&["index", "mast.md"], 0);
    run(&["index", "no-such-file.md"], 3);
    run(&["settings", "import", "no-such-file.toml"], 3);
    run(&["filters", "trust"], 3);
    assert!(run(&["sources"], 0).contains(name));
    assert!(desk.run_in(&project, &["read", name]).ended(0).out.contains("carries the sails"));
    desk.run_in(&project, &["search", "sails", "--source", name]).ended(0);
    run(&["purge", "--source", name, "--dry-run"], 0);
    run(&["purge", "--source", name, "--yes"], 0);
    // A database that can't be read is told by its path, without the error's code.
    let database = desk.home().join(".plimsoll/projects");
    let database = std::fs::read_dir(database).unwrap().next().unwrap().unwrap().path().join("knowledge.db");
    for log in ["knowledge.db-wal", "knowledge.db-shm"] {
        let _ = std::fs::remove_file(database.with_file_name(log));
    }
    std::fs::write(&database, "no database at all, but long enough to look like one ".repeat(200)).unwrap();
    let damaged = run(&["projects"], 0);
    assert!(damaged.contains("is damaged") && !damaged.contains("error storage"), "{damaged}");
}

/// An agent may call a source whatever it likes.
#[test]
fn a_source_whose_name_begins_with_a_tilde_is_found() {
    let desk = Desk::new();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    desk.write("work/shop/mast.md", "# Mast\n\nThe mast carries the sails.\n");
    let run = |args: &[&str]| desk.run_in(&project, args).ended(0).out;
    run(&["index", "mast.md", "--source", "~/mast"]);
    assert!(run(&["read", "~/mast"]).contains("carries the sails"));
    assert!(run(&["search", "sails", "--source", "~/mast"]).contains("carries the sails"));
    run(&["purge", "--source", "~/mast", "--yes"]);
    desk.run_in(&project, &["read", "~/mast"]).ended(3);
}

/// The other commands take the same path as `index` did, in the folder where it was typed.
#[test]
fn a_source_is_found_by_the_path_it_was_indexed_by() {
    let desk = Desk::new();
    let project = project(&desk);
    let docs = project.join("docs");
    desk.run_in(&docs, &["index", "mast.md"]).ended(0);
    desk.run_in(&project, &["index", "docs/hull.md"]).ended(0);
    for (folder, typed) in [(&docs, "mast.md"), (&docs, "./mast.md"), (&project, "docs/mast.md")] {
        assert!(desk.run_in(folder, &["read", typed]).ended(0).out.contains("carries the sails"), "{typed}");
        desk.run_in(folder, &["search", "sails", "--source", typed]).ended(0);
        desk.run_in(folder, &["search", "load line", "--source", typed]).ended(3);
    }
    desk.run_in(&project, &["read", "mast.md"]).ended(3);
    // A source that is called so comes before a file.
    desk.run_with_input(&project, &["index", "-", "--source", "mast.md"], "Notes on masts.\n").ended(0);
    assert!(desk.run_in(&docs, &["read", "mast.md"]).ended(0).out.contains("Notes on masts"));
    desk.run_in(&docs, &["purge", "--source", "hull.md", "--yes"]).ended(0);
    desk.run_in(&project, &["search", "load line"]).ended(3);
    // However it's written: it's one source.
    desk.run_in(&docs, &["index", "../docs/hull.md"]).ended(0);
    for (folder, typed) in [(&project, "docs/hull.md"), (&docs, "hull.md"), (&docs, "./../docs/hull.md")] {
        assert!(desk.run_in(folder, &["read", typed]).ended(0).out.contains("load line"), "{typed}");
    }
    desk.run_in(&docs, &["index", "hull.md"]).ended(0);
    let listed = desk.run_in(&project, &["sources"]).ended(0).out;
    assert_eq!(listed.matches("hull.md").count(), 1, "{listed}");
}

fn make_unreadable(file: &Path) {
    for log in ["-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(log);
        let _ = std::fs::remove_file(name);
    }
    std::fs::write(file, "no database at all, but long enough to look like one ".repeat(200)).unwrap();
}

/// Its file and its system have the same line in the doctor's list.
#[test]
fn the_doctor_reports_an_unreadable_file_once() {
    let desk = Desk::new();
    let project = project(&desk);
    desk.run_in(&project, &["memory", "add", "Use tabs", "--namespace", "decisions"]).ended(0);
    make_unreadable(&desk.plimsoll().join("memory.db"));
    let told = desk.run_in(&project, &["doctor"]).ended(1).out;
    assert_eq!(told.matches("memory.db is damaged").count(), 1, "{told}");
}

/// Where nothing can be read of a file, its error says so and nothing else does.
#[test]
fn an_unreadable_file_is_reported_once() {
    let desk = Desk::new();
    let project = project(&desk);
    desk.run_in(&project, &["index", "docs"]).ended(0);
    desk.run_in(&project, &["memory", "add", "Use tabs", "--namespace", "decisions"]).ended(0);
    let projects = std::fs::read_dir(desk.plimsoll().join("projects")).unwrap();
    let knowledge =
        projects.map(|folder| folder.unwrap().path().join("knowledge.db")).find(|file| file.exists());
    for (file, typed) in [
        (knowledge.unwrap(), &["search", "mast"][..]),
        (desk.plimsoll().join("memory.db"), &["memory", "list"]),
    ] {
        make_unreadable(&file);
        let ran = desk.run_in(&project, typed);
        let told = ran.out + &ran.err;
        assert!(ran.code != 0 && told.contains(" damaged") && !told.contains("WARN"), "{typed:?}: {told}");
        let status = desk.run_in(&project, &["status"]).ended(4).out;
        let name = file.file_name().unwrap().to_str().unwrap();
        assert!(status.contains(&format!("{name} is damaged")), "{status}");
        // Moved away, as the error says, it's no longer a problem.
        std::fs::rename(&file, file.with_extension("away")).unwrap();
        let status = desk.run_in(&project, &["status"]).ended(0).out;
        assert!(!status.contains("damaged"), "{status}");
    }
}

#[test]
fn what_is_indexed_is_found_listed_and_purged() {
    let desk = Desk::new();
    let project = project(&desk);
    desk.run_in(&project, &["search", "load line"]).ended(3);
    desk.run_in(&project, &["sources"]).ended(3);
    desk.run_in(&project, &["index", "docs", "--dry-run"]).ended(0);
    let here = desk.run_in(&project, &["index", ".", "--dry-run"]).ended(0).out;
    assert!(here.ends_with(&format!("the folder {}\n", project.display())), "{here}");
    let told =
        desk.run_with_input(&project, &["index", "-", "--source", "one", "--dry-run"], "x").ended(0).out;
    assert!(told.contains("would index 1 byte of standard input"), "{told}");
    assert!(!desk.plimsoll().exists());
    desk.run_in(&project, &["index", "docs"]).ended(0);
    desk.run_with_input(&project, &["index", "-", "--source", "notes"], "The anchor weighs two tonnes.\n")
        .ended(0);
    let found = desk.run_in(&project, &["search", "load line", "anchor"]).ended(0).out;
    assert!(found.contains("painted on both sides") && found.contains("two tonnes"), "{found}");
    let past = desk.run_in(&project, &["sources", "--offset", "9"]).ended(3).out;
    assert_eq!(past, "--offset is past the last one: 2 sources in all.\n");
    let none = desk.run_in(&project, &["search", "xylophone"]).ended(3).out;
    assert!(none.contains("`plimsoll sources` lists") && none.contains("--sessions"), "{none}");
    assert!(desk.run_in(&project, &["search", "xylophone", "--json"]).ended(3).json().is_object());
    let unknown = desk.run_in(&project, &["read", "xylophone"]).ended(3).err;
    assert!(unknown.contains("\"xylophone\"; `plimsoll sources` lists"), "{unknown}");
    let empty = desk.run_in(&project, &["restore"]).ended(3).out;
    assert!(empty.contains("`plimsoll purge`"), "{empty}");
    let found = desk.run_in(&project, &["search", "anchor", "--json"]).ended(0).json();
    assert!(found["knowledge"]["per_query"][0]["hits"][0]["source"].as_str().unwrap().contains("notes"));
    let sources = desk.run_in(&project, &["sources", "--json"]).ended(0).json();
    assert_eq!(sources["total"], 2, "{sources:#}");
    assert!(desk.run_in(&project, &["stats"]).ended(0).out.contains("Stored for this project"));

    let asked = desk.run_in(&project, &["purge", "--source", "notes"]).ended(4);
    assert!(asked.err.contains("--yes"), "{}", asked.err);
    desk.run_in(&project, &["purge", "--source", "notes", "--dry-run"]).ended(0);
    desk.run_in(&project, &["search", "anchor"]).ended(0);
    desk.run_in(&project, &["purge", "--source", "notes", "--yes"]).ended(0);
    desk.run_in(&project, &["search", "anchor"]).ended(3);
    desk.run_in(&project, &["purge", "--source", "nothing-of-this-name", "--yes"]).ended(3);
    desk.run_in(&project, &["purge", "--everything"]).ended(4);
    desk.run_in(&project, &["purge", "--everything", "--now", "--yes"]).ended(0);
    desk.run_in(&project, &["search", "load line"]).ended(3);
}

#[test]
fn deleting_everything_mentions_the_earlier_trash() {
    let desk = Desk::new();
    let project = project(&desk);
    let all = |more: &[&str]| {
        let words = [&["purge", "--everything", "--keep-records", "--now"][..], more].concat();
        desk.run_in(&project, &words)
    };
    desk.run_in(&project, &["index", "docs/mast.md"]).ended(0);
    let none = all(&["--dry-run"]).ended(0).out;
    assert!(!none.contains("trash"), "{none}");
    desk.run_in(&project, &["purge", "--project", "--yes"]).ended(0);
    desk.run_in(&project, &["index", "docs/hull.md"]).ended(0);
    for (more, ends) in [(vec!["--dry-run"], 0), (vec![], 4), (vec!["--yes"], 0)] {
        let printed = all(&more).ended(ends);
        let told = format!("{}{}", printed.out, printed.err);
        assert!(told.contains("and 1 earlier purge in the trash"), "{more:?}: {told}");
    }
    let mut trash = std::fs::read_dir(desk.plimsoll().join("trash")).unwrap();
    assert!(!trash.any(|file| file.unwrap().path().extension().is_some_and(|end| end == "db")));
}

#[test]
fn what_a_restore_leaves_out_is_reported() {
    let desk = Desk::new();
    let project = project(&desk);
    let notes =
        |text: &str| desk.run_with_input(&project, &["index", "-", "--source", "notes"], text).ended(0);
    notes("The anchor weighs two tonnes.\n");
    desk.run_in(&project, &["index", "docs/mast.md"]).ended(0);
    desk.run_in(&project, &["purge", "--project", "--yes"]).ended(0);
    notes("The anchor was sold.\n");
    let purged = std::fs::read_dir(desk.plimsoll().join("trash")).unwrap().next().unwrap().unwrap().path();
    let file = purged.file_name().unwrap().to_str().unwrap();
    let told = desk.run_in(&project, &["restore", file]).ended(0).out;
    assert!(told.contains("Restored 1 source ") && told.contains("stays in"), "{told}");
    let told = desk.run_in(&project, &["restore", file]).ended(3).out;
    assert!(told.contains("Restored 0 sources ") && told.contains(file), "{told}");
    desk.run_in(&project, &["purge", "--source", "notes", "--now", "--yes"]).ended(0);
    let told = desk.run_in(&project, &["restore", file]).ended(0).out;
    assert!(told.contains("Restored 1 source ") && !told.contains("stays"), "{told}");
    assert!(!purged.exists());
    desk.run_in(&project, &["search", "two tonnes"]).ended(0);
}

#[test]
fn another_project_is_named_by_its_folder() {
    let desk = Desk::new();
    let project = project(&desk);
    let folder = project.to_str().unwrap();
    desk.run(&["index", project.join("docs/mast.md").to_str().unwrap(), "--project", folder]).ended(0);
    desk.run(&["search", "sails", "--project", folder]).ended(0);
    desk.run(&["search", "sails"]).ended(3);
    desk.run(&["search", "sails", "--project", "/"]).ended(2);
    desk.run_in(&project, &["index", "no-such-file.md"]).ended(3);
}

/// Looking through a whole disk takes hours, and nobody means it.
#[test]
fn the_root_and_the_home_folder_are_not_indexed() {
    let desk = Desk::new();
    let project = project(&desk);
    let home = desk.plimsoll().parent().unwrap().to_str().unwrap().to_owned();
    for whole in ["/", home.as_str()] {
        for args in [vec!["index", whole], vec!["index", whole, "--dry-run"]] {
            let ran = desk.run_in(&project, &args).ended(2);
            assert!(ran.err.contains("name a folder in it"), "{whole}: {}", ran.err);
        }
    }
    desk.run_in(&project, &["index", "docs"]).ended(0);
}

#[test]
fn hooks_are_paused_and_resumed() {
    let desk = Desk::new();
    let project = project(&desk);
    desk.write(".plimsoll/settings.toml", "# mine\n[sandbox]\ntimeout_ms = 5000 # short\n");
    desk.run(&["pause", "--for", "2h"]).ended(0);
    let status = desk.run(&["status", "--json"]).json();
    assert!(status["paused_until_ms"].is_number(), "{status:#}");
    desk.run(&["resume"]).ended(0);
    assert!(desk.run(&["status", "--json"]).json()["paused_until_ms"].is_null());
    desk.run_in(&project, &["pause", "--project"]).ended(0);
    let paused = desk.run(&["status", "--json"]).json();
    assert_eq!(paused["paused_projects"][0], std::fs::canonicalize(&project).unwrap().to_str().unwrap());
    let settings = desk.read(".plimsoll/settings.toml");
    assert!(settings.contains("until_ms"), "it ends by itself");
    assert!(
        settings.contains("paused_since = {") && settings.contains(", since = {"),
        "by either clock: {settings}"
    );
    desk.run_in(&project, &["resume", "--project"]).ended(0);
    assert_eq!(desk.run(&["status", "--json"]).json()["paused_projects"], serde_json::json!([]));
    assert!(
        desk.read(".plimsoll/settings.toml").starts_with("# mine\n[sandbox]\ntimeout_ms = 5000 # short\n")
    );
    desk.write(".plimsoll/settings.toml", "[hooks\n");
    let broken = desk.run(&["pause"]).ended(1);
    assert!(broken.err.contains("settings.toml"), "{}", broken.err);
}

/// A page that isn't there is a failure for a script, whatever else was stored.
#[test]
fn one_page_of_two_that_fails_fails_the_command() {
    use std::io::{BufRead as _, Write as _};
    let desk = Desk::new();
    let project = project(&desk);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let lines = std::io::BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let is_there = head.first().is_some_and(|line| line.contains("/there"));
            let (status, body) =
                if is_there { ("200 OK", "The capstan turns.") } else { ("404 Not Found", "none") };
            let length = body.len();
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
            );
        }
    });
    let [there, gone] = ["there", "gone"].map(|page| format!("http://{address}/{page}"));
    let ran = desk.run_in(&project, &["index", &gone, &there]).ended(1);
    assert!(ran.out.contains("404") && ran.out.contains("The capstan turns."), "{}{}", ran.out, ran.err);
    desk.run_in(&project, &["index", &there]).ended(0);
    assert!(desk.run_in(&project, &["search", "capstan"]).ended(0).out.contains("The capstan turns."));
}
