//! What apt would do (`apt-get -s`): each package once with its versions, by what happens to it. The lists of names above say
//! the same and go; what is kept back, suggested or no longer needed stays.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

/// A simulation of apt's.
pub(crate) fn simulation(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() / 3);
    let (mut new, mut changed, mut removed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut known, mut configured) = (HashSet::new(), Vec::new());
    let mut origins: BTreeMap<&str, usize> = BTreeMap::new();
    let mut said = String::new();
    let mut list: Option<(&str, Vec<&str>)> = None;
    for line in text.lines() {
        if let Some((_, names)) = &mut list
            && line.starts_with("  ")
        {
            names.extend(line.split_whitespace());
            continue;
        }
        finish(list.take(), &mut said);
        if let Some(rest) = line.strip_prefix("Inst ") {
            let package = Package::parse(rest)?;
            known.insert(package.name);
            *origins.entry(package.origin).or_default() += 1;
            match package.old {
                Some(old) => changed.push(format!("{} {old} → {}", package.name, package.version)),
                None => new.push(format!("{} {}", package.name, package.version)),
            }
        } else if let Some(rest) = line.strip_prefix("Remv ").or_else(|| line.strip_prefix("Purg ")) {
            removed.push(rest.split(" [").next().map_or(rest.to_owned(), |name| {
                let version = rest.split(['[', ']']).nth(1).unwrap_or_default();
                format!("{name} {version}").trim_end().to_owned()
            }));
        } else if let Some(rest) = line.strip_prefix("Conf ") {
            configured.push(rest.split(' ').next().unwrap_or(rest));
        } else if line.ends_with(':') && line.starts_with(|c: char| c.is_ascii_uppercase()) {
            list = Some((line, Vec::new()));
        } else if !noise(line) {
            let _ = writeln!(said, "{line}");
        }
    }
    finish(list.take(), &mut said);
    if new.is_empty() && changed.is_empty() && removed.is_empty() {
        return None;
    }
    out.push_str(&said);
    for (what, packages) in [("installs", &new), ("changes", &changed), ("removes", &removed)] {
        if !packages.is_empty() {
            let _ = writeln!(out, "{what} {}: {}", packages.len(), packages.join(", "));
        }
    }
    if !origins.is_empty() {
        let origins: Vec<String> =
            origins.iter().map(|(origin, count)| format!("{origin} ×{count}")).collect();
        let _ = writeln!(out, "from: {}", origins.join("; "));
    }
    let others: Vec<&str> = configured.iter().copied().filter(|name| !known.contains(name)).collect();
    let _ = match (configured.len(), others.is_empty()) {
        (0, _) => Ok(()),
        (count, true) if count == known.len() => writeln!(out, "configures all of them"),
        (count, _) if others.is_empty() => writeln!(out, "configures {count} of them"),
        (count, _) => writeln!(out, "configures {count}, also {}", others.join(", ")),
    };
    Some(out)
}

fn noise(line: &str) -> bool {
    let line = line.trim_end();
    line.is_empty()
        || [
            "Reading package lists...",
            "Building dependency tree...",
            "Reading state information...",
            "Calculating upgrade...",
        ]
        .iter()
        .any(|noise| line.starts_with(noise))
}

/// A list of names in one line, but those that come again with their versions.
fn finish(list: Option<(&str, Vec<&str>)>, said: &mut String) {
    let Some((heading, names)) = list else { return };
    let again = [
        "additional packages will be installed",
        "NEW packages will be installed",
        "packages will be upgraded",
        "packages will be REMOVED",
    ];
    if again.iter().any(|again| heading.contains(again)) && !names.is_empty() {
        return;
    }
    let _ = writeln!(said, "{heading} {}", names.join(" "));
}

struct Package<'t> {
    name: &'t str,
    old: Option<&'t str>,
    version: &'t str,
    origin: &'t str,
}

impl<'t> Package<'t> {
    /// `gimp [2.10.33-1] (2.10.34-1 Debian:12.15/oldstable [amd64])`
    fn parse(rest: &'t str) -> Option<Self> {
        let (name, rest) = rest.split_once(' ')?;
        let (old, rest) = match rest.strip_prefix('[').and_then(|inner| inner.split_once("] ")) {
            Some((old, rest)) => (Some(old), rest),
            None => (None, rest),
        };
        let inside = rest.strip_prefix('(')?.split_once(')').map(|(inside, _)| inside)?;
        let (version, origin) = inside.split_once(' ').unwrap_or((inside, ""));
        let origin = origin.split(" [").next().unwrap_or(origin);
        Some(Self { name, old, version, origin })
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_package_is_named_once_with_its_versions() {
        let text = "Reading package lists...\nThe following packages have been kept back:\n  linux-image\nThe following NEW packages will be installed:\n  a b\nThe following packages will be upgraded:\n  c\n2 upgraded, 1 newly installed, 1 to remove and 3 not upgraded.\nRemv d [1.0]\nInst c [1.1] (1.2 Debian:12/stable [amd64])\nInst a (2.0 Debian:12/stable [all])\nInst b (3.0 Debian-Security:12 [amd64])\nConf c (1.2 Debian:12/stable [amd64])\nConf a (2.0 Debian:12/stable [all])\nConf b (3.0 Debian-Security:12 [amd64])\n";
        assert_eq!(
            super::simulation(text).unwrap(),
            "The following packages have been kept back: linux-image\n2 upgraded, 1 newly installed, 1 to remove and 3 not upgraded.\ninstalls 2: a 2.0, b 3.0\nchanges 1: c 1.1 → 1.2\nremoves 1: d 1.0\nfrom: Debian-Security:12 ×1; Debian:12/stable ×2\nconfigures all of them\n"
        );
        assert_eq!(super::simulation("Reading package lists...\n"), None);
    }
}
