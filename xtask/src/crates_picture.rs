//! `cargo xtask picture`: draws which crate of the workspace uses which, as `docs/pictures/crates.svg`. Owns reading that
//! from `Cargo.toml` files; where boxes and lines go is [`layout`]'s, what they look like is [`svg`]'s.

mod layout;
mod svg;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::place::Place;

/// The picture that ARCHITECTURE.md shows.
const PICTURE: &str = "docs/pictures/crates.svg";

/// By crate: the crates that it uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Draws the picture, or with `--check` only compares it with what it would be.
pub(crate) fn picture(place: &Place, rest: &[String]) -> Result<()> {
    let path = place.repo.join(PICTURE);
    let uses = uses(place)?;
    let fresh = svg::draw(&layout::place(&without_indirect_uses(&uses)), &systems(place, &uses));
    if rest.iter().any(|word| word == "--check") {
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        ensure!(old == fresh, "{PICTURE} isn't what the crates are; run `cargo xtask picture`");
        return Ok(());
    }
    std::fs::write(&path, fresh).with_context(|| path.display().to_string())
}

/// The crates of the product, without those that only test and build it.
fn uses(place: &Place) -> Result<Uses> {
    let output = place
        .cargo(&["metadata", "--no-deps", "--format-version", "1", "--locked", "--offline"])
        .output()
        .context("starting cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;
    let is_product = |package: &&Value| {
        let manifest = package["manifest_path"].as_str().unwrap_or_default().replace('\\', "/");
        manifest.contains("/crates/") || manifest.ends_with("/src-tauri/Cargo.toml")
    };
    let products: Vec<&Value> = packages.iter().filter(is_product).collect();
    let names: BTreeSet<&str> = products.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut all = Uses::new();
    for package in products {
        let used = package["dependencies"].as_array().into_iter().flatten();
        let used = used.filter(|dependency| dependency["kind"].is_null());
        let used = used.filter_map(|dependency| dependency["name"].as_str());
        let used = used.filter(|name| names.contains(name)).map(short).collect();
        all.insert(short(package["name"].as_str().unwrap_or_default()), used);
    }
    Ok(all)
}

/// The crates with a system's table; *context* is `service`'s, which is more than that.
fn systems(place: &Place, uses: &Uses) -> BTreeSet<String> {
    let is_system = |name: &&String| {
        let root = place.repo.join("crates").join(name).join("src/lib.rs");
        std::fs::read_to_string(root).is_ok_and(|text| text.contains("pub static SYSTEM: System"))
    };
    uses.keys().filter(is_system).cloned().collect()
}

/// `plimsoll-home` is the crate `home`; the sidecar is `plimsoll`.
fn short(name: &str) -> String {
    name.strip_prefix("plimsoll-").unwrap_or(name).to_owned()
}

/// Leaves out crates that are used through another crate anyway, so that the picture shows the order and not every line.
fn without_indirect_uses(uses: &Uses) -> Uses {
    let reaches = |from: &str, to: &str| {
        let mut open = vec![from];
        let mut seen = BTreeSet::new();
        while let Some(at) = open.pop() {
            for next in uses.get(at).into_iter().flatten() {
                if next == to {
                    return true;
                }
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        false
    };
    let kept = |used: &BTreeSet<String>| {
        let others = |name: &String| used.iter().any(|other| other != name && reaches(other, name));
        used.iter().filter(|name| !others(name)).cloned().collect()
    };
    uses.iter().map(|(name, used)| (name.clone(), kept(used))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Uses, layout, svg, without_indirect_uses};

    fn uses(lines: &[(&str, &[&str])]) -> Uses {
        let line = |(name, used): &(&str, &[&str])| {
            ((*name).to_owned(), used.iter().map(|used| (*used).to_owned()).collect())
        };
        lines.iter().map(line).collect()
    }

    #[test]
    fn dependencies_reached_through_another_crate_are_left_out() {
        let all = uses(&[("top", &["middle", "base"]), ("middle", &["base"]), ("base", &[])]);
        let kept = uses(&[("top", &["middle"]), ("middle", &["base"]), ("base", &[])]);
        assert_eq!(without_indirect_uses(&all), kept);
    }

    #[test]
    fn a_crate_is_above_its_dependencies_and_no_boxes_overlap() {
        let all = uses(&[
            ("top", &["left", "right", "base"]),
            ("left", &["base"]),
            ("right", &["lower"]),
            ("lower", &["base"]),
            ("base", &[]),
        ]);
        let placed = layout::place(&all);
        let at =
            |name: &str| placed.boxes.iter().find(|one| one.name == name).expect("every crate has a box");
        for (name, used) in &all {
            for used in used {
                assert!(at(name).y + layout::HEIGHT < at(used).y, "{name} must be above {used}");
            }
        }
        for (index, one) in placed.boxes.iter().enumerate() {
            for other in &placed.boxes[index + 1..] {
                let apart = one.x + one.width <= other.x || other.x + other.width <= one.x;
                assert!(one.y != other.y || apart, "{} and {}", one.name, other.name);
            }
        }
        assert_eq!(placed.lines.len(), 6);
    }

    #[test]
    fn the_picture_is_the_same_each_time_and_names_every_crate() {
        let all = uses(&[("top", &["base"]), ("base", &[])]);
        let systems = BTreeSet::from(["base".to_owned()]);
        let once = svg::draw(&layout::place(&all), &systems);
        assert_eq!(once.matches("class=\"system\"").count(), 1);
        assert_eq!(once, svg::draw(&layout::place(&all), &systems));
        assert!(once.contains(">top</text>") && once.contains(">base</text>"), "{once}");
    }
}
