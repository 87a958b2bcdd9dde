//! The output of a monorepo's runner that runs several packages at once: each line begins with its package and task
//! (`web:test: …`), and the lines of several packages are mixed; or each package's lines are below a line that names
//! its task. Owns shortening each package's lines like those of any program, under a heading with their prefix or
//! title; `runner`, `sections` and `sessions` decide which package a line belongs to.

use std::collections::{HashMap, HashSet};

use crate::by_rules::added;
use crate::counted::counted;
use crate::diagnostics;
use crate::fit::{fit, shared};
use crate::guard::{carries, must_stay};
use crate::normal::normalise;
use crate::set::FilterSet;
use crate::shortened::{GENERIC, Shortened};
use crate::traces;
use crate::worth::{ADDRESS, WORTH_BYTES};

mod packages;
mod runner;
mod sections;
mod sessions;

use packages::{Apart, Part};

/// Shorter outputs, in bytes, stay in their order; a smaller budget would only fit headings.
const FROM: usize = 4_000;
/// Longer ones stay in their order, too: each package's lines are shortened up to twice, and an agent waits.
const UP_TO: usize = 400_000;
const LEAST_ROOM: usize = 3_000;
/// The text around the prefix that a heading names, and the heading of lines without one.
const HEADING: (&str, &str) = ("lines with \"", "\" in front:");
const REST: &str = "lines with none of these in front:";
/// The end of the heading where the runner has a line of its own above a package's lines, and then the heading of other lines.
const ABOVE: &str = "\" above:";
const OTHERS: &str = "lines of none of these:";
/// Shares of the room: for the lines above the packages, for the lines below, and for the packages that didn't fail.
const ABOVE_SHARE: usize = 8;
const BELOW_SHARE: usize = 4;
const CALM_SHARE: usize = 4;
/// With less room than this, in bytes, a package's lines are only counted.
const LEAST: usize = 400;
/// How many of a package's failures are looked for in its shortened lines.
const ASKED: usize = 50;
/// A package's lines that have no more bytes than this are shown as they are.
const FEW_BYTES: usize = 240;
/// An unknown command.
const UNKNOWN: &str = "./unknown";

/// The lines of `text` by package; `None` if no runner printed it.
fn apart(text: &str) -> Option<Apart<'_>> {
    runner::apart(text).or_else(|| sections::sections(text)).or_else(|| sessions::sessions(text))
}

/// Shortens what a command printed in about so many bytes, as `shorten` does it; with whether it is data.
type Alone = fn(&FilterSet, &str, &str, usize) -> Option<(Shortened, bool)>;
/// A package's shortened lines, with what was left out.
type Body = (String, Vec<(String, usize)>);

/// The `output` of a runner by package in at most `room` bytes, those that failed first; `text` is the output as a
/// terminal shows it. `None` for any other output, or if changing the order would save little.
pub(crate) fn by_package(
    set: &FilterSet,
    output: &str,
    text: &str,
    room: usize,
    alone: Alone,
) -> Option<Shortened> {
    if set.is_off(GENERIC) || !(FROM..=UP_TO).contains(&output.len()) || room < LEAST_ROOM {
        return None;
    }
    let apart = apart(text)?;
    let above = fit(&apart.above(), false, room / ABOVE_SHARE);
    let below = fit(&apart.below(), false, room / BELOW_SHARE);
    let empty = vec![String::new(); apart.parts.len()];
    let frame = render(&apart, &above, &empty, &below).len();
    let room_left = room.checked_sub(frame)?;
    let texts: Vec<String> = apart.parts.iter().map(Part::text).collect();
    let mut bodies: Vec<Body> = texts.iter().map(|text| body(set, text, room_left, alone)).collect();
    let wanted: Vec<usize> = bodies.iter().map(|(text, _)| text.len() + 1).collect();
    for (at, granted) in rooms(&apart.parts, &wanted, room_left).into_iter().enumerate() {
        if granted < wanted[at] {
            bodies[at] = body(set, &texts[at], granted.saturating_sub(1), alone);
        }
    }
    // If so many failed that a single failure no longer fits, the original order says more about them.
    let first = apart.parts.first().map(|part| part.rank);
    let is_lost = |at: usize, part: &Part<'_>| {
        let mut failures = part.lines.iter().filter(|line| must_stay(line)).take(ASKED).peekable();
        Some(part.rank) == first
            && failures.peek().is_some()
            && !failures.any(|line| carries(&bodies[at].0, line))
            && !lists(&bodies[at].0, &texts[at])
    };
    if apart.parts.iter().enumerate().any(|(at, part)| is_lost(at, part)) {
        return None;
    }
    let left_out = bodies.iter().fold(Vec::new(), |all, (_, counts)| added(all, counts));
    let bodies: Vec<String> = bodies.into_iter().map(|(text, _)| text).collect();
    let text = render(&apart, &above, &bodies, &below);
    if text.len() > room || text.len() * 4 > output.len() * 3 && output.len() <= room {
        return None;
    }
    // Where all passed, similar lines of all packages are counted together in the original order.
    if apart.parts.iter().all(|part| part.rank > 1)
        && ![&apart.above, &apart.below].into_iter().any(|lines| states_failure(lines))
        && alone(set, UNKNOWN, output, room).is_some_and(|(mixed, _)| mixed.text.len() < text.len())
    {
        return None;
    }
    let done = Shortened { text, filter: GENERIC.to_owned(), left_out };
    let whole = done.with_address(None).len() + ADDRESS;
    (whole + WORTH_BYTES.max(output.len() / 10) <= output.len()).then_some(done)
}

/// Whether `shown` has a list of the findings in `text`, or of its failed tests: no row repeats a line unchanged.
fn lists(shown: &str, text: &str) -> bool {
    if traces::lists_tests(shown) {
        return true;
    }
    let list = diagnostics::Completeness::new(text, shown, &HashSet::new());
    list.wrong().is_empty() && text.lines().any(|line| must_stay(line) && list.covers(line))
}

/// Whether several tasks of `text` found something in files, which each names relative to its own folder: one list of
/// all would be ambiguous.
pub(crate) fn finds_in_several(text: &str) -> bool {
    let finds = |part: &&Part<'_>| diagnostics::has_findings(&part.text());
    sections::sections(text).is_some_and(|apart| apart.parts.iter().filter(finds).count() > 1)
}

/// Whether a result is laid out by package.
pub(crate) fn is_by_package(shown: &str) -> bool {
    let ends = |line: &str| line.ends_with(HEADING.1) || line.ends_with(ABOVE);
    shown.lines().any(|line| line.starts_with(HEADING.0) && ends(line))
}

/// All lines of `output` by package; `None` if the packages can't be distinguished.
pub(crate) fn whole(output: &str) -> Option<String> {
    let text = normalise(output);
    let apart = apart(&text)?;
    let bodies: Vec<String> = apart.parts.iter().map(Part::text).collect();
    Some(render(&apart, &apart.above(), &bodies, &apart.below()))
}

/// Lines of `shown` that are below the heading of a package that didn't print them.
pub(crate) fn misplaced(output: &str, shown: &str) -> Vec<String> {
    let text = normalise(output);
    let Some(apart) = apart(&text) else { return Vec::new() };
    let rest = apart.parts.len();
    let rest_heading = rest_heading(&apart);
    let headings: Vec<String> = apart.parts.iter().map(heading).collect();
    let mut printed: HashMap<&str, HashSet<usize>> = HashMap::new();
    for (at, part) in apart.parts.iter().enumerate() {
        for line in &part.lines {
            printed.entry(line.trim()).or_default().insert(at);
        }
    }
    for line in apart.above.iter().chain(&apart.below) {
        printed.entry(line.trim()).or_default().insert(rest);
    }
    let mut under = rest;
    let mut wrong = Vec::new();
    for line in shown.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(at) = headings.iter().position(|heading| heading == line) {
            under = at;
        } else if line == rest_heading {
            under = rest;
        } else if printed.get(line.trim()).is_some_and(|by| !by.contains(&under)) {
            wrong.push(format!("a line is below the heading of another package: {line:?}"));
        }
    }
    wrong
}

/// The prefix or title of the lines that follow, as the runner wrote it.
fn heading(part: &Part<'_>) -> String {
    match part.above {
        true => format!("{}{}{ABOVE}", HEADING.0, part.front),
        false => format!("{}{} {}", HEADING.0, part.front, HEADING.1),
    }
}

/// The heading of the lines that don't belong to a package.
fn rest_heading(apart: &Apart<'_>) -> &'static str {
    if apart.parts.iter().any(|part| part.above) { OTHERS } else { REST }
}

/// The lines above the packages' own, then each package's, then the others.
fn render(apart: &Apart<'_>, above: &str, bodies: &[String], below: &str) -> String {
    let mut out = String::new();
    push(&mut out, above);
    for (part, body) in apart.parts.iter().zip(bodies) {
        part.commands.iter().for_each(|line| push(&mut out, line));
        push(&mut out, &heading(part));
        push(&mut out, body);
    }
    if !below.is_empty() {
        push(&mut out, rest_heading(apart));
        push(&mut out, below);
    }
    out
}

fn push(out: &mut String, text: &str) {
    out.push_str(text);
    if !text.is_empty() && !text.ends_with('\n') {
        out.push('\n');
    }
}

/// A package's lines, shortened to about `room` bytes.
fn body(set: &FilterSet, text: &str, room: usize, alone: Alone) -> Body {
    if text.len() <= FEW_BYTES {
        return (text.to_owned(), Vec::new());
    }
    let (mut done, data) = alone(set, UNKNOWN, text, room)
        .or_else(|| Some((of_findings(text, room)?, false)))
        .unwrap_or_else(|| (Shortened { text: text.to_owned(), ..Shortened::default() }, false));
    if done.text.len() > room && room >= LEAST {
        done.text = fit(&done.text, data, room);
    }
    // A heading with nothing below it would claim that there was nothing.
    if done.text.trim().is_empty() || done.text.len() > room {
        let printed = text.lines().filter(|line| !line.trim().is_empty()).count();
        done.text = format!("… {} left out …\n", counted(printed, "lines"));
        // They are counted among these.
        done.left_out.clear();
    }
    (done.text, done.left_out)
}

/// A list of findings that is short for an output, but one of several here. A list that has to be cut keeps its
/// places this way, however little that saves.
fn of_findings(text: &str, room: usize) -> Option<Shortened> {
    let grouped =
        diagnostics::is_list(text).then(|| diagnostics::list_of_any_length(text, room)).flatten()?;
    (grouped.len() * 4 <= text.len() * 3 || text.len() > room)
        .then(|| Shortened { text: grouped, ..Shortened::default() })
}

/// The part of `room` that each package gets; most is for those that failed.
fn rooms(parts: &[Part<'_>], wanted: &[usize], room: usize) -> Vec<usize> {
    let first = parts.iter().map(|part| part.rank).min();
    let of = |loud: bool| -> Vec<usize> {
        let is_loud = |part: &Part<'_>| Some(part.rank) == first;
        parts
            .iter()
            .zip(wanted)
            .map(|(part, wanted)| if is_loud(part) == loud { *wanted } else { 0 })
            .collect()
    };
    let (loud, calm) = (of(true), of(false));
    let reserved = calm.iter().sum::<usize>().min(room / CALM_SHARE);
    let loud = shared(&loud, room - reserved);
    let calm = shared(&calm, room - loud.iter().sum::<usize>());
    loud.iter().zip(&calm).map(|(loud, calm)| loud + calm).collect()
}

/// Whether a package's lines report a failure.
fn states_failure(lines: &[&str]) -> bool {
    lines.iter().any(|line| must_stay(line))
}

#[cfg(test)]
mod tests {
    use super::{is_by_package, shared};
    use crate::laws::{Form, laws};
    use crate::{FilterSet, shorten, shorten_within};

    const PACKAGES: [&str; 3] = ["cart", "shop", "till"];

    /// Findings of a compiler in a package's only file, which has the same name in each.
    fn found(package: &str, many: usize) -> impl Iterator<Item = String> {
        let one =
            move |n: usize| format!("src/index.ts({n},5): error TS2304: Cannot find name '{package}{n}'.\n");
        (100..100 + many).map(one)
    }

    fn of_nx(packages: &[&str], many: usize) -> String {
        let mut out = String::from("\n NX   Running target build for several projects:\n\n");
        for package in packages {
            out += &format!("> nx run {package}:build\n\n> {package}@1.0.0 build\n> tsc -p .\n\n");
            out.extend(found(package, many));
            out.push('\n');
        }
        out += &"—".repeat(60);
        out += "\n\n NX   Ran target build for several projects (2s)\n\nFailed tasks:\n\n";
        out.extend(packages.iter().map(|package| format!("- {package}:build\n")));
        out
    }

    fn of_pnpm(many: usize) -> String {
        let mut out = String::from("Scope: 3 of 4 workspace projects\n");
        for package in PACKAGES {
            out += &format!("packages/{package} build$ tsc -p .\n");
            out.extend(found(package, many).map(|line| format!("packages/{package} build: {line}")));
            out += &format!("packages/{package} build: Failed\n");
        }
        out
    }

    /// A finding with words that no other one has.
    fn long(n: usize, line: &str) -> String {
        let word = |factor: usize| -> String {
            let letter = |at: usize| u8::try_from((n * factor * (at * 3 + 7) + at) % 26).unwrap_or(0);
            (0..12).map(|at| char::from(b'a' + letter(at))).collect()
        };
        match line.strip_suffix('.').filter(|line| line.contains(" error ")) {
            Some(line) => format!("{line}, nor {}.\n", [1, 3, 5, 7, 9, 11, 15, 17].map(word).join(" ")),
            None => format!("{line}\n"),
        }
    }

    /// No row of a list repeats a line as the compiler printed it.
    #[test]
    fn a_finding_in_several_packages_is_listed_for_each() {
        let set = FilterSet::builtin();
        for (command, many, text) in [
            ("npx nx run-many -t build", 110, of_nx(&PACKAGES, 110)),
            ("npx nx run-many -t build", 40, of_nx(&PACKAGES, 40)),
            ("pnpm -r build", 110, of_pnpm(110)),
            ("pnpm -r build", 40, of_pnpm(40)),
        ] {
            let done = shorten(&set, command, Some(1), &text).unwrap();
            assert!(
                is_by_package(&done.text) && done.text.len() * 5 < text.len() * 4,
                "{many}: {}",
                done.text
            );
            for package in PACKAGES {
                let (_, below) =
                    done.text.split_once(&format!("{package}:build\" above:\n")).unwrap_or_else(|| {
                        let heading = format!("\"packages/{package} build: \" in front:\n");
                        done.text.split_once(&heading).unwrap_or_else(|| panic!("{package}: {}", done.text))
                    });
                let own = below.split("lines with \"").next().unwrap_or_default();
                // One place to a row, or several.
                let is_own = |n: usize| {
                    own.contains(&format!("{n}:5 '{package}{n}'"))
                        || own.contains(&format!("{n}:5: Cannot find name '{package}{n}'."))
                };
                assert!((100..100 + many).all(is_own), "{package}: {}", done.text);
            }
            let wrong = laws(Form::Report, &text, Some(&done));
            assert!(wrong.is_empty(), "{command} {many}: {wrong:?}\n{}", done.text);
        }
        // If hardly anything is saved, the order stays, and no list merges the packages' findings.
        let long: String = of_nx(&PACKAGES, 26).lines().enumerate().map(|(n, line)| long(n, line)).collect();
        assert_eq!(shorten(&set, "npx nx run-many -t build", Some(1), &long), None);
    }

    /// Each package's list is hardly shorter than its lines, and these are more than it has room for.
    #[test]
    fn many_short_lists_keep_every_place() {
        let set = FilterSet::builtin();
        let names: Vec<String> = (10..22).map(|n| format!("pack{n}")).collect();
        let mut text = String::from("Scope: 12 of 13 workspace projects\n");
        for (at, name) in names.iter().enumerate() {
            text += &format!("packages/{name} build$ tsc -p .\n");
            for n in 100..108 {
                text += &format!(
                    "packages/{name} build: src/{name}/part{n}.ts({n},5): error TS23{}: Property 'total{n}' does not exist on type 'Shop{}{n}'.\n",
                    n % 3 + 10,
                    "p".repeat(2 * at)
                );
            }
            text += &format!("packages/{name} build: Failed\n");
        }
        for room in (7_500..=11_000).step_by(500) {
            let done = shorten_within(&set, "pnpm -r build", Some(1), &text, room).unwrap();
            assert!(is_by_package(&done.text) && done.text.len() <= room, "{room}: {}", done.text);
            for name in &names {
                let heading = format!("\"packages/{name} build: \" in front:\n");
                let (_, below) =
                    done.text.split_once(&heading).unwrap_or_else(|| panic!("{name}: {}", done.text));
                let own = below.split("lines with \"").next().unwrap_or_default();
                for n in 100..108 {
                    let places = [format!("part{n}.ts: "), format!("part{n}.ts({n},5)")];
                    assert!(
                        places.iter().any(|place| own.contains(place)),
                        "{room} {name} {n}: {}",
                        done.text
                    );
                }
            }
        }
    }

    #[test]
    fn no_package_gets_more_than_it_needs_and_no_room_is_left_over() {
        assert_eq!(shared(&[100, 900, 0, 400], 1_000), [100, 500, 0, 400]);
        assert_eq!(shared(&[100, 900, 700], 700), [100, 300, 300]);
        assert_eq!(shared(&[10, 20], 700), [10, 20]);
        assert_eq!(shared(&[], 700), Vec::<usize>::new());
    }
}
