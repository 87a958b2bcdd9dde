//! Checks that run no built program: format, lints, dependencies.

use std::path::PathBuf;

use anyhow::Result;

use crate::place::{Place, WHOLE};
use crate::steps::{Steps, go, say};
use crate::{
    circles, crates_picture, documents, file_lengths, icons, licences, system, tools, types, ui, words,
};

/// `cargo xtask check`
pub(crate) fn check(place: &Place, yes: bool) -> Result<()> {
    system::ensure(&system::BUILD.iter().collect::<Vec<_>>(), yes)?;
    tools::ensure(place)?;
    let mut steps = Steps::new();
    all(place, &mut steps);
    steps.step("the front end's types are the contract's", || types::check(place));
    steps.finish()
}

/// The steps that need no built program, for `test` as well.
pub(crate) fn all(place: &Place, steps: &mut Steps) {
    // First, because the desktop carries it inside and does not compile without.
    steps.step("build the front end", || ui::build(place));
    steps.step("format", || go(&mut place.cargo(&["fmt", "--all", "--check"])));
    steps.step("lints", || {
        let mut clippy = place.cargo(&["clippy", "--quiet", "--all-targets"]);
        go(clippy.args(WHOLE).args(["--", "-D", "warnings"]))
    });
    steps.step("no circle inside a crate", || circles::check(place));
    steps.step("the picture of the crates is what they are", || {
        crates_picture::picture(place, &["--check".to_owned()])
    });
    steps.step("documents name what is there", || documents::check(place));
    steps.step("files are short enough to read", || file_lengths::check(place));
    steps.step("texts read as docs/style.md says", || words::check(place));
    steps.step("unused dependencies", || go(&mut place.cargo(&["machete", "--skip-target-dir"])));
    steps.step("front end: types, texts, contrast", || ui::check(place));
    steps.step("icons are what the drawings give", || icons::check(place));
    steps.step("licence texts of what is built in", || licences::licences(place, &["--check".to_owned()]));
    steps.step("licences and sources of dependencies", || {
        go(&mut place.cargo(&[
            "deny",
            "--all-features",
            "check",
            "--hide-inclusion-graph",
            "bans",
            "licenses",
            "sources",
        ]))
    });
    steps.step("known defects of dependencies", || advisories(place));
}

/// Asks the database of known defects, where somebody has fetched it (`cargo deny fetch db`); nothing is fetched here.
fn advisories(place: &Place) -> Result<()> {
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = cargo.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let database = cargo.map(|cargo| cargo.join("advisory-dbs")).filter(|folder| folder.is_dir());
    if database.is_none() {
        say("   not asked: no database is here; `cargo deny fetch db` fetches it");
        return Ok(());
    }
    go(&mut place.cargo(&[
        "deny",
        "--all-features",
        "--offline",
        "check",
        "--hide-inclusion-graph",
        "advisories",
    ]))
}
