//! What a run sees and what it returns.

use std::time::Duration;

use plimsoll_sandbox::{Cancel, Language, SandboxError, Status};

use crate::scratch::{Room, block_on};

const LONG: Duration = Duration::from_secs(120);

#[test]
fn the_working_folder_is_the_projects_and_temp_is_the_runs_own() {
    let room = Room::new();
    std::fs::write(room.at("project").join("here.txt"), "found").unwrap();
    let got = room.shell("cat here.txt; echo; echo \"$TMPDIR\"; touch \"$TMPDIR/x\"; cat");
    assert_eq!(got.status, Status::Exit(0));
    let mut lines = got.stdout.text.lines();
    assert_eq!(lines.next(), Some("found"));
    let temp = room.at("temp").join("run-").to_string_lossy().into_owned();
    assert!(lines.next().unwrap().starts_with(&temp), "{}", got.stdout.text);
    assert!(room.temp_is_empty());
}

#[test]
fn code_is_not_injected_and_credentials_pass() {
    let mut room = Room::new();
    let hook = room.at("hook.sh");
    std::fs::write(&hook, "echo injected\n").unwrap();
    for (name, value) in [
        ("BASH_ENV", hook.to_str().unwrap()),
        ("ENV", hook.to_str().unwrap()),
        ("PYTHONSTARTUP", "x"),
        ("LD_PRELOAD", "/nonexistent.so"),
        ("GH_TOKEN", "secret"),
        ("AWS_PROFILE", "work"),
    ] {
        room.env.retain(|(known, _)| known != name);
        room.env.push((name.into(), value.into()));
    }
    let got = room.shell("echo \"$GH_TOKEN $AWS_PROFILE $NO_COLOR ${LD_PRELOAD-none}\"");
    assert_eq!((got.stdout.text.as_str(), got.stderr.text.as_str()), ("secret work 1 none\n", ""));
}

#[test]
fn a_script_finds_the_modules_of_the_project() {
    let room = Room::new();
    let project = room.at("project");
    std::fs::create_dir_all(project.join("node_modules/dep")).unwrap();
    std::fs::write(project.join("node_modules/dep/index.js"), "exports.name = 'dep';").unwrap();
    std::fs::write(project.join("near.js"), "exports.name = 'near';").unwrap();
    std::fs::write(project.join("mine.py"), "name = 'mine'").unwrap();
    let cases = [
        (
            Language::JavaScript,
            "const d = require('dep'); console.log(d.name, require('./near.js').name)",
            "dep near",
        ),
        (
            Language::JavaScript,
            "import d from 'dep';\nimport n from './near.js';\nconsole.log(d.name, n.name, typeof require)",
            "dep near function",
        ),
        (Language::Python, "import mine\nprint(mine.name, __name__)", "mine __main__"),
    ];
    for (language, code, expected) in cases {
        if room.runtimes.find(language).is_err() {
            eprintln!("passed over: {language}");
            continue;
        }
        let got = room.run(language, code, None, LONG, Cancel::never());
        assert_eq!(got.stdout.text.trim_end(), expected, "{code}\n{}", got.stderr.text);
    }
}

#[test]
fn an_error_names_the_line_that_the_user_wrote() {
    let room = Room::new();
    let file = room.at("project").join("f");
    std::fs::write(&file, "x").unwrap();
    let cases = [
        (Language::Python, "a = FILE_CONTENT\n\nboom()", "line 3"),
        (Language::JavaScript, "const a = FILE_CONTENT;\n\nawait boom()", ":3"),
        (Language::Perl, "my $a = $FILE_CONTENT;\n\ndie 'boom'", "line 3"),
        (Language::Ruby, "a = FILE_CONTENT\n\nraise 'boom'", ":3"),
        (Language::Php, "$a = $FILE_CONTENT;\n\nboom();", ":3"),
        (Language::Elixir, "IO.puts(file_content)\n\nraise \"boom\"", ":3"),
        (Language::Go, "a := FILE_CONTENT\nfmt.Println(a)\nboom()", ":3"),
        (Language::Rust, "let a = file_content;\n\nboom();", ":3"),
        (Language::CSharp, "var a = FILE_CONTENT;\n\nboom();", "(3,"),
    ];
    for (language, code, expected) in cases {
        if room.runtimes.find(language).is_err() {
            eprintln!("passed over: {language}");
            continue;
        }
        let got = room.run(language, code, Some(&file), LONG, Cancel::never());
        let printed = got.combined.text.clone();
        assert!(!got.is_success() && printed.contains(expected), "{language}: {printed}");
    }
}

#[test]
fn an_exit_of_one_with_output_is_an_answer_in_the_shell() {
    let room = Room::new();
    let counted = room.shell("printf 'a\\n' | grep -c b");
    assert_eq!((counted.status, counted.exit_code), (Status::Exit(1), 1));
    assert!(counted.is_soft_failure() && !counted.is_success());
    assert!(!room.shell("exit 1").is_soft_failure());
    assert!(!room.shell("echo a; exit 2").is_soft_failure());
}

#[test]
fn both_streams_are_kept_apart_and_in_order() {
    let room = Room::new();
    let got = room.shell("echo one; sleep 0.05; echo two >&2; sleep 0.05; printf three");
    assert_eq!(got.stdout.text, "one\nthree");
    assert_eq!(got.stderr.text, "two\n");
    assert_eq!((got.combined.text.as_str(), got.combined.lines), ("one\ntwo\nthree", 3));
}

#[test]
fn what_cannot_run_says_why() {
    let room = Room::new();
    let start = |file: Option<&std::path::Path>| {
        block_on(room.start(Language::Shell, "true", file, LONG, 1, Cancel::never())).unwrap_err()
    };
    let missing = start(Some("nothing.txt".as_ref())).to_string();
    assert!(missing.contains("nothing.txt"), "{missing}");
    let folder = start(Some(&room.at("project")));
    assert!(matches!(folder, SandboxError::NoFile { .. }), "{folder}");
    std::fs::remove_dir(room.at("project")).unwrap();
    let gone = start(None);
    assert!(matches!(gone, SandboxError::NoFolder { .. }), "{gone}");
    assert!(gone.to_string().contains("project doesn't exist; give an existing one as cwd"), "{gone}");
    std::fs::write(room.at("project"), "").unwrap();
    let file = start(None).to_string();
    assert!(file.contains("project isn't a folder; give an existing one as cwd"), "{file}");
}

#[test]
fn the_report_names_every_language_with_a_version_or_a_way_to_get_it() {
    let room = Room::new();
    let report = room.runtimes.report();
    assert_eq!(report.len(), Language::ALL.len());
    for line in report {
        match line.program {
            Some(_) => assert!(line.install.is_none()),
            None => assert!(line.install.is_some_and(|how| how.contains("install"))),
        }
    }
}

/// A device has no end and a pipe no writer: a script that is given one would read until its time or the memory is up.
#[cfg(unix)]
#[test]
fn only_a_regular_file_is_given_to_a_script() {
    let room = Room::new();
    let pipe = room.at("project").join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let link = room.at("project").join("link");
    std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
    for path in [pipe.as_path(), &link, "/dev/zero".as_ref(), "/dev/null".as_ref(), &room.at("project")] {
        let started = block_on(room.start(
            Language::Shell,
            "echo started",
            Some(path),
            LONG,
            plimsoll_sandbox::DEFAULT_MAX_OUTPUT,
            Cancel::never(),
        ));
        let error = started.map(|outcome| outcome.combined.text).unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()), "{error}");
    }
}
