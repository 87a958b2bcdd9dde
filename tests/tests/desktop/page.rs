//! The real window with the real web view: the wizard connects an agent, a figure comes from a real call, another
//! process's data is found, the policy applies, and it quits cleanly. Behaviour that needs no WebKit is tested in
//! Chromium.

use std::time::{Duration, Instant};

use plimsoll_tests::{Server, process, sidecar};
use serde_json::json;

use crate::driver::Page;
use crate::session::{Session, soon};

const CLAUDE_JSON: &str = "{\n  \"numStartups\": 184,\n  \"mcpServers\": {}\n}\n";

/// The desktop and its sidecar side by side, as in a package, and a home with Claude Code.
fn installed() -> Option<Session> {
    let mut session = Session::with_panel()?;
    let folder = session.install();
    std::fs::copy(sidecar(), folder.join("plimsoll")).unwrap();
    let home = &session.scratch.home;
    std::fs::create_dir_all(home.join(".claude")).unwrap();
    std::fs::create_dir_all(home.join(".local/bin")).unwrap();
    std::fs::write(home.join(".claude.json"), CLAUDE_JSON).unwrap();
    std::fs::write(home.join(".claude/settings.json"), "{\n  \"theme\": \"dark\"\n}\n").unwrap();
    let program = home.join(".local/bin/claude");
    std::fs::write(&program, "#!/bin/sh\necho '2.1.197 (Claude Code)'\n").unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    Some(session)
}

#[test]
fn the_wizard_connects_for_real_and_the_window_shows_what_then_happens() {
    let Some(session) = installed() else { return };
    let Some(page) = Page::open(&session, &[]) else { return };
    let config = || std::fs::read_to_string(session.scratch.home.join(".claude.json")).unwrap();

    page.says("Nothing is written until you press Apply");
    page.click("button", "Find my agents");
    page.says("Claude Code");
    page.says("2.1.197");
    page.click("button", "Continue");
    page.click("button", "Review the changes");
    page.says("Apply 2 changes");
    assert_eq!(config(), CLAUDE_JSON, "nothing is written before Apply");
    page.click("button", "Apply");
    page.says("Every server was started the way its agent starts it, and answered.");
    page.click("button", "Continue");
    page.says("1 agent is connected and answered.");
    assert!(config().contains("\"plimsoll\"") && config().contains("\"numStartups\": 184"), "{}", config());
    page.click("button", "Go to Home");

    // A figure that a real call made, without reloading.
    let mut server = Server::start(&session.scratch).unwrap();
    let code = "seq 1 40000";
    let printed = server
        .call("execute", json!({"language": "shell", "code": code, "intent": "the last line"}))
        .unwrap();
    assert!(!printed.failed, "{}", printed.text);
    page.says("kept out of context today");
    page.says("KB");
    drop(server);

    // Text that another process stores while the window is open is found.
    let notes = session.scratch.project.join("notes.md");
    std::fs::write(&notes, "# Notes\n\nThe kedge anchor is carried out by boat.\n").unwrap();
    session.scratch.plimsoll(&["index", "notes.md"]).unwrap();
    page.says("1 agent connected");
    page.click("a", "Knowledge");
    page.says("notes.md");
    page.type_into("input[role=combobox]", "kedge anchor");
    soon("the hit, with its words marked", || {
        let marks = page.run("return [...document.querySelectorAll('mark')].map((one) => one.textContent)");
        marks.is_ok_and(|marks| marks.to_string().contains("kedge"))
    });

    // The way back, byte for byte.
    session.scratch.plimsoll(&["disconnect", "--all", "--yes"]).unwrap();
    assert_eq!(config(), CLAUDE_JSON);
}

#[test]
fn a_list_of_many_rows_and_a_chart_are_drawn_by_webkit_too() {
    let Some(mut session) = installed() else { return };
    for _ in 0..70 {
        session.hook_refuses();
    }
    // The panel is of no use here; without it the window alone keeps the program.
    session.panel = None;
    let Some(page) = Page::open(&session, &[]) else { return };
    page.run("location.hash = '#/activity'").unwrap();
    page.says("shred -u notes.txt");
    let rows = |script: &str| page.run(script).unwrap_or_default();
    let total = rows("return Number(document.querySelector('[role=grid]').ariaRowCount)");
    assert!(total.as_u64().is_some_and(|total| total > 70), "{total}");
    page.run("const grid = document.querySelector('[role=grid]'); grid.scrollTo(0, grid.scrollHeight)")
        .unwrap();
    let last = format!("return document.querySelector('[role=row][aria-rowindex=\"{total}\"]') !== null");
    soon("the last row", || rows(&last) == json!(true));
    let drawn = rows("return document.querySelectorAll('[role=row]').length");
    assert!(drawn.as_u64().is_some_and(|drawn| drawn < total.as_u64().unwrap_or(0)), "{drawn} of {total}");
}

#[test]
fn the_policy_applies_in_the_real_page() {
    let Some(session) = installed() else { return };
    let Some(page) = Page::open(&session, &[]) else { return };
    page.run(
        "const box = document.createElement('div');
         box.innerHTML = '<img src=\"x:\" onerror=\"window.pwned = 1\"><button onclick=\"window.pwned = 2\">x</button>';
         document.body.append(box);
         box.querySelector('button').click();
         const script = document.createElement('script');
         script.textContent = 'window.pwned = 3';
         document.body.append(script);
         const evil = document.createElement('script');
         evil.src = 'data:text/javascript,window.pwned=4';
         document.body.append(evil);
         const frame = document.createElement('iframe');
         frame.srcdoc = '<script>parent.pwned = 5</scr' + 'ipt>';
         document.body.append(frame);",
    )
    .unwrap();
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(page.run("return window.pwned ?? null").unwrap(), json!(null));
    assert_eq!(page.run("return typeof window.__TAURI__").unwrap(), json!("undefined"));
    let left = page.run("return fetch('https://example.org/').then(() => 'left', () => 'stopped')").unwrap();
    assert_eq!(left, json!("stopped"));
    let shell =
        "return window.__TAURI_INTERNALS__.invoke('plugin:shell|execute', { program: 'sh', args: [] })
                 .then(() => 'ran', () => 'refused')";
    assert_eq!(page.run(shell).unwrap(), json!("refused"), "the page has no way to run programs");
    let place = page.run("return location.href").unwrap();
    page.run("location.href = 'https://example.org/'").unwrap();
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(page.run("return location.href").unwrap(), place, "the page stays");
}

#[test]
fn it_quits_clean() {
    let Some(session) = installed() else { return };
    let Some(page) = Page::open(&session, &[]) else { return };
    let mark = session.binary().display().to_string();
    let there =
        || process::running(&mark).into_iter().filter(|one| !one.words.contains("WebKitWebDriver")).count();
    assert!(there() > 0);
    session.panel().choose("Quit");
    soon("the end of the program", || there() == 0);
    drop(page);
    let printed = session.message();
    assert!(!printed.contains("panicked") && !printed.contains("CRITICAL"), "{printed}");
    assert!(!session.home().join("logs/crash.log").exists());
    assert!(!session.home().exists(), "nothing was agreed to, so nothing was written");
}

/// For `cargo xtask bench desktop`: the real program, from its start until its window shows something, and alone in the
/// tray.
#[test]
#[ignore = "a measurement, not a test"]
fn measured_window_and_tray() {
    let bare = std::env::var_os("PLIMSOLL_BARE").map(std::path::PathBuf::from);
    let (mut ours, mut bares) = (Vec::new(), Vec::new());
    // In turns, so that both meet the same computer.
    for _ in 0..5 {
        let Some(mut session) = Session::with_panel() else { return };
        ours.push(until_painted(&mut session));
        if let Some(bare) = &bare {
            let Some(mut session) = Session::with_panel() else { return };
            session.use_binary(bare);
            bares.push(until_painted(&mut session));
        }
    }
    let beside =
        middle(&mut bares).map_or_else(|| "–".to_owned(), |bare| format!("{bare} ms, a bare window"));
    let printed = |times: &mut Vec<Duration>| middle(times).unwrap_or_default();
    println!(
        "figure: start of the program → the window is there | {} ms | {beside} | ≤ bare + 250 ms",
        printed(&mut ours)
    );

    let Some(mut session) = Session::with_panel() else { return };
    session.start(&["--tray"]);
    assert!(session.panel().line("Open Plimsoll").is_some());
    std::thread::sleep(Duration::from_secs(3));
    println!("figure: memory, only the tray, never opened | {} MB | – | ≤ 60 MB", resident(&session));
    let mut clicks = Vec::new();
    for _ in 0..5 {
        let since = Instant::now();
        session.panel().click();
        wait_for_a_window(&session);
        clicks.push(since.elapsed());
        session.screen().close_all();
        soon("only the tray", || session.started("").is_empty());
    }
    println!(
        "figure: a click on the tray → the window is there | {} ms | {beside} | ≤ bare + 150 ms",
        printed(&mut clicks)
    );
    std::thread::sleep(Duration::from_secs(2));
    println!(
        "figure: memory after the window was closed, helpers included | {} MB | – | ≤ 80 MB",
        resident(&session)
    );
}

/// How long a program takes from its start until its window is shown, which is when its page has loaded.
fn until_painted(session: &mut Session) -> Duration {
    let since = Instant::now();
    session.start(&[]);
    wait_for_a_window(session);
    since.elapsed()
}

fn wait_for_a_window(session: &Session) {
    while session.screen().titles().is_empty() {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The median, in milliseconds.
fn middle(times: &mut [Duration]) -> Option<u128> {
    times.sort();
    times.get(times.len() / 2).map(Duration::as_millis)
}

/// The memory of the program and everything that it has started, in megabytes.
fn resident(session: &Session) -> u64 {
    let started = session.started("").into_iter().map(|process| process.pid);
    let all = started.chain([session.pid()]);
    all.filter_map(process::resident).sum::<u64>() / 1_000_000
}
