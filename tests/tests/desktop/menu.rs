//! The tray's menu: complete at once, updated in place, and doing what it says.

use plimsoll_tests::{Server, process};
use serde_json::json;

use crate::session::{Session, soon};

#[test]
fn it_registers_with_a_complete_menu_and_no_window() {
    let Some(mut session) = Session::with_panel() else { return };
    session.start(&["--tray"]);
    let (name, title, pictures) = session.panel().icon();
    assert_eq!((name.as_str(), title.as_str()), ("plimsoll", "Plimsoll"));
    let [(width, height, argb)] = pictures.as_slice() else { panic!("{} pictures", pictures.len()) };
    assert_eq!(argb.len(), usize::try_from(width * height * 4).unwrap());
    assert!(argb.chunks(4).any(|pixel| pixel[0] == 255), "it is not empty");
    let (_, menu) = session.panel().menu();
    assert_eq!(
        menu.drawn(),
        "\
Nothing kept out yet today
No agent connected yet
No memory given yet today
-
Open Plimsoll
Pause
    For 1 hour
    Until tomorrow
    (In this project (no agent is running))
    (Resume now)
Search knowledge…
Purge…
    (This project… (no agent is running))
    Everything…
Doctor
-
Settings…
Check for updates…
Quit Plimsoll (agents keep their sidecars)
"
    );
    assert_eq!(session.panel().count(), 1);
    assert!(session.screen().titles().is_empty(), "a start at login is silent");
    assert!(session.web_processes().is_empty());
    assert!(!session.home().exists(), "nothing is written before the person agrees to something");
}

#[test]
fn it_speaks_the_language_of_the_settings() {
    let Some(mut session) = Session::with_panel() else { return };
    std::fs::create_dir_all(session.home()).unwrap();
    std::fs::write(session.home().join("settings.toml"), "[desktop]\nlanguage = \"de\"\n").unwrap();
    session.start(&["--tray"]);
    assert!(session.panel().line("Plimsoll öffnen").is_some(), "{}", session.panel().menu().1.drawn());
}

#[test]
fn figures_change_in_place_when_a_call_is_recorded() {
    let Some(mut session) = Session::with_panel() else { return };
    session.start(&["--tray"]);
    let (revision, before) = session.panel().menu();
    assert!(before.drawn().starts_with("Nothing kept out yet today"), "{}", before.drawn());

    let mut server = Server::start(&session.scratch).unwrap();
    let code = "seq 1 40000";
    let printed = server
        .call("execute", json!({"language": "shell", "code": code, "intent": "the last line"}))
        .unwrap();
    assert!(!printed.failed, "{}", printed.text);
    soon("the figure in the menu", || {
        session.panel().menu().1.inner[0].label.contains("kept out today")
            && !session.panel().menu().1.inner[0].label.starts_with("Nothing")
    });
    let (after_revision, after) = session.panel().menu();
    assert_eq!(after_revision, revision, "an open menu would have been closed");
    let ids = |menu: &crate::panel::Node| menu.inner.iter().map(|node| node.id).collect::<Vec<_>>();
    assert_eq!(ids(&after), ids(&before));
    assert!(after.inner[0].label.contains("KB kept out today · "), "{}", after.inner[0].label);
    assert!(session.panel().line("In shop for 1 hour").is_some_and(|line| line.enabled), "{}", after.drawn());
}

#[test]
fn a_pause_really_pauses_hooks_and_can_be_ended() {
    let Some(mut session) = Session::with_panel() else { return };
    assert!(session.hook_refuses(), "the hook works before");
    session.start(&["--tray"]);
    for pause in ["For 1 hour", "Until tomorrow"] {
        session.panel().choose(pause);
        soon("the label of the pause", || session.panel().line("Paused until").is_some());
        assert!(!session.hook_refuses(), "{pause}: the hook is silent");
        session.panel().choose("Resume now");
        soon("the end of the pause", || session.panel().line("Paused until").is_none());
        assert!(session.hook_refuses(), "{pause}: the hook works again");
    }
}

#[test]
fn a_pause_of_this_project_pauses_hooks_in_it() {
    let Some(mut session) = Session::with_panel() else { return };
    session.start(&["--tray"]);
    let mut server = Server::start(&session.scratch).unwrap();
    server.call("execute", json!({"language": "shell", "code": "echo 1"})).unwrap();
    session.panel().choose("In shop for 1 hour");
    soon("the label of the pause", || session.panel().line("Resume in shop").is_some());
    assert!(!session.hook_refuses(), "the hook is silent in this project");
    let settings = std::fs::read_to_string(session.home().join("settings.toml")).unwrap();
    assert!(settings.contains("shop"), "{settings}");
    assert!(session.panel().line("Paused").is_none(), "elsewhere nothing is paused");
    session.panel().choose("Resume in shop");
    soon("the end of the pause", || session.panel().line("In shop for 1 hour").is_some());
    assert!(session.hook_refuses());
}

#[test]
fn purge_opens_the_window_that_asks_and_removes_nothing() {
    let Some(mut session) = Session::with_panel() else { return };
    let notes = session.scratch.project.join("notes.md");
    std::fs::write(&notes, "# Notes\n\nThe load line is above the water.\n").unwrap();
    session.scratch.plimsoll(&["index", "notes.md"]).unwrap();
    session.start(&["--tray"]);
    session.panel().choose("Everything…");
    soon("a window", || !session.screen().titles().is_empty());
    soon("the screen that asks", || session.message().contains("the window opens at purge"));
    let found = session.scratch.plimsoll(&["search", "load line"]).unwrap();
    assert!(found.contains("above the water"), "nothing is removed by the menu itself: {found}");
}

#[test]
fn quit_quits_and_agents_keep_their_sidecars() {
    let Some(mut session) = Session::with_panel() else { return };
    let mut server = Server::start(&session.scratch).unwrap();
    session.start(&["--tray"]);
    session.panel().choose("Quit");
    let mut code = None;
    soon("the end", || {
        code = session.ended();
        code.is_some()
    });
    assert_eq!(code, Some(0), "{}", session.message());
    assert!(process::alive(server.pid()));
    assert!(!server.call("execute", json!({"language": "shell", "code": "echo 1"})).unwrap().failed);
}
