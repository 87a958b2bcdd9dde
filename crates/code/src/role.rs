//! Detects a file's role in its repository from its path and first bytes: product, test, example, vendored, generated … Search
//! ranks other roles below product files. Pure.

mod generated;
#[cfg(test)]
mod tests;

use crate::packages::package_of;
use generated::{is_generated, is_minified};

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

const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "__tests__",
    "__test__",
    "spec",
    "specs",
    "e2e",
    "testdata",
    "test_data",
    "fixtures",
    "__fixtures__",
    "integration_test",
    "__mocks__",
    "mocks",
    "__snapshots__",
    "test-utils",
    "test_utils",
    "testutils",
    "testutil",
    "test-helpers",
    "test_helpers",
    "testhelpers",
    "test-support",
    "test_support",
    "testsupport",
    "test-fixtures",
    "test_fixtures",
    "testkit",
    "testlib",
    "conformance",
    "acceptance",
    "cypress",
    "fuzz_targets",
];
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
/// Those of the names above that can be a package's own subject: `shop/vendor`, `plugin/bundled`, `cli/build`.
const SUBJECTS: &[&str] =
    &["vendor", "external", "extern", "deps", "bundled", "gen", "dist", "build", "out", "target", "coverage"];
/// The ones that are so below any folder of sources, as what is built goes elsewhere: `src/build/plan.ts`.
const SUBJECTS_OF_SOURCES: &[&str] = &["build", "target", "coverage"];
/// The ones that are packages of Go, whose dependencies are in `vendor` and whose programs aren't code.
const PACKAGES_OF_GO: &[&str] =
    &["external", "externals", "extern", "deps", "bundled", "dist", "build", "out", "target", "coverage"];
const EXAMPLE_FOLDERS: &[&str] = &[
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "playground",
    "playgrounds",
    "__stories__",
    "tutorial",
    "tutorials",
    "sandbox",
    "_examples",
];
const BENCH_FOLDERS: &[&str] = &["bench", "benches", "benchmark", "benchmarks", "jmh"];
const TOOLING_FOLDERS: &[&str] = &["scripts", "tools", "ci", "packaging", "metrics"];
const LEGACY_FOLDERS: &[&str] = &["legacy", "compat", "deprecated", "old", "attic", "archive", "v1-compat"];
const DOCS_FOLDERS: &[&str] = &["docs", "documentation"];
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
    let not_own = |list: &[&str]| is_not_own(folders, name, list);
    let (stem, _) = name.split_once('.').unwrap_or((name, ""));
    let whole_stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut role = Role::default();
    // Maven, Gradle and sbt keep the product below `main`, whatever it is called there; what tests are made of may be such a
    // project.
    let main = source_set(path).is_some_and(|at| {
        let mut before = lower[..at].split('/');
        !before.any(|folder| matches!(folder, "tests" | "fixtures" | "testdata" | "test_data"))
    });
    let own_folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let tests = is_within_tests(folders, name) || own_folders.split('/').any(is_test_folder);
    role.add(Role::TEST, !main && (tests || is_test_name(path, name, whole_stem)));
    let framework = within(TEST_FOLDERS) && COPIED_FRAMEWORKS.contains(&name);
    let copied = framework || folders.split('/').any(is_release) || is_library_of_site(folders, name);
    role.add(Role::VENDORED, not_own(VENDORED_FOLDERS) || copied || name.ends_with(".vendored"));
    role.add(Role::GENERATED, not_own(GENERATED_FOLDERS) || is_generated(name, head));
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
        is_tooling(folders) || whole_stem.ends_with("_bench") || whole_stem.ends_with(".bench"),
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
    // A package called `doc` writes documentation; whatever is in `docs` is documentation.
    let of_server = name.rsplit_once('.').is_some_and(|(_, ending)| OF_SERVERS.contains(&ending));
    let page = within(DOCS_FOLDERS)
        || within(SITE_FOLDERS) && !of_server
        || language.is_some_and(|l| data.contains(&l)) && folders.split('/').any(|folder| folder == "doc");
    role.add(Role::DOCS, prose || page || matches!(name, "doc.go" | "package-info.java"));
    role.add(Role::CONFIG, language.is_some_and(|l| data.contains(&l)) || name.contains(".config."));
    let barrel = matches!(
        name,
        "index.ts" | "index.tsx" | "index.js" | "index.mjs" | "index.jsx" | "mod.rs" | "__init__.py"
    );
    role.add(Role::BARREL, barrel || matches!(name, "lib.rs" | "package-info.java"));
    role.add(Role::TYPES, name.ends_with(".d.ts") || name.ends_with(".pyi") || name.ends_with(".d.mts"));
    role.add(Role::MINIFIED, is_minified(name, text));
    role
}

/// `src`, or that of one part: `console-src`.
fn is_sources(folder: &str) -> bool {
    folder == "src" || folder.ends_with("-src")
}

/// Whether one of these folders says that the project's authors didn't write what is in it; `list` are such names.
fn is_not_own(folders: &str, name: &str, list: &[&str]) -> bool {
    let (outside, package) = split_package(folders);
    let go = name.ends_with(".go");
    let mut below_sources = false;
    let mut outside = outside.split('/');
    let by_others = outside.any(|folder| {
        let subject =
            below_sources && SUBJECTS_OF_SOURCES.contains(&folder) || go && PACKAGES_OF_GO.contains(&folder);
        below_sources |= is_sources(folder);
        list.contains(&folder) && !subject
    });
    by_others || package.split('/').any(|folder| list.contains(&folder) && !SUBJECTS.contains(&folder))
}

/// Whether what is in these folders measures or builds the product. Among its sources `tools` and `metrics` are the product.
fn is_tooling(folders: &str) -> bool {
    let mut inside = false;
    folders.split('/').enumerate().any(|(at, folder)| {
        // Services measure themselves; what measures the project is beside it.
        let beside = !inside && (folder != "metrics" || at == 0);
        inside |= is_sources(folder) || matches!(folder, "internal" | "pkg" | "lib" | "app");
        BENCH_FOLDERS.contains(&folder) || beside && TOOLING_FOLDERS.contains(&folder)
    })
}

/// Where the product's sources begin that Maven, Gradle and sbt keep in `src/main`, and Gradle for several platforms in
/// `src/commonMain`, `src/jvmMain` and the like.
fn source_set(path: &str) -> Option<usize> {
    path.match_indices("src/").map(|(at, _)| at).find(|at| {
        let whole = path[..*at].is_empty() || path[..*at].ends_with('/');
        let set = path[at + "src/".len()..].split_once('/').map_or("", |(set, _)| set);
        whole && (set == "main" || set.len() > "Main".len() && set.ends_with("Main"))
    })
}

/// Whether one of these folders is one of tests. Below `src` and in Go, whose tests say so by their own names, `spec` is what
/// something is specified by.
fn is_within_tests(folders: &str, name: &str) -> bool {
    let mut sources = name.ends_with(".go");
    folders.split('/').any(|folder| {
        let subject = sources && matches!(folder, "spec" | "specs");
        sources |= is_sources(folder);
        TEST_FOLDERS.contains(&folder) && !subject
    })
}

/// `Shop.Tests`, `Shop.UnitTests`, `jvmTest`, `NetTests`, `shop-tests`: a folder whose name ends in a word for tests.
fn is_test_folder(folder: &str) -> bool {
    let rest = ["Tests", "Test", "Specs"].iter().find_map(|end| folder.strip_suffix(end));
    let named = rest.and_then(|rest| rest.chars().next_back());
    named.is_some_and(|before| before == '.' || before.is_lowercase() || before.is_ascii_digit())
        || ["-tests", "_tests", ".tests"].iter().any(|end| folder.ends_with(end))
}

/// `examples`, `timber-sample`, `watchos example`: a folder that is called so or whose name ends so.
fn is_example_folder(folder: &str) -> bool {
    let ends = ["example", "examples", "sample", "samples", "demo", "demos", "playground"];
    let last = folder.rsplit_once(['-', '_', ' ']).filter(|(before, _)| !before.is_empty());
    EXAMPLE_FOLDERS.contains(&folder) || last.is_some_and(|(_, last)| ends.contains(&last))
}

/// The folders outside of a package and the package, where they are laid out as Maven, Gradle and sbt do: `src/main/java`. Else all
/// are outside.
fn split_package(folders: &str) -> (&str, &str) {
    let package = package_of(folders);
    let outside = &folders[..folders.len() - package.len()];
    let is_laid_out = outside.trim_end_matches('/').rsplit('/').nth(2) == Some("src");
    if is_laid_out { (outside, package) } else { (folders, "") }
}

/// The folders without a package of the JVM that only has the name that tutorials give: `com.example.demo`.
fn without_placeholder(folders: &str) -> &str {
    let package = package_of(folders);
    let mut parts = package.split('/').skip(1);
    let placeholder = package.len() < folders.len() && parts.next() == Some("example");
    if placeholder { &folders[..folders.len() - package.len()] } else { folders }
}

/// `wwwroot/lib/jquery/jquery.js`: libraries that a site's pages load are copied below what its server hands out.
fn is_library_of_site(folders: &str, name: &str) -> bool {
    let loaded = [".js", ".mjs", ".css", ".scss", ".less"].iter().any(|ending| name.ends_with(ending));
    let handed_out = |folder: &str| matches!(folder, "wwwroot" | "public" | "static");
    let mut below = folders.split('/').skip_while(|folder| !handed_out(folder));
    loaded && below.any(|folder| matches!(folder, "lib" | "libs" | "vendors"))
}

/// `googletest-1.13.0`: a folder named after a product and a full version contains someone else's release.
fn is_release(folder: &str) -> bool {
    let Some((name, version)) = folder.rsplit_once('-') else { return false };
    let version = version.strip_prefix('v').unwrap_or(version);
    let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    name.contains(char::is_alphabetic) && version.split('.').count() == 3 && version.split('.').all(number)
}

fn is_test_name(path: &str, name: &str, whole_stem: &str) -> bool {
    let original = path.rsplit('/').next().unwrap_or(path);
    let stem = original.split('.').next().unwrap_or(original);
    name.contains(".test.")
        || name.contains(".spec.")
        || name.contains(".test-d.")
        || name.contains(".cy.")
        || name.ends_with(".bats")
        || name.ends_with(".feature")
        || name.contains("_test.")
        || name.contains("_spec.")
        || name.ends_with("_fuzz.go")
        || whole_stem.starts_with("test_")
        || whole_stem == "conftest"
        || matches!(whole_stem, "test" | "tests" | "test_helpers" | "test_helper" | "testing")
        // `FooTest.java`, `FooTests.cs`, `TestFoo.java`
        || (stem.ends_with("Test") || stem.ends_with("Tests") || stem.ends_with("Spec") || stem.ends_with("TestCase"))
        || (stem.starts_with("Test") && stem.chars().nth(4).is_some_and(char::is_uppercase))
}

/// Whether the words of a query ask for tests.
pub fn asks_for_tests(query: &str) -> bool {
    query.split(|c: char| !c.is_alphanumeric()).map(str::to_ascii_lowercase).any(|word| {
        matches!(
            word.as_str(),
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
    })
}
