//! What apt would do (`apt-get -s`): each package once with its versions, by what happens to it. The lists of names above say
//! the same and go; what is kept back, suggested or no longer needed stays.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

/// Longest list that is named where not all fit, in bytes.
const LONG: usize = 200;
/// The words around a list of names, in bytes.
const HEADING: usize = 40;

/// One of apt's simulations in about `room` bytes.
pub(crate) fn simulation(text: &str, room: usize) -> Option<String> {
    let mut out = String::with_capacity(text.len() / 3);
    let (mut new, mut changed, mut removed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut known, mut configured) = (HashSet::new(), Vec::new());
    let mut origins: BTreeMap<&str, usize> = BTreeMap::new();
    let mut printed = String::new();
    let mut list: Option<(&str, Vec<&str>)> = None;
    // What comes again with its version, further down.
    let again: HashSet<&str> = text
        .lines()
        .filter_map(|line| {
            ["Inst ", "Remv ", "Purg "].iter().find_map(|what| line.strip_prefix(what))?.split(' ').next()
        })
        .collect();
    for line in text.lines() {
        if let Some((_, names)) = &mut list
            && is_names(line)
        {
            names.extend(line.split_whitespace());
            continue;
        }
        finish(list.take(), &again, &mut printed);
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
        } else if line.ends_with(':')
            && line.contains("packages")
            && line.starts_with(|c: char| c.is_ascii_uppercase())
        {
            list = Some((line, Vec::new()));
        } else if !noise(line) {
            let _ = writeln!(printed, "{line}");
        }
    }
    finish(list.take(), &again, &mut printed);
    if new.is_empty() && changed.is_empty() && removed.is_empty() {
        return None;
    }
    let names: Vec<&str> = known_in_order(&known);
    if whole_of(&printed, &[&new, &changed, &removed]) > room {
        // Versions say more than what could be installed besides.
        printed = without_lists(&printed);
    }
    if whole_of(&printed, &[&new, &changed, &removed]) > room {
        return Some(part(&printed, &names, [&new, &changed, &removed], room));
    }
    out.push_str(&printed);
    for (what, packages) in [("would install", &new), ("would change", &changed), ("would remove", &removed)]
    {
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
        (count, true) if count == known.len() => writeln!(out, "would configure all of them"),
        (count, _) if others.is_empty() => writeln!(out, "would configure {count} of them"),
        (count, _) => writeln!(out, "would configure {count}, also {}", others.join(", ")),
    };
    Some(out)
}

/// apt's own totals, and how many names each long list has.
fn without_lists(printed: &str) -> String {
    let mut out = String::new();
    let (lists, totals): (Vec<&str>, Vec<&str>) =
        printed.lines().partition(|line| line.len() > LONG && line.contains(": "));
    for line in totals {
        let _ = writeln!(out, "{line}");
    }
    for line in lists {
        let (heading, names) = line.split_once(": ").unwrap_or((line, ""));
        let _ = writeln!(out, "{heading}: {} names left out", names.split(' ').count());
    }
    out
}

fn whole_of(printed: &str, packages: &[&Vec<String>]) -> usize {
    let names = packages.iter().flat_map(|packages| packages.iter());
    printed.len() + names.map(|package| package.len() + 2).sum::<usize>() + 3 * LONG
}

fn known_in_order<'t>(known: &HashSet<&'t str>) -> Vec<&'t str> {
    let mut names: Vec<&str> = known.iter().copied().collect();
    names.sort_unstable();
    names
}

/// What does not fit: apt's own totals, what goes and what changes, then names as far as there is room.
fn part(printed: &str, names: &[&str], [new, changed, removed]: [&Vec<String>; 3], room: usize) -> String {
    let mut out = String::with_capacity(room);
    out.push_str(printed);
    let left = |out: &String| room.saturating_sub(out.len() + 64);
    let bytes = |packages: &[String]| packages.iter().map(|package| package.len() + 2).sum::<usize>();
    let behind = (bytes(changed) + bytes(new), bytes(new));
    for (what, packages, later) in [("would remove", removed, behind.0), ("would change", changed, behind.1)]
    {
        if !packages.is_empty() {
            let all = left(&out);
            let most = if later == 0 { all } else { all - (later + HEADING).min(all / 3) };
            let _ = write!(out, "{what} {}: ", packages.len());
            // More names of what goes say more than its versions.
            let brief = what == "would remove" && bytes(packages) > most;
            let named = packages.iter().map(|package| match package.split_once(' ') {
                Some((name, _)) if brief => name,
                _ => package.as_str(),
            });
            list_names(named, ", ", most, &mut out);
        }
    }
    if !new.is_empty() {
        let versions: HashSet<&str> = new.iter().filter_map(|package| package.split(' ').next()).collect();
        let names: Vec<&str> = names.iter().copied().filter(|name| versions.contains(name)).collect();
        let most = left(&out);
        let _ = write!(out, "would install {}: ", new.len());
        list_names(names.into_iter(), " ", most, &mut out);
    }
    out
}

/// Names as far as they fit, and how many more there are.
fn list_names<'n>(names: impl Iterator<Item = &'n str>, joint: &str, room: usize, out: &mut String) {
    let (mut used, mut more) = (0, 0);
    for name in names {
        if used + name.len() + joint.len() > room || more > 0 {
            more += 1;
            continue;
        }
        if used > 0 {
            out.push_str(joint);
        }
        out.push_str(name);
        used += name.len() + joint.len();
    }
    let _ = match more {
        0 => writeln!(out),
        more => writeln!(out, " … {more} more"),
    };
}

/// A line below one of apt's headings: names and nothing else.
fn is_names(line: &str) -> bool {
    let name = |word: &str| {
        // `*` marks what is purged, brackets what is essential and for what.
        let word = word.trim_matches(['*', '(', ')', '|', ',']);
        word.len() > 1
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-.:_~".contains(&byte))
            || matches!(word, "" | "|")
    };
    line.strip_prefix("  ").is_some_and(|names| {
        !names.starts_with(char::is_whitespace) && names.split(' ').all(|word| name(word) || word == "for")
    })
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

/// A list of names in one line, unless all of them come again with their versions.
fn finish(list: Option<(&str, Vec<&str>)>, again: &HashSet<&str>, printed: &mut String) {
    let Some((heading, names)) = list else { return };
    if !names.is_empty() && names.iter().all(|name| again.contains(name.trim_end_matches('*'))) {
        return;
    }
    let _ = writeln!(printed, "{}", format!("{heading} {}", names.join(" ")).trim_end());
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
        let text = "Reading package lists...\nThe following packages have been kept back:\n  linux-image\nThe following NEW packages will be installed:\n  aa bb\nThe following packages will be upgraded:\n  cc\n2 upgraded, 1 newly installed, 1 to remove and 3 not upgraded.\nRemv dd [1.0]\nInst cc [1.1] (1.2 Debian:12/stable [amd64])\nInst aa (2.0 Debian:12/stable [all])\nInst bb (3.0 Debian-Security:12 [amd64])\nConf cc (1.2 Debian:12/stable [amd64])\nConf aa (2.0 Debian:12/stable [all])\nConf bb (3.0 Debian-Security:12 [amd64])\n";
        assert_eq!(
            super::simulation(text, 9_000).unwrap(),
            "The following packages have been kept back: linux-image\n2 upgraded, 1 newly installed, 1 to remove and 3 not upgraded.\nwould install 2: aa 2.0, bb 3.0\nwould change 1: cc 1.1 → 1.2\nwould remove 1: dd 1.0\nfrom: Debian-Security:12 ×1; Debian:12/stable ×2\nwould configure all of them\n"
        );
        let many: String =
            (0..400).map(|n| format!("Inst lib{n} (1.{n} Debian:12/stable [amd64])\n")).collect();
        let many = format!(
            "Suggested packages:\n  {}\n0 upgraded, 400 newly installed, 1 to remove and 0 not upgraded.\nRemv gone [1.0]\n{many}",
            "doc ".repeat(90)
        );
        let part = super::simulation(&many, 2_000).unwrap();
        assert!(part.len() <= 2_000 && part.len() > 1_900, "{}: {part}", part.len());
        for fact in [
            "400 newly installed",
            "would remove 1: gone 1.0",
            "would install 400: lib0 lib1 ",
            " more",
            "90 names left out",
        ] {
            assert!(part.contains(fact), "{fact}: {part}");
        }
        // Many packages that go are named without their versions, and what changes is still there.
        let gone: String = (0..160).map(|n| format!("Remv lib-that-goes-{n} [1.{n}]\n")).collect();
        let text = format!(
            "1 upgraded, 0 newly installed, 160 to remove and 7 not upgraded.\n{gone}Inst pq [1.1] (1.2 Debian:12/stable [amd64])\nConf pq (1.2 Debian:12/stable [amd64])\n"
        );
        let part = super::simulation(&text, 2_000).unwrap();
        assert!(part.len() <= 2_000 && part.len() > 1_850, "{}: {part}", part.len());
        for fact in
            ["would remove 160: lib-that-goes-0, lib-that-goes-1, ", " more\nwould change 1: pq 1.1 → 1.2\n"]
        {
            assert!(part.contains(fact), "{fact}: {part}");
        }
        // A line that somebody else indents below a heading isn't a name, and no list begins inside another tool's
        // sentence.
        let mixed = "The following NEW packages will be installed:\n  aa bb\n  warning: disk C is full\n    at step 3\nHook says:\n  ok and done\nInst aa (2.0 Debian:12/stable [all])\nInst bb (3.0 Debian:12/stable [all])\n";
        let short = super::simulation(mixed, 9_000).unwrap();
        for line in ["  warning: disk C is full", "    at step 3", "Hook says:", "  ok and done"] {
            assert!(short.lines().any(|short| short == line), "{line}: {short}");
        }
        assert_eq!(super::simulation("Reading package lists...\n", 9_000), None);
    }
}
