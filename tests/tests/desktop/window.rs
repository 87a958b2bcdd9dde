//! The window: there when requested, gone with its web process when closed.

use std::process::Stdio;
use std::time::Duration;

use plimsoll_tests::process;

use crate::session::{Session, soon};

#[test]
fn a_left_click_opens_one_window_and_closing_it_leaves_only_the_tray() {
    let Some(mut session) = Session::with_panel() else { return };
    session.start(&["--tray"]);
    for open in ["click", "menu"] {
        for _ in 0..2 {
            if open == "click" {
                session.panel().click();
            } else {
                session.panel().choose("Open Plimsoll");
            }
            soon("the window", || !session.screen().titles().is_empty());
        }
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(session.screen().titles().len(), 1, "{open}: {:?}", session.screen().titles());
        assert!(!session.web_processes().is_empty());
        session.screen().close_all();
        soon("no window", || session.screen().titles().is_empty());
        soon("no helper of the web view", || session.web_helpers().is_empty());
        assert_eq!(session.ended(), None, "{open}: the tray stays");
    }
}

#[test]
fn with_only_the_tray_it_costs_next_to_nothing() {
    let Some(mut session) = Session::with_panel() else { return };
    session.start(&["--tray"]);
    assert!(session.panel().line("Open Plimsoll").is_some());
    // By then the cost of starting is over.
    std::thread::sleep(Duration::from_secs(5));
    let before = cpu(session.pid());
    let time = Duration::from_secs(15);
    std::thread::sleep(time);
    let used = cpu(session.pid()).saturating_sub(before);
    let resident = process::resident(session.pid()).unwrap();
    println!("idle in the tray: {used:?} of {time:?}, {:.1} MB resident", megabytes(resident));
    assert!(used < time / 100, "{used:?} in {time:?}");
    // Two thirds more would be pages of the libraries that only a window needs.
    assert!(resident < 60_000_000, "{resident} bytes");
    // The largest thing that a program with a window can load; an icon doesn't need it.
    let maps = std::fs::read_to_string(format!("/proc/{}/maps", session.pid())).unwrap();
    let driver = maps.lines().find(|line| line.contains("libLLVM") || line.contains("_dri.so"));
    assert_eq!(driver, None, "a graphics driver was loaded for the tray");
    assert!(session.web_processes().is_empty());
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with one decimal")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// The processor time of a process and all of its threads.
fn cpu(pid: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
    // A hundred ticks are a second on every supported Linux.
    Duration::from_millis(ticks * 10)
}

#[test]
fn a_second_start_shows_the_first_ones_window() {
    let Some(mut session) = Session::with_panel() else { return };
    session.start(&["--tray"]);
    assert!(session.panel().line("Open Plimsoll").is_some());
    let silent = session.run(session.command(&["--tray"]));
    assert!(silent.status.success(), "{silent:?}");
    std::thread::sleep(Duration::from_secs(1));
    assert!(session.screen().titles().is_empty(), "a second silent start shows nothing");
    let again = session.run(session.command(&[]));
    assert!(again.status.success(), "{again:?}");
    soon("the window", || session.screen().titles().len() == 1);
    assert_eq!(session.panel().count(), 1);
}

#[test]
fn a_link_opens_its_screen_and_a_bad_one_opens_nothing() {
    let Some(mut session) = Session::with_panel() else { return };
    session.start(&["--tray"]);
    assert!(session.panel().line("Open Plimsoll").is_some());
    let bad = session.run(session.command(&["plimsoll://purge?project=x"]));
    assert!(bad.status.success(), "{bad:?}");
    soon("the refusal", || session.message().contains("a link was not followed: it names no screen"));
    assert!(session.screen().titles().is_empty());
    let good = session.run(session.command(&["plimsoll://knowledge?q=load+line"]));
    assert!(good.status.success(), "{good:?}");
    soon("the window", || session.screen().titles().len() == 1);
    soon("the screen", || {
        session.message().contains("the window opens at knowledge, which a link asked for")
    });
    // The address below every shortened output.
    let output = session.run(session.command(&["plimsoll://task/tQdr8xYz"]));
    assert!(output.status.success(), "{output:?}");
    soon("the output", || {
        session.message().contains("the window opens at activity/output/tQdr8xYz, which a link asked for")
    });
}

#[test]
fn a_start_that_only_hands_something_over_starts_no_toolkit() {
    let Some(mut session) = Session::with_panel() else { return };
    session.start(&["--tray"]);
    assert!(session.panel().line("Open Plimsoll").is_some());
    // A missing screen: a program that starts the toolkit first gets no further.
    let mut command = session.command(&["plimsoll://settings"]);
    command.env("DISPLAY", ":4093");
    let handed = session.run(command);
    assert!(handed.status.success() && handed.stdout.is_empty(), "{handed:?}");
    soon("the window", || session.screen().titles().len() == 1);
}

#[test]
fn each_of_many_starts_ends_cleanly() {
    let Some(mut session) = Session::with_panel() else { return };
    session.start(&["--tray"]);
    assert!(session.panel().line("Open Plimsoll").is_some());
    // Some at the same time, as a person who clicks twice; each has its own id of an output.
    for round in 0..8 {
        let ids: Vec<String> = (0..4).map(|at| format!("tRound{round}x{at}")).collect();
        let started: Vec<_> = ids
            .iter()
            .map(|id| {
                let mut command = session.command(&[&format!("plimsoll://task/{id}")]);
                command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
            })
            .collect();
        for child in started {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{round}: {output:?}\n{}", session.message());
        }
        for id in ids {
            soon(&id, || session.message().contains(&format!("the window opens at activity/output/{id},")));
        }
    }
    assert_eq!(session.ended(), None, "{}", session.message());
    assert_eq!(session.screen().titles().len(), 1);
}

#[test]
fn an_unresponsive_instance_is_named_and_one_that_quits_makes_room() {
    let Some(mut session) = Session::with_panel() else { return };
    session.start(&["--tray"]);
    assert!(session.panel().line("Open Plimsoll").is_some());
    let signal = |name: &str| {
        let pid = session.pid().to_string();
        assert!(std::process::Command::new("kill").args([name, &pid]).status().unwrap().success());
    };
    signal("-STOP");
    let refused = session.run(session.command(&["plimsoll://settings"]));
    signal("-CONT");
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let printed = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        printed.contains("Plimsoll is already running but didn't answer") && printed.contains("Quit it"),
        "{printed}"
    );
    session.panel().choose("Quit Plimsoll");
    soon("the end", || session.ended().is_some());
    // The name is free again.
    session.start(&[]);
    soon("the window", || session.screen().titles().len() == 1);
}

#[test]
fn a_page_whose_process_ends_comes_back_once_and_then_gives_up() {
    let Some(mut session) = Session::with_panel() else { return };
    session.start(&[]);
    soon("the window", || session.screen().titles().len() == 1);
    let kill = |pid: u32| {
        let killed = std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
        assert!(killed.success());
    };
    let first = session.web_processes()[0].pid;
    kill(first);
    soon("another process", || session.web_processes().iter().any(|process| process.pid != first));
    assert_eq!(session.screen().titles().len(), 1, "the window stayed");
    // A process that ends before it has reported its id takes the whole program with it; that is WebKit's way. It has when it
    // has shown the page and rests, however long that takes on a busy machine.
    let second = session.web_processes()[0].pid;
    let mut before = Duration::ZERO;
    soon("a page that rests", || {
        std::thread::sleep(Duration::from_secs(1));
        let (was, now) = (before, cpu(second));
        before = now;
        now > Duration::from_millis(100) && now == was
    });
    kill(second);
    soon("no window", || session.screen().titles().is_empty());
    assert_eq!(session.ended(), None, "{}", session.message());
    session.panel().choose("Open Plimsoll");
    soon("the window again", || session.screen().titles().len() == 1);
}

#[test]
fn a_missing_tray_is_reported_once() {
    let Some(mut session) = Session::without_panel() else { return };
    session.start(&[]);
    soon("the window", || session.screen().titles().len() == 1);
    let printed = || session.message().matches("there is no tray here").count();
    soon("that there is no tray", || printed() == 1);
    // A place for it is looked for every ten seconds.
    std::thread::sleep(Duration::from_secs(23));
    assert_eq!(printed(), 1, "{}", session.message());
}

#[test]
fn a_home_that_cannot_be_written_opens_a_window() {
    let Some(mut session) = Session::with_panel() else { return };
    // A file in the place of the folder: nothing can be written there, not even by root.
    std::fs::write(session.home(), "a file").unwrap();
    session.start(&[]);
    soon("the window", || session.screen().titles().len() == 1);
    assert_eq!(session.ended(), None, "{}", session.message());
    assert_eq!(std::fs::read_to_string(session.home()).unwrap(), "a file");
}

#[test]
fn an_unknown_language_opens_a_window_that_stays() {
    let Some(mut session) = Session::with_panel() else { return };
    session.speak("C.UTF-8");
    session.start(&[]);
    soon("the window", || session.screen().titles().iter().any(|title| title.contains("Plimsoll")));
    let first = session.web_processes().first().map(|process| process.pid);
    std::thread::sleep(Duration::from_secs(4));
    assert_eq!(session.web_processes().first().map(|process| process.pid), first, "it was loaded again");
    assert!(!session.message().contains("the window failed"), "{}", session.message());
}
