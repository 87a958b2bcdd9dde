//! Shortens the messages of GNU's linkers, gold and Microsoft's linker about undefined symbols: a line for each use
//! becomes a line for each symbol, with its number of uses and their functions. Owns what is dropped if there is
//! little room.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::project::without_project_number;
use crate::clip::clipped;
use crate::counted::counted;
use crate::{Left, normal};

/// Fewer uses are easier to read unchanged.
const FEW: usize = 4;
/// How many functions are named beside a symbol, and whether its hints are shown, by available room.
const FORMS: [(usize, bool); 4] = [(4, true), (1, true), (0, true), (0, false)];
/// How many files are named beside a symbol.
const FILES: usize = 3;
/// Longest name of a function and of a symbol, in bytes: those of templates grow beyond reading.
const USER: usize = 90;
const SYMBOL: usize = 400;
/// Room for the line that counts what is missing.
const MORE: usize = 48;

/// Microsoft's linker prints this below a use, above the symbols with similar names.
const HINT: &str = "Hint on symbols that are defined and could potentially match:";

/// An undefined symbol.
struct Symbol<'t> {
    name: &'t str,
    /// The place of its first use, where the linker knows it from debug information; else the files of its uses, or its project,
    /// where there are several.
    places: Vec<&'t str>,
    users: Vec<&'t str>,
    /// Symbols of nearly this name that are defined.
    hints: Vec<&'t str>,
    count: usize,
}

/// Whether a list of undefined symbols may begin with `line`.
pub(crate) fn begins_undefined(line: &str) -> bool {
    use_of(line).is_some() || user(line).is_some() || unresolved(line).is_some()
}

/// `text` with its undefined symbols in about `room` bytes; `None` where it has few.
pub(crate) fn undefined(text: &str, room: usize) -> Option<Left> {
    let (mut before, mut after) = (String::new(), String::new());
    let mut symbols: Vec<Symbol<'_>> = Vec::new();
    // By name and, where several are built, by project.
    let mut at: HashMap<(&str, &str), usize> = HashMap::new();
    let several = {
        let uses = normal::lines(text).filter(|line| unresolved(line).is_some());
        let mut projects = uses.map(project).filter(|project| !project.is_empty());
        let first = projects.next();
        projects.any(|project| Some(project) != first)
    };
    let mut function = "";
    let mut known: HashSet<(usize, &str)> = HashSet::new();
    // MSBuild prints what a linker reports once more at its end.
    let mut printed: HashSet<&str> = HashSet::new();
    // The symbol of the use above, and whether its hints have started.
    let mut hinted: Option<(usize, bool)> = None;
    let mut hints: HashSet<(usize, &str)> = HashSet::new();
    for line in normal::lines(text) {
        let bare = without_project_number(line);
        if let Some((found, inside)) = hinted {
            if bare.starts_with(HINT) {
                hinted = Some((found, true));
                continue;
            }
            if inside && bare.starts_with('"') && bare.contains("\" (") {
                let hint = undecorated(bare);
                if hints.insert((found, hint)) {
                    symbols[found].hints.push(hint);
                }
                continue;
            }
            hinted = None;
        }
        let of_microsoft = unresolved(line);
        let of_project = if several && of_microsoft.is_some() { project(line) } else { "" };
        if let Some((name, _)) = of_microsoft
            && !printed.insert(bare)
        {
            hinted = at.get(&(name, of_project)).map(|found| (*found, false));
            continue;
        }
        let found = of_microsoft.map(|(name, user)| (of_project, name, user));
        if let Some(name) = user(line) {
            function = name;
        } else if let Some((place, name, function)) =
            found.or_else(|| use_of(line).map(|(place, name)| (place, name, function)))
        {
            let found = *at.entry((name, of_project)).or_insert_with(|| {
                symbols.push(Symbol {
                    name,
                    places: Vec::new(),
                    users: Vec::new(),
                    hints: Vec::new(),
                    count: 0,
                });
                symbols.len() - 1
            });
            let symbol = &mut symbols[found];
            symbol.count += 1;
            let is_told = place.is_empty() || symbol.places.contains(&place) || symbol.places.len() > FILES;
            if !is_told && (symbol.places.is_empty() || !is_line(place)) {
                symbol.places.push(place);
            }
            if !function.is_empty() && known.insert((found, function)) {
                symbol.users.push(function);
            }
            hinted = of_microsoft.map(|_| (found, false));
        } else {
            let side = if symbols.is_empty() { &mut before } else { &mut after };
            let _ = writeln!(side, "{line}");
        }
    }
    let uses: usize = symbols.iter().map(|symbol| symbol.count).sum();
    if uses < FEW {
        return None;
    }
    let names: HashSet<&str> = symbols.iter().map(|symbol| symbol.name).collect();
    let head = format!("undefined references: {uses} to {}\n", counted(names.len(), "symbols"));
    let left = room.saturating_sub(before.len() + after.len() + head.len());
    let lines =
        |(users, hints)| symbols.iter().map(|symbol| symbol.line(users, hints)).collect::<Vec<String>>();
    let fits = FORMS
        .into_iter()
        .map(|form| (form.1, lines(form)))
        .find(|(_, lines)| lines.iter().map(String::len).sum::<usize>() <= left);
    let (has_hints, list) = match fits {
        Some((has_hints, lines)) => (has_hints, lines.concat()),
        None => {
            let what = if several { "more undefined symbols by project" } else { "more undefined symbols" };
            (false, lines_within(&lines(FORMS[FORMS.len() - 1]), left, what))
        }
    };
    let hints: usize = symbols.iter().map(|symbol| symbol.hints.len()).sum();
    let counts = if has_hints || hints == 0 { Vec::new() } else { vec![("hints of the linker", hints)] };
    Some((before + &head + &list + &after, counts))
}

/// As many of the lines as fit, and how many of `what` are left out.
fn lines_within(lines: &[String], room: usize, what: &str) -> String {
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        if out.len() + line.len() + MORE > room {
            let _ = writeln!(out, "… {}", counted(lines.len() - at, what));
            break;
        }
        out.push_str(line);
    }
    out
}

impl Symbol<'_> {
    fn line(&self, most: usize, with_hints: bool) -> String {
        let mut line = format!("  {}", clipped(self.name, SYMBOL));
        if self.count > 1 {
            let _ = write!(line, " ×{}", self.count);
        }
        if let Some(more) = self.places.len().checked_sub(1) {
            let _ = write!(line, " {}", self.places[..=more.min(FILES - 1)].join(", "));
            if more >= FILES {
                line.push_str(" and others");
            }
        }
        for (nth, user) in self.users.iter().take(most).enumerate() {
            let _ = write!(line, "{} {}", if nth == 0 { " in" } else { "," }, clipped(user, USER));
        }
        if most > 0 && self.users.len() > most {
            let _ = write!(line, ", … {} more", self.users.len() - most);
        }
        if with_hints && !self.hints.is_empty() {
            let _ = write!(line, "\n    {HINT} {}", clipped(&self.hints.join("; "), SYMBOL));
        }
        line.push('\n');
        line
    }
}

/// ``/usr/bin/ld: cart.o: in function `total':`` is about `total`.
fn user(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(": in function `").or_else(|| line.split_once(": In function `"))?;
    rest.strip_suffix("':")
}

/// ``cart.cpp:(.text+0x12): undefined reference to `tax(int)'``: the line or else the file, and the symbol.
fn use_of(line: &str) -> Option<(&str, &str)> {
    let (before, rest) = line.split_once(": undefined reference to ")?;
    let name = rest.strip_prefix(['`', '\''])?;
    // gcc's driver closes a name that is itself cut with the same mark.
    let name = name.strip_suffix('\'').filter(|name| !name.is_empty())?;
    let place = before.rsplit(": ").next().unwrap_or(before);
    let file = || place.split_once(":(").map_or("", |(file, _)| file);
    Some((if is_line(place) { place } else { file() }, name))
}

/// Whether a place is a line of a file.
fn is_line(place: &str) -> bool {
    let is_number = |at: &str| at.bytes().all(|byte| byte.is_ascii_digit()) && !at.is_empty();
    place.rsplit_once(':').is_some_and(|(_, at)| is_number(at))
}

/// `main.obj : error LNK2019: unresolved external symbol "int __cdecl tax(int)" (?tax@@YAHH@Z) referenced in function main`: the
/// symbol, and the function, or the object where none is named.
fn unresolved(line: &str) -> Option<(&str, &str)> {
    let (object, rest) = line.split_once(" error LNK20")?;
    let (_, rest) = rest.split_once(": unresolved external symbol ")?;
    let (symbol, user) = match rest.split_once(" referenced in function ") {
        Some((symbol, function)) => (symbol, undecorated(function)),
        None => (rest, without_project_number(object).trim_end_matches([' ', ':'])),
    };
    Some((undecorated(symbol), user)).filter(|(symbol, _)| !symbol.is_empty())
}

/// `[C:\shop\shop.vcxproj]`, as MSBuild has it behind what it prints; nothing where a linker prints it alone.
fn project(line: &str) -> &str {
    let line = line.trim_end();
    line.rfind(" [").filter(|_| line.ends_with("proj]")).map_or("", |at| &line[at + 1..])
}

/// The name in `"int __cdecl tax(int)" (?tax@@YAHH@Z)`; a name of C has neither.
fn undecorated(text: &str) -> &str {
    match text.strip_prefix('"') {
        Some(quoted) => {
            quoted.split_once("\" (").or_else(|| quoted.split_once('"')).map_or(quoted, |(name, _)| name)
        }
        None => text.split(' ').next().unwrap_or(text),
    }
}

/// The symbol that `line` says is undefined.
pub(crate) fn undefined_symbol(line: &str) -> Option<&str> {
    use_of(line).map(|(_, symbol)| symbol).or_else(|| unresolved(line).map(|(symbol, _)| symbol))
}

#[cfg(test)]
mod tests {
    use super::undefined;

    #[test]
    fn each_symbol_is_named_once_with_its_users() {
        let mut text = String::from("g++ main.o -o shop\n");
        for n in 0..6 {
            text += &format!("/usr/bin/ld: main.o: in function `pay{n}()':\n");
            text += "main.cpp:(.text+0x12): undefined reference to `shop::tax(int)'\n";
            text +=
                &format!("/usr/bin/ld: cart.cpp:{n}7: undefined reference to `shop::Cart::total() const'\n");
        }
        text += "collect2: error: ld returned 1 exit status\n";
        let (short, _) = undefined(&text, 4_000).unwrap();
        assert_eq!(
            short,
            "g++ main.o -o shop\nundefined references: 12 to 2 symbols\n  shop::tax(int) ×6 main.cpp in pay0(), pay1(), pay2(), pay3(), … 2 more\n  shop::Cart::total() const ×6 cart.cpp:07 in pay0(), pay1(), pay2(), pay3(), … 2 more\ncollect2: error: ld returned 1 exit status\n"
        );
        let (short, _) = undefined(&text, 180).unwrap();
        assert!(
            short.contains("  shop::tax(int) ×6 main.cpp\n") && short.ends_with("exit status\n"),
            "{short}"
        );
        let (short, _) = undefined(&text, 100).unwrap();
        assert!(short.contains("… 2 more undefined symbols\n"), "{short}");
    }

    /// A static function of the same name may be in several files.
    #[test]
    fn the_files_of_a_symbols_uses_are_named() {
        let text: String = (0..6)
            .map(|n| format!("/usr/bin/ld: t{n}.o: in function `run':\na{}.c:(.text+0x1{n}): undefined reference to `tax'\n", n / 2))
            .collect();
        let (short, _) = undefined(&text, 4_000).unwrap();
        assert_eq!(short, "undefined references: 6 to 1 symbol\n  tax ×6 a0.c, a1.c, a2.c in run\n");
        let (short, _) =
            undefined(&text.replace("a2.c", "b.c").replace("a1.c:(.text+0x13)", "d.c:(.text+0x13)"), 4_000)
                .unwrap();
        assert!(short.contains("  tax ×6 a0.c, a1.c, d.c and others in run\n"), "{short}");
    }

    /// As link.exe prints it, and MSBuild once more at its end.
    #[test]
    fn microsofts_linker_is_also_read() {
        let mut uses = String::new();
        for n in 0..6 {
            uses += &format!(
                "main.obj : error LNK2019: unresolved external symbol \"int __cdecl tax(int)\" (?tax@@YAHH@Z) referenced in function \"void __cdecl pay{n}(void)\" (?pay{n}@@YAXXZ) [C:\\shop\\shop.vcxproj]\n"
            );
        }
        uses += "cart.obj : error LNK2001: unresolved external symbol \"int rate\" (?rate@@3HA) [C:\\shop\\shop.vcxproj]\n";
        uses += "cart.obj : error LNK2019: unresolved external symbol jar_open referenced in function main\n";
        let total =
            "C:\\shop\\shop.exe : fatal error LNK1120: 3 unresolved externals [C:\\shop\\shop.vcxproj]\n";
        let again: String = uses.lines().map(|line| format!("  {line}\n")).collect();
        // Where it builds several projects at once, each line has its project's number in front, but not at the end.
        for number in ["", "     2>", "  12:3>"] {
            let first: String = uses.lines().map(|line| format!("{number}{line}\n")).collect();
            let text = format!("{first}{total}\nBuild FAILED.\n\n{again}");
            let (short, _) = undefined(&text, 4_000).unwrap();
            assert_eq!(
                short,
                format!(
                    "undefined references: 8 to 3 symbols\n  int __cdecl tax(int) ×6 in void __cdecl pay0(void), void __cdecl pay1(void), void __cdecl pay2(void), void __cdecl pay3(void), … 2 more\n  int rate in cart.obj\n  jar_open in main\n{total}\nBuild FAILED.\n\n"
                ),
                "{number}"
            );
        }
    }

    /// Each project has its own uses of a name.
    #[test]
    fn microsofts_undefined_symbols_are_grouped_by_project() {
        let uses = |project: &str, functions: &[&str]| -> String {
            let one = |function: &&str| {
                format!(
                    "cart.obj : error LNK2019: unresolved external symbol jar_open referenced in function {function} [C:\\my shop\\{project}.vcxproj]\n"
                )
            };
            functions.iter().map(one).collect()
        };
        let text = uses("till", &["pay", "count"]) + &uses("web", &["show", "count"]);
        let (short, _) = undefined(&text, 4_000).unwrap();
        assert_eq!(
            short,
            "undefined references: 4 to 1 symbol\n  jar_open ×2 [C:\\my shop\\till.vcxproj] in pay, count\n  jar_open ×2 [C:\\my shop\\web.vcxproj] in show, count\n"
        );
    }

    /// A hint is about the symbol that is named above it.
    #[test]
    fn a_symbols_hint_stays_with_it() {
        let one = |n: usize| {
            let name = ["tax", "rate"][n % 2];
            format!(
                "2>main.obj : error LNK2019: unresolved external symbol \"int {name}(int)\" (?{name}@@YAHH@Z) referenced in function pay{n}\n2>  Hint on symbols that are defined and could potentially match:\n2>    \"int {name}(long)\" (?{name}@@YAHJ@Z)\n2>    \"int {name}(char)\" (?{name}@@YAHD@Z)\n"
            )
        };
        let text: String = (0..4).map(one).collect();
        let again: String =
            text.lines().map(|line| format!("  {}\n", line.trim_start_matches("2>"))).collect();
        let (short, _) =
            undefined(&format!("{text}\"a line of its own\"\nBuild FAILED.\n{again}"), 4_000).unwrap();
        let hint = "    Hint on symbols that are defined and could potentially match:";
        assert_eq!(
            short,
            format!(
                "undefined references: 4 to 2 symbols\n  int tax(int) ×2 in pay0, pay2\n{hint} int tax(long); int tax(char)\n  int rate(int) ×2 in pay1, pay3\n{hint} int rate(long); int rate(char)\n\"a line of its own\"\nBuild FAILED.\n"
            )
        );
    }

    /// Symbols come before their hints, and each of several projects is named.
    #[test]
    fn hints_and_missing_symbols_that_do_not_fit_are_counted() {
        let one = |n: usize| {
            let hint = "with_a_long_name_".repeat(4);
            format!(
                "main.obj : error LNK2019: unresolved external symbol \"int tax{n}(int)\" (?tax{n}@@YAHH@Z) referenced in function pay\n  Hint on symbols that are defined and could potentially match:\n    \"int {hint}{n}(long)\" (?x@@YAHJ@Z)\n"
            )
        };
        let text: String = (100..160).map(one).collect();
        let (short, counts) = undefined(&text, 2_000).unwrap();
        assert!(short.len() <= 2_000 && !short.contains("Hint"), "{short}");
        assert!((100..160).all(|n| short.contains(&format!("\n  int tax{n}(int)\n"))), "{short}");
        assert_eq!(counts, [("hints of the linker", 60)]);
        let (whole, counts) = undefined(&text, 12_000).unwrap();
        assert!(whole.contains("_159(long)") && counts.is_empty(), "{whole}");

        let missing = |n: usize| {
            format!(
                "cart.obj : error LNK2019: unresolved external symbol jar_open referenced in function pay [C:\\shop\\till{n}.vcxproj]\n"
            )
        };
        let text: String = (10..20).map(missing).collect();
        let (short, _) = undefined(&text, 250).unwrap();
        assert!(
            short
                .starts_with("undefined references: 10 to 1 symbol\n  jar_open [C:\\shop\\till10.vcxproj]\n")
        );
        let shown = short.matches("  jar_open [").count();
        assert!(
            short.ends_with(&format!("\n… {} more undefined symbols by project\n", 10 - shown)),
            "{short}"
        );
    }

    #[test]
    fn a_few_stay_as_they_are() {
        let text = "/usr/bin/ld: a.o: in function `main':\na.c:(.text+0x9): undefined reference to `f'\n";
        assert!(undefined(text, 4_000).is_none());
    }
}
