//! Tells by the names of folders what is in them: tests, examples, documentation, somebody else's code. Knows no texts. Pure.

use crate::packages::package_of;

pub(super) const TEST_FOLDERS: &[&str] = &[
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
    "__testfixtures__",
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
/// Names of folders of others and of what is built that can be a package's own subject: `shop/vendor`, `plugin/bundled`, `cli/build`.
const SUBJECTS: &[&str] =
    &["vendor", "external", "extern", "deps", "bundled", "gen", "dist", "build", "out", "target", "coverage"];
/// The ones that are so below any folder of sources, as what is built goes elsewhere: `src/build/plan.ts`.
const SUBJECTS_OF_SOURCES: &[&str] = &["build", "target", "coverage"];
/// The ones that are packages of Go, whose dependencies are in `vendor`, whose programs aren't code and whose generated files say so
/// on their first lines.
const PACKAGES_OF_GO: &[&str] = &[
    "external",
    "externals",
    "extern",
    "deps",
    "bundled",
    "gen",
    "dist",
    "build",
    "out",
    "target",
    "coverage",
];
/// The ones that say nothing about Ruby, which nobody builds, nor with a capital about C#, which is built into `bin` and `obj`.
const BUILT_FOLDERS: &[&str] = &["dist", "build", "out", "target", "coverage"];
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
const DOCS_FOLDERS: &[&str] = &["docs", "documentation", ".vitepress", ".vuepress"];

/// Where an app of Django has its files, beside those directly in its folder.
const FOLDERS_OF_AN_APP: &[&str] =
    &["admin", "api", "commands", "management", "migrations", "models", "templatetags", "tests", "views"];

/// `src`, or that of one part: `console-src`.
fn is_sources(folder: &str) -> bool {
    folder == "src" || folder.ends_with("-src")
}

/// Whether a folder has the product's sources, whatever those below it are called.
fn is_product(folder: &str) -> bool {
    is_sources(folder) || matches!(folder, "internal" | "pkg" | "lib" | "app")
}

/// Whether one of these folders says that the project's authors didn't write what is in it; `list` are such names. `written` are the
/// folders as they are spelt.
pub(super) fn is_not_own(folders: &str, written: &str, name: &str, list: &[&str]) -> bool {
    let (outside, package) = split_package(folders);
    let ending = extension(name);
    let (mut below_sources, mut below_app) = (false, false);
    let mut outside = outside.split('/').zip(written.split('/'));
    let by_others = outside.any(|(folder, written)| {
        let subject = below_sources && SUBJECTS_OF_SOURCES.contains(&folder)
            || match ending {
                "go" => PACKAGES_OF_GO.contains(&folder),
                // A namespace begins with a capital; Composer and what builds write small letters.
                "php" => written.starts_with(char::is_uppercase) && SUBJECTS.contains(&folder),
                // Rails keeps gems beside `app`.
                "rb" | "erb" | "haml" | "slim" | "jbuilder" => {
                    BUILT_FOLDERS.contains(&folder) || below_app && SUBJECTS.contains(&folder)
                }
                "cs" => written.starts_with(char::is_uppercase) && BUILT_FOLDERS.contains(&folder),
                "py" => below_app && folder != "vendor" && SUBJECTS.contains(&folder),
                _ => false,
            };
        below_sources |= is_sources(folder);
        below_app |= folder == "app";
        list.contains(&folder) && !subject
    });
    by_others || package.split('/').any(|folder| list.contains(&folder) && !SUBJECTS.contains(&folder))
}

/// Whether what is in these folders measures or builds the product. Among its sources `tools` and `metrics` are the product.
pub(super) fn is_tooling(folders: &str, name: &str) -> bool {
    let mut inside = false;
    folders.split('/').enumerate().any(|(at, folder)| {
        // Services measure themselves, and a folder of Go is a package; what measures the project is beside it.
        let beside = !inside && (folder != "metrics" || at == 0 && extension(name) != "go");
        inside |= is_product(folder);
        BENCH_FOLDERS.contains(&folder) || beside && TOOLING_FOLDERS.contains(&folder)
    })
}

/// Whether one of these folders is one of documentation. Below the product's sources, code of a server that is called so makes
/// documentation.
pub(super) fn is_within_docs(folders: &str, of_server: bool) -> bool {
    let mut inside = false;
    folders.split('/').any(|folder| {
        let subject = inside && of_server;
        inside |= is_product(folder);
        DOCS_FOLDERS.contains(&folder) && !subject
    })
}

/// Whether a file is of an app of Django that is called like documentation: it's where such an app has its files, and imports Django,
/// or the app by its name or by dots.
pub(super) fn is_app_called_docs(folders: &str, name: &str, head: &str) -> bool {
    let mut below = folders.split('/').skip_while(|folder| !DOCS_FOLDERS.contains(folder));
    let Some(app) = below.next() else { return false };
    let imports = |line: &str| {
        let module = line.strip_prefix("from ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
        module.starts_with('.')
            || module.split('.').next().is_some_and(|first| first == "django" || first == app)
    };
    name.ends_with(".py")
        && name != "conf.py"
        && below.all(|folder| FOLDERS_OF_AN_APP.contains(&folder))
        && head.lines().any(imports)
}

/// What is behind the last dot of a name.
pub(super) fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Where the product's sources begin that Maven, Gradle and sbt keep in `src/main`, and Gradle for several platforms in
/// `src/commonMain`, `src/jvmMain` and the like.
pub(super) fn source_set(path: &str) -> Option<usize> {
    path.match_indices("src/").map(|(at, _)| at).find(|at| {
        let whole = path[..*at].is_empty() || path[..*at].ends_with('/');
        let set = path[at + "src/".len()..].split_once('/').map_or("", |(set, _)| set);
        whole && (set == "main" || set.len() > "Main".len() && set.ends_with("Main"))
    })
}

/// Whether one of these folders is one of tests. Below `src` and in Go, whose tests say so by their own names, `spec` is what
/// something is specified by; among the product's sources but in Go, `acceptance` is what somebody accepts.
pub(super) fn is_within_tests(folders: &str, name: &str) -> bool {
    let go = name.ends_with(".go");
    let (mut sources, mut inside) = (go, false);
    let package = is_testing_package(folders);
    folders.split('/').any(|folder| {
        let subject = sources && matches!(folder, "spec" | "specs")
            || inside && !go && folder == "acceptance"
            || package && folder == "testing";
        sources |= is_sources(folder);
        inside |= is_product(folder);
        TEST_FOLDERS.contains(&folder) && !subject
    })
}

/// `packages/testing/src`: a workspace's package that its users test with. Internal ones have other names.
pub(super) fn is_testing_package(folders: &str) -> bool {
    let parts: Vec<&str> = folders.split('/').collect();
    parts.windows(3).any(|three| {
        matches!(three[0], "packages" | "libs" | "crates" | "projects")
            && three[1] == "testing"
            && three[2] == "src"
    })
}

/// Whether a file is among what a package of Ruby, Perl or Elixir installs, which is all below its `lib`, also `lib/shop/testing.rb`:
/// its tests are beside that, as `lib` is below the folder of tests where it has what they need. A name of a test says more.
pub(super) fn is_installed(folders: &str, name: &str) -> bool {
    if !matches!(extension(name), "rb" | "pm" | "ex")
        || name.ends_with("_spec.rb")
        || name.ends_with("_test.rb")
    {
        return false;
    }
    let mut outside = folders.split('/').take_while(|folder| *folder != "lib");
    folders.split('/').any(|folder| folder == "lib")
        && !outside.any(|folder| TEST_FOLDERS.contains(&folder) || matches!(folder, "t" | "xt"))
}

/// `Shop.Tests`, `Shop.UnitTests`, `jvmTest`, `NetTests`, `shop-tests`: a folder whose name ends in a word for tests.
pub(super) fn is_test_folder(folder: &str) -> bool {
    let rest = ["Tests", "Test", "Specs"].iter().find_map(|end| folder.strip_suffix(end));
    let named = rest.and_then(|rest| rest.chars().next_back());
    named.is_some_and(|before| before == '.' || before.is_lowercase() || before.is_ascii_digit())
        || ["-tests", "_tests", ".tests"].iter().any(|end| folder.ends_with(end))
}

/// `t/cart.t`, `xt/pod.t`, `t/lib/Shop/Fake.pm`: where Perl has its tests, and all that they need if the project itself has such a
/// folder: `t/public/cart.js`. A generator's template is `cart.ejs.t`.
pub(super) fn is_test_of_perl(folders: &str, name: &str) -> bool {
    if matches!(folders.split('/').next(), Some("t" | "xt")) {
        return true;
    }
    let inside = folders.split('/').any(|folder| matches!(folder, "t" | "xt"));
    match name.rsplit_once('.') {
        Some((stem, "t")) => inside || !stem.contains('.'),
        Some((_, "pl" | "pm")) => inside,
        _ => false,
    }
}

/// `examples`, `timber-sample`, `watchos example`: a folder that is called so or whose name ends so.
pub(super) fn is_example_folder(folder: &str) -> bool {
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

/// The folders without a package of the JVM that only has the name that tutorials give, `com.example.demo`, or that whole programs
/// have whose authors call them samples: `com.google.samples.apps.shop`. What is directly in such a package is an example.
pub(super) fn without_placeholder(folders: &str) -> &str {
    let package = package_of(folders);
    let mut parts = package.split('/').skip(1);
    let is_placeholder = parts.next() == Some("example")
        || parts.next().is_some_and(is_example_folder) && parts.next().is_some();
    if package.len() < folders.len() && is_placeholder {
        &folders[..folders.len() - package.len()]
    } else {
        folders
    }
}

/// `wwwroot/lib/jquery/jquery.js`: libraries that a site's pages load are copied below what its server hands out.
pub(super) fn is_library_of_site(folders: &str, name: &str) -> bool {
    let loaded = [".js", ".mjs", ".css", ".scss", ".less"].iter().any(|ending| name.ends_with(ending));
    let handed_out = |folder: &str| matches!(folder, "wwwroot" | "public" | "static");
    let mut below = folders.split('/').skip_while(|folder| !handed_out(folder));
    loaded && below.any(|folder| matches!(folder, "lib" | "libs" | "vendors"))
}

/// `lang/de/auth.php`, `locales/pt-BR.ts`, `i18n/fr/cart.js`: a file of the product's texts in one language.
pub(super) fn is_translation(folders: &str, stem: &str) -> bool {
    let mut of_texts = false;
    for part in folders.split('/').chain([stem]) {
        if of_texts && is_locale(part) {
            return true;
        }
        of_texts = matches!(part, "lang" | "langs" | "locale" | "locales" | "i18n" | "l10n" | "translations");
    }
    false
}

/// `de`, `pt-br`, `zh_hant`, `de_informal`. Codes that are also words of programming (`cs`, `ts`, `io`, `is`) need a country.
fn is_locale(part: &str) -> bool {
    const LANGUAGES: &[&str] = &[
        "af", "ar", "az", "bg", "bn", "bs", "ca", "cy", "da", "de", "en", "eo", "es", "et", "eu", "fa", "fi",
        "fr", "ga", "gl", "gu", "he", "hi", "hr", "hu", "hy", "it", "ja", "ka", "kk", "km", "kn", "ko", "lb",
        "lt", "lv", "mk", "mn", "mr", "nb", "ne", "nl", "nn", "pa", "pl", "pt", "ro", "ru", "si", "sk", "sl",
        "sq", "sr", "sv", "sw", "ta", "te", "th", "tr", "uk", "ur", "uz", "vi", "zh",
    ];
    let letters = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase());
    match part.split_once(['-', '_']) {
        None => LANGUAGES.contains(&part),
        Some((language, of)) if LANGUAGES.contains(&language) => of.split(['-', '_']).all(letters),
        // `cs_cz`
        Some((language, of)) => language.len() == 2 && of.len() == 2 && letters(language) && letters(of),
    }
}

/// `googletest-1.13.0`: a folder named after a product and a full version contains someone else's release.
pub(super) fn is_release(folder: &str) -> bool {
    let Some((name, version)) = folder.rsplit_once('-') else { return false };
    let version = version.strip_prefix('v').unwrap_or(version);
    let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    name.contains(char::is_alphabetic) && version.split('.').count() == 3 && version.split('.').all(number)
}
