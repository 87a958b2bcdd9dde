//! What people see, in Chromium: the tests of every screen (`cargo xtask test`), their pictures (`cargo xtask
//! screenshots`) and the figures of the window (`cargo xtask bench desktop`). All three use the built page, the
//! test host, the seeding program and the sidecar, which are built here. Doesn't know what a screen contains.

mod palette;

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::place::{Place, WHOLE, on_path};
use crate::steps::{go, say};
use crate::{system, ui};

/// The README's pictures, below `docs/pictures`.
const README: [&str; 3] = ["review", "home", "knowledge"];
/// What one of them may weigh, in bytes.
const HEAVIEST: u64 = 150_000;

/// The programs that the front end's tests are given, by the names of their variables.
pub(crate) struct Built(Vec<(&'static str, OsString)>);

/// Builds the test host and the seeding program; `profile` is `dev` or `release`. The page and the sidecar are
/// taken as they were built before.
pub(crate) fn build(place: &Place, profile: &str) -> Result<Built> {
    let mut cargo = place.cargo(&["build", "--quiet"]);
    if profile == "dev" {
        // The same feature set as the tests', but only the targets needed here.
        go(cargo.args(WHOLE).args(["--bin", "plimsoll-webhost", "--example", "seed"]))?;
    } else {
        cargo.args(["--locked", "--package", "plimsoll-webhost"]);
        go(cargo.args(["--bins", "--examples", "--profile", profile]))?;
    }
    let folder = place.target().join(if profile == "dev" { "debug" } else { profile });
    let program = |name: &str| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let released = place.target().join(format!("release/plimsoll{}", std::env::consts::EXE_SUFFIX));
    let browser = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(on_path);
    let named = [
        ("PLIMSOLL_PAGE", place.repo.join("ui/dist")),
        ("PLIMSOLL_WEBHOST", program("plimsoll-webhost")),
        ("PLIMSOLL_SEED", program("examples/seed")),
        ("PLIMSOLL_SIDECAR", released),
        ("PLIMSOLL_CHROMIUM", browser.context("chromium is not on PATH")?),
    ];
    Ok(Built(named.into_iter().map(|(name, path)| (name, path.into_os_string())).collect()))
}

impl Built {
    /// Runs one of the front end's scripts with them.
    fn run(&self, place: &Place, script: &str, more: &[(&str, &Path)]) -> Result<()> {
        let mut npm = ui::npm(place)?;
        npm.args(["run", "--silent", script]).envs(self.0.iter().map(|(name, path)| (*name, path)));
        go(npm.envs(more.iter().map(|(name, path)| (*name, path.as_os_str()))))
    }
}

/// Every test of the window in Chromium.
pub(crate) fn test(place: &Place) -> Result<()> {
    build(place, "dev")?.run(place, "test:window", &[])
}

/// The figures of the window, as a list of JSON objects with `what`, `ours`, `baseline` and `goal`.
pub(crate) fn measure(place: &Place, scratch: &Path) -> Result<serde_json::Value> {
    ui::build(place)?;
    let figures = scratch.join("window.json");
    build(place, "release")?.run(place, "bench:window", &[("PLIMSOLL_FIGURES", &figures)])?;
    Ok(serde_json::from_slice(&std::fs::read(&figures)?)?)
}

/// `cargo xtask screenshots [readme]`: pictures of every screen and state, into the cache, to be looked at; with
/// `readme`, those that the README shows, into `docs/pictures`.
pub(crate) fn screenshots(place: &Place, yes: bool, rest: &[String]) -> Result<()> {
    let readme = match rest {
        [] => false,
        [word] if word == "readme" => true,
        _ => bail!("`cargo xtask screenshots` takes nothing, or `readme`"),
    };
    let needs = system::BUILD.iter().chain(system::PACKAGE).chain(system::WINDOW);
    system::ensure(&needs.collect::<Vec<_>>(), yes)?;
    ui::build(place)?;
    go(&mut place.cargo(&["build", "--quiet", "--release", "--locked", "--package", "plimsoll"]))?;
    let built = build(place, "dev")?;
    if !readme {
        let folder = place.cache.join("pictures");
        let _ = std::fs::remove_dir_all(&folder);
        built.run(place, "pictures", &[("PLIMSOLL_PICTURES", &folder)])?;
        say(&format!("pictures of every screen are in {}", folder.display()));
        return Ok(());
    }
    let folder = place.repo.join("docs/pictures");
    built.run(place, "pictures", &[("PLIMSOLL_README", &folder)])?;
    for path in README
        .iter()
        .flat_map(|name| ["light", "dark"].map(|theme| folder.join(format!("{name}-{theme}.png"))))
    {
        let size = palette::reduce_to_palette(&path)?;
        say(&format!("{:>7} bytes  {}", size, path.display()));
        if size > HEAVIEST {
            bail!("{} weighs more than {HEAVIEST} bytes", path.display());
        }
    }
    Ok(())
}
