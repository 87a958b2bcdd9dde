//! The tests that pytest collected (`--collect-only`, as a tree or as a line each) or PHPUnit lists (`--list-tests`), where they
//! don't fit: each module or namespace with its number of tests, its classes and names as far as there is room. Owns the
//! forms of these lists.

use std::collections::{HashMap, HashSet};

use crate::cap::ends_of;
use crate::counted::counted;
use crate::{Left, normal};

use super::pytest_report::push;

/// Fewer tests are shown as they were printed.
const FEW: usize = 30;
/// A list has at least this many times as many tests as other lines.
const MOST: usize = 4;
/// What PHPUnit prints above its list.
const PHPUNIT_LISTS: [&str; 2] = ["Available test(s):", "Available tests:"];

/// A file of tests, or a namespace.
struct Module<'t> {
    path: String,
    groups: Vec<Group<'t>>,
}

/// The tests of a class, or those outside of one, whose class is empty.
struct Group<'t> {
    class: &'t str,
    /// Each with how many sets of parameters it has.
    tests: Vec<(&'t str, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Modules,
    Classes,
    Tests,
}

#[derive(Default)]
struct TestList<'t> {
    modules: Vec<Module<'t>>,
    /// Where each is among them, and each class and test in its module: an order at random returns to them.
    at: HashMap<String, usize>,
    groups: HashMap<(usize, &'t str), usize>,
    tests: HashMap<(usize, &'t str, &'t str), usize>,
    /// The module of the last line.
    open: Option<usize>,
    /// The open folders of a tree and its open class, each with its indentation.
    folders: Vec<(usize, &'t str)>,
    class: Option<(usize, &'t str)>,
    /// The lines before and after the list.
    above: String,
    below: String,
    others: usize,
    /// Whether pytest or PHPUnit says that these are its tests.
    collected: bool,
}

/// The list in about `room` bytes; `None` for any other text.
pub(crate) fn test_list(text: &str, room: usize) -> Option<Left> {
    let mut list = TestList::default();
    normal::lines(text).filter(|line| !line.trim().is_empty()).for_each(|line| list.take(line));
    list.written(room)
}

impl<'t> TestList<'t> {
    fn take(&mut self, line: &'t str) {
        if let Some((path, class, test)) = id(line).or_else(|| listed_by_phpunit(line)) {
            self.open(path);
            return self.add(class, test);
        }
        let Some((indent, kind, name)) = node(line) else {
            self.others += 1;
            self.collected |= line.contains("collected ") || PHPUNIT_LISTS.contains(&line.trim_end());
            return push(if self.modules.is_empty() { &mut self.above } else { &mut self.below }, line);
        };
        match kind {
            "Dir" | "Package" => {
                self.folders.retain(|(at, _)| *at < indent);
                // Paths are relative to the folder at the root.
                self.folders.push((indent, if kind == "Dir" && indent == 0 { "" } else { name }));
            }
            "Module" | "DoctestModule" | "DoctestTextfile" => {
                self.folders.retain(|(at, _)| *at < indent);
                let folders =
                    self.folders.iter().map(|(_, folder)| *folder).filter(|folder| !folder.is_empty());
                let path = folders.chain([name]).collect::<Vec<_>>().join("/");
                self.open(&path);
                self.class = None;
            }
            "Class" | "UnitTestCase" => self.class = Some((indent, name)),
            _ => {
                let class = self.class.filter(|(at, _)| *at < indent).map_or("", |(_, class)| class);
                self.add(class, name.split('[').next().unwrap_or(name));
            }
        }
    }

    /// Goes to the module with this path.
    fn open(&mut self, path: &str) {
        let known = self.at.get(path).copied();
        self.open = Some(known.unwrap_or_else(|| {
            self.modules.push(Module { path: path.to_owned(), groups: Vec::new() });
            self.at.insert(path.to_owned(), self.modules.len() - 1);
            self.modules.len() - 1
        }));
    }

    fn add(&mut self, class: &'t str, test: &'t str) {
        let Some(at) = self.open else { return };
        let groups = &mut self.modules[at].groups;
        let group = *self.groups.entry((at, class)).or_insert_with(|| {
            groups.push(Group { class, tests: Vec::new() });
            groups.len() - 1
        });
        let tests = &mut groups[group].tests;
        let test_at = *self.tests.entry((at, class, test)).or_insert_with(|| {
            tests.push((test, 0));
            tests.len() - 1
        });
        tests[test_at].1 += 1;
    }

    fn written(&self, room: usize) -> Option<Left> {
        let tests: usize = self.modules.iter().map(Module::tests).sum();
        if tests < FEW || self.others * MOST > tests || !self.collected {
            return None;
        }
        let (above, below) = (ends_of(&self.above, room / 6), ends_of(&self.below, room / 6));
        let room = room.checked_sub(above.len() + below.len())?;
        let mut parts: Vec<String> =
            self.modules.iter().map(|module| module.written(Detail::Modules)).collect();
        let mut used: usize = parts.iter().map(String::len).sum();
        if used > room {
            return None;
        }
        let mut named = HashSet::new();
        for detail in [Detail::Classes, Detail::Tests] {
            for (at, module) in self.modules.iter().enumerate() {
                let more = module.written(detail);
                let grown = used - parts[at].len() + more.len();
                if grown <= room {
                    (used, parts[at]) = (grown, more);
                    if detail == Detail::Tests {
                        named.insert(at);
                    }
                }
            }
        }
        let (with_names, without): (Vec<_>, Vec<_>) =
            self.modules.iter().enumerate().partition(|(at, _)| named.contains(at));
        let hidden: usize = without.iter().map(|(_, module)| module.tests()).sum();
        let sets: usize = with_names.iter().map(|(_, module)| module.tests() - module.names()).sum();
        let left_out = [("names of tests", hidden), ("sets of parameters", sets)];
        let left_out = left_out.into_iter().filter(|(_, count)| *count > 0).collect();
        Some((format!("{above}{}{below}", parts.concat()), left_out))
    }
}

impl Module<'_> {
    fn tests(&self) -> usize {
        self.groups.iter().map(Group::tests).sum()
    }

    fn names(&self) -> usize {
        self.groups.iter().map(|group| group.tests.len()).sum()
    }

    fn written(&self, detail: Detail) -> String {
        let mut out = format!("{}: {}", self.path, counted(self.tests(), "tests"));
        match detail {
            Detail::Modules => out.push('\n'),
            Detail::Classes if self.groups.iter().all(|group| group.class.is_empty()) => out.push('\n'),
            Detail::Classes => {
                let groups = self.groups.iter().map(|group| match group.class {
                    "" => format!("{} outside of classes", group.tests()),
                    class => format!("{class} {}", group.tests()),
                });
                out.push_str(&format!(": {}\n", groups.collect::<Vec<_>>().join(", ")));
            }
            Detail::Tests => {
                out.push('\n');
                for group in &self.groups {
                    let names = group.tests.iter().map(|(name, count)| match count {
                        1 => (*name).to_owned(),
                        count => format!("{name} ×{count}"),
                    });
                    let class =
                        if group.class.is_empty() { String::new() } else { format!("{}: ", group.class) };
                    out.push_str(&format!("  {class}{}\n", names.collect::<Vec<_>>().join(", ")));
                }
            }
        }
        out
    }
}

impl Group<'_> {
    fn tests(&self) -> usize {
        self.tests.iter().map(|(_, count)| count).sum()
    }
}

/// The file, the class and the name in `tests/test_cart.py::TestCart::test_total[tea]`.
fn id(line: &str) -> Option<(&str, &str, &str)> {
    let (path, rest) = line.split_once("::")?;
    let rest = rest.split('[').next().unwrap_or(rest);
    let is_id = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    if !path.ends_with(".py") || !is_id(path) || !is_id(rest) {
        return None;
    }
    let (class, test) = rest.rsplit_once("::").unwrap_or(("", rest));
    Some((path, class, test))
}

/// The namespace, the class and the name in ` - Shop\Tests\CartTest::testTotal#3`, or the class alone where it's in no namespace.
fn listed_by_phpunit(line: &str) -> Option<(&str, &str, &str)> {
    let (class, test) = line.strip_prefix(" - ")?.split_once("::")?;
    let test = test.split(['#', '"']).next().unwrap_or(test);
    let is_name = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    if !is_name(class) || !is_name(test) {
        return None;
    }
    let (namespace, class) = class.rsplit_once('\\').unwrap_or((class, ""));
    Some((namespace, class, test))
}

/// The indentation, the kind and the name of a node: `    <Module test_cart.py>`.
fn node(line: &str) -> Option<(usize, &str, &str)> {
    const KINDS: [&str; 11] = [
        "Dir",
        "Package",
        "Module",
        "DoctestModule",
        "DoctestTextfile",
        "Class",
        "UnitTestCase",
        "Function",
        "Coroutine",
        "TestCaseFunction",
        "DoctestItem",
    ];
    let inner = line.trim().strip_prefix('<')?.strip_suffix('>')?;
    let (kind, name) = inner.split_once(' ')?;
    KINDS.contains(&kind).then(|| (line.len() - line.trim_start().len(), kind, name))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::test_list;

    /// Twelve modules, each with a test and a class of five tests, of which one has three sets of parameters.
    fn both_forms() -> [String; 2] {
        let mut tree = "collected 96 items\n\n<Dir shop>\n  <Package tests>\n".to_owned();
        let mut ids = String::new();
        for module in 0..12 {
            let _ = writeln!(tree, "    <Module test_part{module}.py>\n      <Class TestCart>");
            let names =
                ["test_a", "test_b", "test_c", "test_d", "test_sum[1]", "test_sum[2 3]", "test_sum[4]"];
            for name in names {
                let _ = writeln!(tree, "        <Function {name}>");
                let _ = writeln!(ids, "tests/test_part{module}.py::TestCart::{name}");
            }
            let _ = writeln!(tree, "      <Function test_alone{module}>");
            let _ = writeln!(ids, "tests/test_part{module}.py::test_alone{module}");
        }
        [tree + "\n==== 96 tests collected in 1.79s ====\n", ids + "\n96 tests collected in 1.18s\n"]
    }

    #[test]
    fn each_module_has_its_number_of_tests_and_names_as_far_as_they_fit() {
        for text in both_forms() {
            let (out, left_out) = test_list(&text, 8_000).unwrap();
            for module in 0..12 {
                let part = format!(
                    "tests/test_part{module}.py: 8 tests\n  TestCart: test_a, test_b, test_c, test_d, test_sum ×3\n  test_alone{module}\n"
                );
                assert!(out.contains(&part), "{part}: {out}");
            }
            assert_eq!(left_out, [("sets of parameters", 24)]);
            assert!(out.contains("96 tests collected in 1."), "{out}");
            let (out, left_out) = test_list(&text, 900).unwrap();
            assert!(out.len() <= 900 && out.contains("TestCart 7, 1 outside of classes"), "{out}");
            assert!(
                (0..12).all(|module| out.contains(&format!("tests/test_part{module}.py: 8 tests"))),
                "{out}"
            );
            assert_eq!(left_out.first().map(|(what, _)| *what), Some("names of tests"));
            assert_eq!(crate::misleading(&text, &out), Vec::<String>::new());
            assert!(test_list(&text, 200).is_none());
        }
    }

    #[test]
    fn results_of_tests_are_another_text() {
        let line = |n: usize| format!("tests/test_cart.py::test_{n} PASSED                 [ 40%]\n");
        let passed: String = (0..60).map(line).collect();
        assert!(test_list(&passed, 400).is_none());
        assert!(test_list("<Function test_a>\n", 400).is_none());
        // Names in the same form that pytest didn't list.
        let names: String = (0..60).map(|n| format!("shop/cart.py::Cart::method_{n}\n")).collect();
        assert!(test_list(&names, 400).is_none());
    }

    #[test]
    fn a_module_that_comes_again_is_one() {
        let ids: String = (0..90)
            .map(|n| format!("tests/test_part{}.py::TestCart::test_{}[{n}]\n", n % 3, n % 2))
            .collect();
        let (out, left_out) = test_list(&format!("{ids}\n90 tests collected in 1.18s\n"), 8_000).unwrap();
        for module in 0..3 {
            let part = format!("tests/test_part{module}.py: 30 tests\n  TestCart: test_");
            assert_eq!(out.matches(&part).count(), 1, "{out}");
        }
        assert_eq!(out.matches(" ×15").count(), 6, "{out}");
        assert_eq!(left_out, [("sets of parameters", 84)]);
    }

    #[test]
    fn phpunit_lists_its_tests_by_namespace() {
        let class = |space: &str, name: &str, tests: usize| -> String {
            let ids = (0..tests).map(|n| format!(" - {space}{name}::testPart{n}\n"));
            let sets = (0..3).map(|n| format!(" - {space}{name}::testSum#{n}\n"));
            ids.chain(sets).chain([format!(" - {space}{name}::testSum\"no items\"\n")]).collect()
        };
        let list = class("Shop\\Tests\\", "CartTest", 20)
            + &class("Shop\\Tests\\", "OrderTest", 10)
            + &class("", "BootTest", 2);
        let text =
            format!("PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\nAvailable test(s):\n{list}");
        let (out, left_out) = test_list(&text, 1_500).unwrap();
        let head = "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\nAvailable test(s):\nShop\\Tests: 38 tests\n  CartTest: testPart0, ";
        assert!(out.starts_with(head), "{out}");
        assert!(out.ends_with("BootTest: 6 tests\n  testPart0, testPart1, testSum ×4\n"), "{out}");
        assert_eq!(left_out, [("sets of parameters", 9)]);
        let (out, _) = test_list(&text, 260).unwrap();
        assert!(out.contains("Shop\\Tests: 38 tests: CartTest 24, OrderTest 14\n"), "{out}");
        // Names in the same form below another heading.
        assert!(test_list(&text.replace("Available", "Renamed"), 1_500).is_none());
    }
}
