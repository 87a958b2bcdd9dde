//! Starting with something missing: no tray, no bus, no screen; and the sidecar at the start.

use std::process::Command;

use plimsoll_tests::sidecar;

use crate::session::{Session, desktop, soon};

#[test]
fn without_a_place_for_icons_the_window_opens_and_the_app_runs() {
    let Some(mut session) = Session::without_panel() else { return };
    session.start(&[]);
    soon("the window", || session.screen().titles().len() == 1);
    soon("a word in the log", || session.message().contains("there is no tray here"));
    assert_eq!(session.ended(), None);
    session.screen().close_all();
    soon("no window", || session.screen().titles().is_empty());
    let mut code = None;
    soon("the end, because nothing would lead back to the window", || {
        code = session.ended();
        code.is_some()
    });
    assert_eq!(code, Some(0));
}

#[test]
fn a_panel_that_starts_later_gets_the_icon() {
    let Some(mut session) = Session::without_panel() else { return };
    session.start(&["--tray"]);
    soon("a word in the log", || session.message().contains("there is no tray here"));
    assert_eq!(session.ended(), None, "it waits for the panel");
    session.add_panel();
    assert!(session.panel().line("Open Plimsoll").is_some());
}

#[test]
fn without_a_bus_it_still_runs() {
    let Some(mut session) = Session::without_panel() else { return };
    session.lose_bus();
    session.start(&[]);
    soon("the window", || session.screen().titles().len() == 1);
    assert_eq!(session.ended(), None, "{}", session.message());
}

#[test]
fn without_a_screen_it_says_what_to_do_and_ends_well() {
    let Some(binary) = desktop() else { return };
    let scratch = plimsoll_tests::Scratch::new().unwrap();
    let says = |mut command: Command, reason: &str| {
        let output = command.output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{out}{err}");
        assert!(out.contains(reason) && out.contains("plimsoll setup"), "{out}");
        assert!(!out.contains("panicked") && !err.contains("panicked"), "{err}");
    };
    for arguments in [&[][..], &["--tray"], &["plimsoll://settings"]] {
        let mut command = scratch.command(&binary);
        command.args(arguments);
        says(command, "neither DISPLAY nor WAYLAND_DISPLAY is set");
    }
    let mut unreachable = scratch.command(&binary);
    unreachable.env("DISPLAY", ":4093");
    says(unreachable, "the screen can't be reached (DISPLAY is :4093)");
    assert!(!scratch.home.join(".plimsoll").exists());

    let version = scratch.command(&binary).arg("--version").output().unwrap();
    assert!(String::from_utf8_lossy(&version.stdout).starts_with("plimsoll-desktop "));
}

#[test]
fn a_new_version_takes_the_launcher_and_an_agents_running_one_is_left_alone() {
    let Some(mut session) = Session::with_panel() else { return };
    // The desktop and its sidecar as a package would put them: side by side.
    let installed = session.install();
    std::fs::copy(sidecar(), installed.join("plimsoll")).unwrap();

    // The launcher points to an older version.
    let old = session.home().join("bin/versions/0.0.1/plimsoll");
    std::fs::create_dir_all(old.parent().unwrap()).unwrap();
    std::fs::write(&old, "#!/bin/sh\necho plimsoll 0.0.1\n").unwrap();
    std::fs::set_permissions(&old, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let launcher = session.home().join("bin/plimsoll");
    std::os::unix::fs::symlink("versions/0.0.1/plimsoll", &launcher).unwrap();

    session.start(&["--tray"]);
    soon("the new version behind the launcher", || {
        std::fs::read_link(&launcher).is_ok_and(|link| !link.starts_with("versions/0.0.1"))
    });
    assert_eq!(std::fs::read(&launcher).unwrap(), std::fs::read(sidecar()).unwrap());
    assert!(old.exists(), "an agent may run it");
}
