//! Each language in its five cases: hello, exit code, stderr, `FILE_CONTENT`, timeout. The code of each case is a file
//! in `languages/`. A language whose runtime is missing is skipped as `runtime:<name>`.

use std::time::Duration;

use plimsoll_sandbox::{Cancel, Language, Outcome, Status};

use crate::scratch::Room;

const LONG: Duration = Duration::from_secs(300);

fn code(language: Language, case: &str) -> String {
    let dir = std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
        .join("tests/languages");
    let start = format!("{language}.{case}.");
    let file = std::fs::read_dir(&dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.file_name().unwrap().to_string_lossy().starts_with(&start))
        .unwrap_or_else(|| panic!("no {start}* in {}", dir.display()));
    std::fs::read_to_string(file).unwrap()
}

fn text(outcome: &Outcome) -> String {
    format!("{:?}\nstdout: {}\nstderr: {}", outcome.status, outcome.stdout.text, outcome.stderr.text)
}

fn five_cases(language: Language) {
    let room = Room::new();
    if let Err(missing) = room.runtimes.find(language) {
        skipped::without(&format!("runtime:{}", language.name()), &missing.to_string());
        return;
    }
    let run = |case: &str| room.run(language, &code(language, case), None, LONG, Cancel::never());

    let hello = run("hello");
    assert_eq!(hello.status, Status::Exit(0), "{}", text(&hello));
    assert_eq!(hello.stdout.text.trim_end(), "hello", "{}", text(&hello));
    assert_eq!(hello.stderr.text, "", "{}", text(&hello));

    let exit = run("exit");
    assert_eq!((exit.status, exit.exit_code), (Status::Exit(3), 3), "{}", text(&exit));

    let both = run("stderr");
    assert_eq!(both.status, Status::Exit(0), "{}", text(&both));
    assert_eq!(both.stdout.text.trim_end(), "done", "{}", text(&both));
    assert_eq!(both.stderr.text.trim_end(), "careful", "{}", text(&both));

    // A byte that isn't UTF-8, a zero byte and a quote must not disturb anyone.
    let log = room.at("project").join("the 'log'.txt");
    std::fs::write(&log, b"INFO a\nERROR b \xff \"x\" $HOME\nINFO \xc3\xbc\0\nERROR c\n\n").unwrap();
    let source = code(language, "file");
    let file = room.run(language, &source, Some(&log), LONG, Cancel::never());
    assert_eq!(file.status, Status::Exit(0), "{}", text(&file));
    assert_eq!(file.stdout.text.trim_end(), "2 in the 'log'.txt", "{}", text(&file));
    assert_eq!(file.stderr.text, "", "{}", text(&file));

    // How long compiling and starting takes is not known here, so the limit grows until the first line is out.
    let source = code(language, "timeout");
    let mut limit = Duration::from_millis(400);
    let late = loop {
        let late = room.run(language, &source, None, limit, Cancel::never());
        assert_eq!(late.status, Status::TimedOut, "{}", text(&late));
        // A runtime that is ended while it starts may say so; only the program's own line counts.
        if late.stdout.text.contains("before") || limit > LONG {
            break late;
        }
        limit *= 2;
    };
    assert!(late.stdout.text.lines().any(|line| line == "before"), "{}", text(&late));
    assert!(!late.stdout.text.contains("after"), "{}", text(&late));
    assert!(room.temp_is_empty());
}

macro_rules! languages {
    ($($name:ident $language:ident)*) => { $(
        #[test]
        fn $name() {
            five_cases(Language::$language);
        }
    )* };
}

languages! {
    javascript JavaScript
    typescript TypeScript
    python Python
    shell Shell
    ruby Ruby
    go Go
    rust Rust
    php Php
    perl Perl
    r R
    elixir Elixir
    csharp CSharp
    powershell PowerShell
}
