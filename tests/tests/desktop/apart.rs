//! The window's own process: closing it gives back all of its memory, and neither process takes the other with it by accident.

use plimsoll_tests::process;

use crate::driver::Page;
use crate::session::{Session, soon};

/// A session with the tray and an open window.
fn with_window() -> Option<Session> {
    let mut session = Session::with_panel()?;
    session.start(&["--tray"]);
    assert!(session.panel().line("Open Plimsoll").is_some());
    session.panel().click();
    soon("the window", || session.screen().titles().len() == 1);
    Some(session)
}

fn kill(pid: u32) {
    assert!(std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
}

/// The id of the window's process.
fn window(session: &Session) -> u32 {
    session.started(" --window")[0].pid
}

#[test]
fn closing_the_window_gives_back_all_of_its_memory() {
    let Some(mut session) = Session::with_panel() else { return };
    session.start(&["--tray"]);
    assert!(session.panel().line("Open Plimsoll").is_some());
    let before = process::resident(session.pid()).unwrap();
    for _ in 0..3 {
        session.panel().click();
        soon("the window", || session.screen().titles().len() == 1);
        let started: Vec<u32> = session.started("").iter().map(|one| one.pid).collect();
        assert!(started.len() > 1, "the window's process and those of its page");
        session.screen().close_all();
        // Also those whose parent has ended.
        soon("the end of each of them", || started.iter().all(|pid| !process::alive(*pid)));
    }
    let after = process::resident(session.pid()).unwrap();
    println!("{before} bytes before, {after} after three windows");
    assert!(after < before + 10_000_000, "{before} bytes before, {after} after");
}

#[test]
fn a_window_that_is_asked_for_while_it_closes_comes_back() {
    let Some(session) = with_window() else { return };
    for round in 0..10_u64 {
        session.screen().close_all();
        // A little later each time, so that some requests come while the process ends.
        std::thread::sleep(std::time::Duration::from_millis(round * 12));
        session.panel().choose("Settings");
        soon("the window", || session.screen().titles().len() == 1);
        soon("its page", || !session.web_processes().is_empty());
    }
    assert!(!session.message().contains("process failed"), "{}", session.message());
}

#[test]
fn a_window_that_is_killed_leaves_the_tray_and_another_one_opens() {
    let Some(mut session) = with_window() else { return };
    kill(window(&session));
    soon("a word in the log", || session.message().contains("the window's process failed"));
    assert_eq!(session.ended(), None, "{}", session.message());
    session.panel().choose("Open Plimsoll");
    soon("the window again", || session.screen().titles().len() == 1);
}

#[test]
fn without_a_tray_a_window_that_is_killed_leaves_a_message() {
    let Some(mut session) = Session::without_panel() else { return };
    session.start(&[]);
    soon("the window", || session.screen().titles().len() == 1);
    soon("that there is no tray", || session.message().contains("there is no tray here"));
    kill(window(&session));
    soon("a word in the log", || session.message().contains("the window's process failed"));
    // A notification wouldn't outlive the program that sent it.
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert_eq!(session.ended(), None, "it ended before anyone could read why");
    soon("the message", || session.screen().titles() == ["Plimsoll"]);
    soon("the end, because nothing is left to do", || {
        session.screen().close_all();
        session.ended().is_some()
    });
    assert_eq!(session.ended(), Some(0));
}

#[test]
fn what_the_window_starts_does_not_keep_its_connection_open() {
    let Some(session) = with_window() else { return };
    let pid = window(&session);
    // What outlived the window would otherwise hide its end from the tray, which would wait for it and open none.
    let inherited = std::fs::read_link(format!("/proc/{pid}/fd/0")).unwrap();
    assert_eq!(inherited, std::path::Path::new("/dev/null"));
    // Its name in lists of processes, as long as the system keeps it.
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap();
    assert_eq!(name.trim(), "plimsoll-deskto");
}

#[test]
fn a_window_opens_after_an_update_has_replaced_the_program() {
    let Some(mut session) = Session::with_panel() else { return };
    session.install();
    session.start(&["--tray"]);
    assert!(session.panel().line("Open Plimsoll").is_some());
    // A newer version, which may understand other requests.
    std::fs::remove_file(session.binary()).unwrap();
    std::fs::write(session.binary(), "another version").unwrap();
    session.panel().click();
    soon("the window", || session.screen().titles().len() == 1);
}

#[test]
fn a_tray_that_is_killed_takes_its_window_along() {
    let Some(session) = with_window() else { return };
    let started: Vec<u32> = session.started("").iter().map(|one| one.pid).collect();
    kill(session.pid());
    soon("the end of its window", || started.iter().all(|pid| !process::alive(*pid)));
}

#[test]
fn a_command_that_runs_when_the_window_closes_is_finished() {
    let Some(mut session) = Session::with_panel() else { return };
    session.install();
    // A program that says its version late.
    let bin = session.scratch.home.join(".local/bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::create_dir_all(session.scratch.home.join(".claude")).unwrap();
    std::fs::write(bin.join("claude"), "#!/bin/sh\nsleep 3\necho '2.1.197 (Claude Code)'\n").unwrap();
    std::fs::set_permissions(bin.join("claude"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    let Some(page) = Page::open(&session, &[]) else { return };
    let mark = format!("{} --window", session.binary().display());
    let ours = process::running(&mark).into_iter().next().unwrap();
    page.run(
        "window.__TAURI_INTERNALS__.invoke('call', { name: 'agents', args: { thorough: true } }); return 1",
    )
    .unwrap();
    session.screen().close_all();
    soon("no window", || session.screen().titles().is_empty());
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(process::alive(ours.pid), "the command was cut off");
    soon("the end of its process", || !process::alive(ours.pid));
}

#[test]
fn quitting_in_the_window_ends_the_tray_as_well() {
    let Some(mut session) = Session::with_panel() else { return };
    session.install();
    let Some(page) = Page::open(&session, &[]) else { return };
    soon("the icon", || session.panel().count() == 1);
    let mark = session.binary().display().to_string();
    let there =
        || process::running(&mark).into_iter().filter(|one| !one.words.contains("WebKitWebDriver")).count();
    assert_eq!(there(), 2);
    // The page may be gone before it can answer.
    let _ = page.run("window.__TAURI_INTERNALS__.invoke('call', { name: 'quit', args: {} }); return 1");
    soon("the end of the program", || there() == 0);
    assert!(!session.message().contains("failed"), "{}", session.message());
}
