//! Finds the files in which programs begin: those whose `main`, name or folder says that they are started, and those
//! that a manifest declares. Files that test, build or measure the product don't count. Doesn't know imports.

use std::collections::HashSet;

use super::declared_programs::{NAMES, entry_files};
use crate::error::Result;
use crate::resolve::{Read, join};
use crate::role::Role;
use crate::search::{File, Reader};
use crate::store::Store;

/// The most manifests that are read.
const MAX_MANIFESTS: usize = 400;

/// The files of an index in which programs begin; `read` gives the text of a manifest.
///
/// # Errors
/// When the database cannot be read.
pub fn programs(store: &Store, reader: &Reader, read: Read<'_>) -> Result<HashSet<String>> {
    let rows: Vec<(i64, String, String, u32)> = store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT s.file, s.container, s.signature, s.line FROM symbols s
             WHERE s.folded = 'main' AND s.kind IN ('function', 'method')
             UNION ALL
             SELECT s.file, s.container, s.signature, s.line FROM files f JOIN symbols s ON s.file = f.id
             WHERE f.language = 'swift' AND s.kind IN ('class', 'struct', 'enum')
                OR f.language = 'scala' AND (s.kind = 'class' OR s.signature LIKE '@main %')",
        )?;
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?.collect()
    })?;
    let begins = rows.into_iter().filter_map(|(file, container, signature, line)| {
        let file = reader.files().get(reader.place(file)?)?;
        let is_main = is_main(&file.language, &container, &signature);
        let is_c = matches!(file.language.as_str(), "c" | "cpp");
        let is_for_tests = || read(&file.path).is_some_and(|text| is_compiled_for_tests(&text, line));
        (is_main && !(is_c && is_for_tests())).then_some(file)
    });
    let place = |path: &str| reader.files().binary_search_by(|file| file.path.as_str().cmp(path)).ok();
    // A server names what it starts; what the project's own files import is a part of them.
    let is_imported =
        |file: &File| file.imported_by.iter().any(|by| !reader.files()[*by as usize].role.is(Role::TEST));
    let started = reader.files().iter().filter(|file| {
        is_started(&file.path, &file.language) || is_served(&file.path, &place) && !is_imported(file)
    });
    let manifests = reader.files().iter().filter(|file| {
        NAMES.contains(&file.path.rsplit('/').next().unwrap_or(&file.path)) && is_for_users(file)
    });
    let named = manifests.take(MAX_MANIFESTS).flat_map(|manifest| {
        let text = read(&manifest.path).unwrap_or_default();
        entry_files(&manifest.path, &text, &place)
    });
    let named = named.filter_map(|i| reader.files().get(i));
    Ok(begins
        .chain(started)
        .chain(named)
        .filter(|file| is_for_users(file))
        .map(|file| file.path.clone())
        .collect())
}

/// Whether a definition called `main`, however that is written, or a type of Swift or Scala, is where a program begins.
fn is_main(language: &str, container: &str, signature: &str) -> bool {
    let has = |word: &str| signature.split(|c: char| c.is_whitespace() || c == '(').any(|one| one == word);
    match language {
        "c" | "cpp" | "go" | "rust" => container.is_empty() && has("main"),
        "kotlin" => has("main") && (container.is_empty() || has("@JvmStatic")),
        "java" => has("static") && has("main"),
        "csharp" => has("static") && has("Main"),
        "scala" => {
            has("@main")
                || has("def") && signature.contains("Array[String]")
                || has("object") && is_app_of_scala(signature)
        }
        "swift" => has("@main"),
        _ => false,
    }
}

/// Whether a line of C is only compiled to try the file: `#ifdef CART_TEST_MAIN` around the `main` of a library's file.
fn is_compiled_for_tests(text: &str, line: u32) -> bool {
    const WORDS: &[&str] = &[
        "BENCH",
        "BENCHMARK",
        "DEMO",
        "EXAMPLE",
        "MAIN",
        "SELFTEST",
        "STANDALONE",
        "TEST",
        "TESTS",
        "UNITTEST",
    ];
    let mut open: Vec<bool> = Vec::new();
    for line in text.lines().take((line as usize).saturating_sub(1)) {
        let Some(rest) = line.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        let (word, condition) = rest.split_once(|c: char| !c.is_alphabetic()).unwrap_or((rest, ""));
        let words = || condition.split(|c: char| !c.is_ascii_alphanumeric());
        let names_tests =
            || !condition.trim_start().starts_with('!') && words().any(|one| WORDS.contains(&one));
        match word {
            "if" | "ifdef" => open.push(names_tests()),
            "ifndef" => open.push(false),
            "elif" | "else" => {
                if let Some(last) = open.last_mut() {
                    *last = word == "elif" && names_tests();
                }
            }
            "endif" => _ = open.pop(),
            _ => {}
        }
    }
    open.contains(&true)
}

/// `object Shop extends IOApp.Simple`: the type that the object extends has the `main`.
fn is_app_of_scala(signature: &str) -> bool {
    const APPS: &[&str] = &["App", "IOApp", "ZIOApp", "ZIOAppDefault"];
    let bases = signature.split_once(" extends ").map_or("", |(_, bases)| bases);
    bases.split([' ', ',', '(', '[', '{']).any(|base| base.split('.').any(|part| APPS.contains(&part)))
}

/// Whether a file is started by its name or from its folder.
fn is_started(path: &str, language: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    match language {
        "swift" if name == "main.swift" => true,
        "csharp" if name == "Program.cs" => true,
        "python" if matches!(name, "__main__.py" | "manage.py") => true,
        // What a server of Rack starts, and the command line of Laravel.
        "ruby" if name == "config.ru" => true,
        "php" if name == "artisan" => true,
        "php" if name == "index.php" && matches!(folder, "" | "public" | "web") => true,
        "shell" | "ruby" | "php" | "python" | "javascript" | "typescript" => {
            matches!(folder.rsplit('/').next(), Some("bin" | "exe"))
        }
        _ => false,
    }
}

/// Whether a file is what a server of Python starts: `wsgi.py` beside the addresses or the settings of a site of Django. Elsewhere a
/// module of that name only speaks the protocol.
fn is_served(path: &str, place: &dyn Fn(&str) -> Option<usize>) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let beside = ["urls.py", "settings.py", "settings/__init__.py"];
    matches!(name, "wsgi.py" | "asgi.py") && beside.iter().any(|other| place(&join(folder, other)).is_some())
}

fn is_for_users(file: &File) -> bool {
    let aside = [Role::TEST, Role::TOOLING, Role::VENDORED, Role::GENERATED, Role::EXAMPLE];
    !aside.iter().any(|role| file.role.is(*role)) && file.path.rsplit('/').next() != Some("build.rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_main_that_only_tries_its_file_is_no_program() {
        for (before, expected) in [
            ("#include <a.h>", false),
            ("#ifdef CART_TEST_MAIN", true),
            ("#if defined(CART_TEST)", true),
            ("#  if defined( BENCHMARK )\n#ifndef _WIN32", true),
            ("#ifdef CART_TEST\nint a;\n#endif", false),
            ("#ifdef CART_TEST\n#else", false),
            ("#ifndef NO_MAIN", false),
            ("#if !defined(NO_TEST)", false),
            ("#ifdef LATEST", false),
            ("#ifdef _WIN32\n#elif TEST", true),
            ("#endif\n#else\n#", false),
        ] {
            let text = format!("{before}\nint main(void) {{ return 0; }}\n");
            let line = u32::try_from(before.lines().count()).unwrap() + 1;
            assert_eq!(is_compiled_for_tests(&text, line), expected, "{before}");
        }
    }

    #[test]
    fn a_program_has_a_main_or_a_name_or_a_folder_for_programs() {
        for (language, container, signature, expected) in [
            ("rust", "", "fn main() -> ExitCode", true),
            ("rust", "Game", "fn main(&self)", false),
            ("go", "", "func main()", true),
            ("go", "", "func Main()", false),
            ("c", "", "static int _main(int argc)", false),
            ("cpp", "", "int main(int argc, char** argv)", true),
            ("java", "App", "public static void main(String[] args)", true),
            ("java", "App", "void main()", false),
            ("kotlin", "", "fun main(args: Array<String>)", true),
            ("kotlin", "App", "fun main()", false),
            ("kotlin", "App", "@JvmStatic fun main(args: Array<String>)", true),
            ("kotlin", "", "@Composable fun Main()", false),
            ("csharp", "App", "static async Task Main(string[] args)", true),
            ("scala", "App", "def main(args: Array[String]): Unit", true),
            ("scala", "", "@main def run(): Unit", true),
            ("scala", "", "object Shop extends App", true),
            ("scala", "", "object Shop extends Logging with IOApp.Simple", true),
            ("scala", "", "object Shop extends Application", false),
            ("scala", "", "class Shop extends App", false),
            ("scala", "", "class Shop(names: Array[String])", false),
            ("swift", "", "@main struct Shop: App", true),
            ("swift", "", "struct Shop: App", false),
            ("python", "", "def main()", false),
        ] {
            assert_eq!(is_main(language, container, signature), expected, "{signature}");
        }
        for (path, language, expected) in [
            ("bin/shop", "shell", true),
            ("tools/bin/shop.rb", "ruby", true),
            ("lib/bin.rb", "ruby", false),
            ("shop/__main__.py", "python", true),
            ("src/Shop/Program.cs", "csharp", true),
            ("public/index.php", "php", true),
            ("artisan", "php", true),
            ("config.ru", "ruby", true),
            ("lib/rack/config.rb", "ruby", false),
            ("src/views/index.php", "php", false),
            ("bin/readme.md", "markdown", false),
        ] {
            assert_eq!(is_started(path, language), expected, "{path}");
        }
    }
}
