//! `cargo xtask run`: from a fresh clone to the main job, with nothing else to type: the desktop, or where there
//! is no screen the same in the terminal.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result};

use crate::place::{Place, WHOLE};
use crate::steps::{go, hand_over, say};
use crate::{system, ui};

/// Builds the program, starts it with the remaining arguments, and exits with its code.
pub(crate) fn run(place: &Place, yes: bool, rest: &[String]) -> Result<ExitCode> {
    let terminal = rest.iter().any(|word| word == "--terminal") || !has_screen();
    let rest: Vec<&String> = rest.iter().filter(|word| *word != "--terminal").collect();
    let needs: Vec<_> = if terminal {
        system::BUILD.iter().collect()
    } else {
        system::BUILD.iter().chain(system::DESKTOP).collect()
    };
    system::ensure(&needs, yes)?;
    say("Building the sidecar (the first time takes a few minutes) …");
    // As it ships, because connecting puts exactly this program into agents.
    go(&mut place.cargo(&["build", "--release", "--locked", "--package", "plimsoll"]))?;
    let sidecar = built(place, "release", "plimsoll");
    if terminal {
        say(if has_screen() {
            "The wizard asks in the terminal."
        } else {
            "There is no screen here, so the wizard asks in the terminal."
        });
        let mut setup = Command::new(&sidecar);
        setup.arg("setup").args(&rest);
        if yes && !rest.iter().any(|word| *word == "--dry-run") {
            setup.arg("--yes");
        }
        return hand_over(&mut setup);
    }
    say("Building the window …");
    ui::build(place)?;
    say("Building the desktop (the first time takes about ten minutes on two cores) …");
    // With the features that the tests ask for, so that `cargo xtask test` rebuilds nothing.
    go(place.cargo(&["build", "--bin", "plimsoll-desktop"]).args(WHOLE))?;
    let desktop = desktop_beside_sidecar(place, &sidecar)?;
    say("Plimsoll is open; its icon is in the tray. Ctrl-C ends it, agents keep their sidecars.");
    hand_over(Command::new(desktop).args(&rest))
}

/// The desktop beside the sidecar as it ships, as in the packages: the desktop looks for it there.
fn desktop_beside_sidecar(place: &Place, sidecar: &Path) -> Result<PathBuf> {
    let folder = place.cache.join("run");
    std::fs::create_dir_all(&folder)?;
    let desktop = built(place, "debug", "plimsoll-desktop");
    let mut copy = PathBuf::new();
    for program in [sidecar, &desktop] {
        copy = folder.join(program.file_name().unwrap_or_default());
        // One that still runs is replaced, not written over.
        let _ = std::fs::remove_file(&copy);
        std::fs::copy(program, &copy).with_context(|| copy.display().to_string())?;
    }
    Ok(copy)
}

fn built(place: &Place, profile: &str, name: &str) -> PathBuf {
    place.target().join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Whether a window could be opened.
fn has_screen() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
