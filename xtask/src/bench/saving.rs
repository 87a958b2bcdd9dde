//! The saving: its size on scenarios and in a session, and how long the filters take. Measured by the package
//! `plimsoll-bench`, which prints its own tables and fails when a fact is lost.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::rival::Rival;
use crate::place::Place;
use crate::steps::{go, say};
use crate::{test, tools};

/// Its names on the command line; `soak` lasts half an hour, `facts` builds other tools, and both run only when they are named.
pub(crate) const NAMES: [&str; 5] = ["saving", "facts", "session", "speed", "soak"];

/// Builds the bench and runs the chosen part.
pub(crate) fn measure(
    place: &Place,
    sidecar: &Path,
    rival: Option<&Rival>,
    wanted: &dyn Fn(&str) -> bool,
    json: bool,
    options: &[String],
) -> Result<()> {
    go(&mut place.cargo(&["build", "--quiet", "--release", "--locked", "--package", "plimsoll-bench"]))?;
    let bench =
        place.target().join("release").join(format!("plimsoll-bench{}", std::env::consts::EXE_SUFFIX));
    for name in NAMES.into_iter().filter(|name| wanted(name)) {
        let mut command = Command::new(&bench);
        command.arg(name).current_dir(&place.repo).env("PLIMSOLL_SIDECAR", sidecar);
        if json {
            command.arg("--json");
        }
        if ["soak", "facts", "session"].contains(&name) {
            command.args(options);
        }
        if name == "facts" {
            super::facts::prepare(place, &mut command);
        }
        if let (Some(rival), "saving") = (rival, name) {
            command.arg("--rival").args([rival.node(), rival.cli()]);
        }
        if name == "session" && cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            match tools::npm(place, "agents", test::AGENTS) {
                Ok(agents) => {
                    command.env("PLIMSOLL_TEST_AGENTS", agents);
                }
                Err(error) => say(&format!("The agents cannot be installed here: {error:#}")),
            }
        }
        go(&mut command)?;
    }
    Ok(())
}
