//! Detects a file's role in its repository from its path and first bytes: product, test, example, vendored, generated … Search
//! ranks other roles below product files. Pure.

mod folders;
mod generated;
#[cfg(test)]
mod tests;

use folders::{
    TEST_FOLDERS, extension, is_app_called_docs, is_example_folder, is_installed, is_library_of_site,
    is_not_own, is_release, is_test_folder, is_test_of_perl, is_testing_package, is_tooling, is_translation,
    is_within_docs, is_within_tests, source_set, without_placeholder,
};
use generated::{is_bundle, is_generated, is_minified};

/// Bits of what a file is; a file may be several at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Role(pub u32);

impl Role {
    /// A test, or what tests are made of.
    pub const TEST: Role = Role(1);
    /// Somebody else's code, kept in the repository.
    pub const VENDORED: Role = Role(2);
    /// Written by a program.
    pub const GENERATED: Role = Role(4);
    /// Shows how the product is used.
    pub const EXAMPLE: Role = Role(8);
    /// Prose.
    pub const DOCS: Role = Role(16);
    /// Settings and data.
    pub const CONFIG: Role = Role(32);
    /// Mostly passes on what others define: `index.ts`, `mod.rs`, `__init__.py`.
    pub const BARREL: Role = Role(64);
    /// Types without code: `.d.ts`, `.pyi`.
    pub const TYPES: Role = Role(128);
    /// Kept for old users.
    pub const LEGACY: Role = Role(256);
    /// Measures or builds the product.
    pub const TOOLING: Role = Role(512);
    /// Lines too long to be written by hand.
    pub const MINIFIED: Role = Role(1024);

    /// Whether it has all bits of `other`.
    pub fn is(self, other: Role) -> bool {
        self.0 & other.0 == other.0
    }

    /// The names of what it is, for replies.
    pub fn names(self) -> Vec<&'static str> {
        const NAMES: &[(Role, &str)] = &[
            (Role::TEST, "test"),
            (Role::VENDORED, "vendored"),
            (Role::GENERATED, "generated"),
            (Role::EXAMPLE, "example"),
            (Role::DOCS, "docs"),
            (Role::CONFIG, "config"),
            (Role::BARREL, "barrel"),
            (Role::TYPES, "types"),
            (Role::LEGACY, "legacy"),
            (Role::TOOLING, "tooling"),
            (Role::MINIFIED, "minified"),
        ];
        NAMES.iter().filter(|(role, _)| self.is(*role)).map(|(_, name)| *name).collect()
    }

    fn add(&mut self, other: Role, when: bool) {
        if when {
            self.0 |= other.0;
        }
    }
}

const VENDORED_FOLDERS: &[&str] = &[
    "vendor",
    "vendored",
    "_vendor",
    "3rdparty",
    "3rd_party",
    "3rd-party",
    "third_party",
    "third-party",
    "thirdparty",
    "node_modules",
    "bower_components",
    "external",
    "externals",
    "extern",
    "site-packages",
    "pods",
    "carthage",
    "jspm_packages",
    "godeps",
    "deps",
    "bundled",
];
/// What test frameworks of C++ are copied as into the tests of others.
const COPIED_FRAMEWORKS: &[&str] =
    &["gtest.h", "gtest-spi.h", "gtest-all.cc", "gmock.h", "gmock-gtest-all.cc", "catch.hpp", "doctest.h"];
const GENERATED_FOLDERS: &[&str] =
    &["generated", "__generated__", "gen", "dist", "build", "out", "target", "coverage", "autogen"];
const LEGACY_FOLDERS: &[&str] = &["legacy", "compat", "deprecated", "old", "attic", "archive", "v1-compat"];
/// The site of a library is written for browsers; what runs on a server makes a site that is the product.
const SITE_FOLDERS: &[&str] = &["www", "website", "site"];
const OF_SERVERS: &[&str] =
    &["py", "php", "rb", "erb", "java", "kt", "scala", "go", "cs", "rs", "ex", "exs", "swift"];

/// The number of bytes in which a mark of generated code is looked for.
const HEAD_BYTES: usize = 8_192;

/// The role of the file at `path`, relative to the repository, with this language and this text.
pub fn of(path: &str, language: Option<&str>, text: &str) -> Role {
    let head = &text[..text.floor_char_boundary(HEAD_BYTES)];
    let lower = path.to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let within = |list: &[&str]| folders.split('/').any(|folder| list.contains(&folder));
    let own_folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let not_own = |list: &[&str]| is_not_own(folders, own_folders, name, list);
    let (stem, _) = name.split_once('.').unwrap_or((name, ""));
    let whole_stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut role = Role::default();
    // Maven, Gradle and sbt keep the product below `main`, whatever it is called there; what tests are made of may be such a
    // project.
    let main = source_set(path).is_some_and(|at| {
        let mut before = lower[..at].split('/');
        !before.any(|folder| matches!(folder, "tests" | "fixtures" | "testdata" | "test_data"))
    });
    let tests = is_within_tests(folders, name) || own_folders.split('/').any(is_test_folder);
    let tests = tests || is_test_of_perl(folders, name);
    // What users test with is the product: `testing.py` of a package, the package `testing` of a workspace.
    let testing = whole_stem == "testing" && (name == "testing.py" || is_testing_package(folders));
    let tests = tests || !testing && is_test_name(path, name, whole_stem);
    role.add(Role::TEST, !main && !is_installed(folders, name) && tests);
    let framework = within(TEST_FOLDERS) && COPIED_FRAMEWORKS.contains(&name);
    let copied = framework || folders.split('/').any(is_release) || is_library_of_site(folders, name);
    role.add(Role::VENDORED, not_own(VENDORED_FOLDERS) || copied || name.ends_with(".vendored"));
    role.add(
        Role::GENERATED,
        not_own(GENERATED_FOLDERS) || is_generated(name, head) || is_bundle(name, text),
    );
    role.add(
        Role::EXAMPLE,
        without_placeholder(folders).split('/').any(is_example_folder)
            || name.starts_with("example")
            || whole_stem.ends_with("_example")
            || stem == "demo"
            // What Storybook and Histoire show of a component.
            || name.contains(".stories.")
            || name.contains(".story."),
    );
    role.add(
        Role::TOOLING,
        is_tooling(folders, name) || whole_stem.ends_with("_bench") || whole_stem.ends_with(".bench"),
    );
    role.add(Role::LEGACY, within(LEGACY_FOLDERS) || matches!(stem, "compat" | "legacy" | "deprecated"));
    let prose = language == Some("markdown");
    let data = [
        "json",
        "yaml",
        "toml",
        "ini",
        "xml",
        "css",
        "html",
        "sql",
        "proto",
        "dockerfile",
        "make",
        "cmake",
        "autoconf",
        "starlark",
    ];
    // A package called `doc` writes documentation; what is in `docs` is documentation.
    let of_server = OF_SERVERS.contains(&extension(name));
    let page = is_within_docs(folders, of_server) && !is_app_called_docs(folders, name, head)
        || within(SITE_FOLDERS) && !of_server
        || language.is_some_and(|l| data.contains(&l)) && folders.split('/').any(|folder| folder == "doc");
    role.add(Role::DOCS, prose || page || matches!(name, "doc.go" | "package-info.java"));
    let config = language.is_some_and(|l| data.contains(&l)) || name.contains(".config.");
    // Texts in each language have the words of all that the product does, and do nothing.
    role.add(Role::CONFIG, config || is_translation(folders, whole_stem));
    let barrel = matches!(
        name,
        "index.ts" | "index.tsx" | "index.js" | "index.mjs" | "index.jsx" | "mod.rs" | "__init__.py"
    );
    role.add(Role::BARREL, barrel || matches!(name, "lib.rs" | "package-info.java"));
    role.add(Role::TYPES, name.ends_with(".d.ts") || name.ends_with(".pyi") || name.ends_with(".d.mts"));
    role.add(Role::MINIFIED, is_minified(name, text));
    role
}

fn is_test_name(path: &str, name: &str, whole_stem: &str) -> bool {
    let original = path.rsplit('/').next().unwrap_or(path);
    let stem = original.split('.').next().unwrap_or(original);
    // What Elixir compiles and what R installs is the product, whatever it's called: its tests are scripts, or elsewhere.
    if name.ends_with(".ex") || name.ends_with(".r") && path.rsplit('/').nth(1) == Some("R") {
        return false;
    }
    name.contains(".test.")
        || name.contains(".spec.")
        || name.contains(".test-d.")
        || name.contains(".cy.")
        || name.ends_with(".bats")
        || name.ends_with(".feature")
        || name.contains("_test.")
        || name.contains("_spec.")
        || name.ends_with("_fuzz.go")
        || name.ends_with("_suite.erl")
        || name.ends_with(".tftest.hcl")
        || whole_stem.starts_with("test_")
        || whole_stem == "conftest"
        || matches!(whole_stem, "test" | "tests" | "test_helpers" | "test_helper" | "testing")
        || matches!(whole_stem, "test-utils" | "test_utils" | "testutils" | "test-helpers" | "test-setup")
        // `FooTest.java`, `FooTests.cs`, `TestFoo.java`
        || (stem.ends_with("Test") || stem.ends_with("Tests") || stem.ends_with("Spec") || stem.ends_with("TestCase"))
        || (stem.starts_with("Test") && stem.chars().nth(4).is_some_and(char::is_uppercase))
}

/// Whether the words of a query ask for tests. What is used `in tests` or made `for unit tests` isn't a test itself.
pub(crate) fn asks_for_tests(query: &str) -> bool {
    let words = query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
    (0..words.len()).any(|at| is_of_tests(&words[at]) && !is_where_used(&words[..at]))
}

/// Whether what follows these words is where something is used or what it's for.
fn is_where_used(before: &[String]) -> bool {
    let between = ["the", "our", "my", "your", "their", "a", "unit", "integration", "automated", "e2e"];
    let mut words = before.iter().rev().map(String::as_str).filter(|word| !between.contains(word));
    match words.next() {
        // `search for the tests`
        Some("for") => !matches!(words.next(), Some("look" | "looking" | "search" | "searching")),
        Some("in" | "during" | "under" | "within") => true,
        _ => false,
    }
}

fn is_of_tests(word: &str) -> bool {
    matches!(
        word,
        "test"
            | "tests"
            | "testing"
            | "tested"
            | "spec"
            | "specs"
            | "fixture"
            | "fixtures"
            | "mock"
            | "mocks"
            | "e2e"
            | "jest"
            | "vitest"
            | "pytest"
            | "junit"
            | "rspec"
            | "coverage"
            | "assertion"
            | "assertions"
    )
}
