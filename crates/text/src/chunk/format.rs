//! Chooses the chunking format of a document. Owns the table of file extensions and the content check for names that tell
//! nothing.

use serde::de::IgnoredAny;

use super::Format;

/// Extensions of source files, by language.
const SOURCES: &[(&str, &[&str])] = &[
    ("rust", &["rs"]),
    ("typescript", &["ts", "tsx", "mts", "cts"]),
    ("javascript", &["js", "jsx", "mjs", "cjs"]),
    ("python", &["py", "pyi", "pyw"]),
    ("go", &["go"]),
    ("java", &["java"]),
    ("kotlin", &["kt", "kts"]),
    ("c", &["c", "h"]),
    ("cpp", &["cc", "cpp", "cxx", "hpp", "hh", "hxx", "ino"]),
    ("csharp", &["cs", "csx"]),
    ("php", &["php"]),
    ("ruby", &["rb", "rake", "gemspec"]),
    ("swift", &["swift"]),
    ("scala", &["scala", "sc", "sbt"]),
    ("shell", &["sh", "bash", "zsh", "fish", "ksh"]),
    ("powershell", &["ps1", "psm1", "psd1"]),
    ("perl", &["pl", "pm"]),
    ("r", &["r"]),
    ("elixir", &["ex", "exs"]),
    ("erlang", &["erl", "hrl"]),
    ("haskell", &["hs"]),
    ("ocaml", &["ml", "mli"]),
    ("clojure", &["clj", "cljs", "cljc", "edn"]),
    ("lua", &["lua"]),
    ("dart", &["dart"]),
    ("zig", &["zig"]),
    ("nim", &["nim"]),
    ("julia", &["jl"]),
    ("groovy", &["groovy", "gradle"]),
    ("sql", &["sql"]),
    ("css", &["css", "scss", "sass", "less"]),
    ("html", &["html", "htm", "xhtml", "vue", "svelte", "astro"]),
    ("xml", &["xml", "xsl", "xsd", "svg", "plist", "csproj", "props"]),
    ("yaml", &["yaml", "yml"]),
    ("toml", &["toml"]),
    ("ini", &["ini", "cfg", "conf", "properties", "env"]),
    ("json", &["jsonc", "json5"]),
    ("terraform", &["tf", "tfvars", "hcl"]),
    ("proto", &["proto"]),
    ("graphql", &["graphql", "gql"]),
    ("solidity", &["sol"]),
    ("vim", &["vim"]),
    ("nix", &["nix"]),
    ("diff", &["diff", "patch"]),
];

/// Source files known by their full name.
const NAMES: &[(&str, &str)] = &[
    ("makefile", "make"),
    ("gnumakefile", "make"),
    ("dockerfile", "dockerfile"),
    ("containerfile", "dockerfile"),
    ("cmakelists.txt", "cmake"),
    ("rakefile", "ruby"),
    ("gemfile", "ruby"),
    ("jenkinsfile", "groovy"),
    ("justfile", "make"),
    (".bashrc", "shell"),
    (".zshrc", "shell"),
    (".env", "ini"),
];

/// The format for the document called `path_or_name` (a path, URL or any label): by its name if that tells, otherwise by
/// `content`.
#[must_use]
pub fn format_of(path_or_name: &str, content: &str) -> Format {
    let path = path_or_name.split(['?', '#']).next().unwrap_or("");
    let name = path.rsplit(['/', '\\']).next().unwrap_or("").to_ascii_lowercase();
    if let Some((_, language)) = NAMES.iter().find(|(n, _)| *n == name) {
        return Format::Source(language);
    }
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("md" | "markdown" | "mdx" | "mdown" | "mkd" | "qmd" | "rmd" | "mdc") => return Format::Markdown,
        Some("json" | "webmanifest" | "geojson" | "ipynb" | "har" | "sarif") => {
            return json_or_source(content);
        }
        Some(
            "txt" | "text" | "log" | "out" | "err" | "csv" | "tsv" | "ndjson" | "jsonl" | "rst" | "adoc",
        ) => {
            return Format::Plain;
        }
        Some(ending) => {
            if let Some((language, _)) = SOURCES.iter().find(|(_, endings)| endings.contains(&ending)) {
                return Format::Source(language);
            }
        }
        None => {}
    }
    by_content(content)
}

fn json_or_source(content: &str) -> Format {
    if is_json(content) { Format::Json } else { Format::Source("json") }
}

fn is_json(content: &str) -> bool {
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    serde_json::from_str::<IgnoredAny>(content).is_ok()
}

fn by_content(content: &str) -> Format {
    let start = content.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with(['{', '[']) && is_json(content) {
        return Format::Json;
    }
    if let Some(line) = start.strip_prefix("#!").and_then(|rest| rest.lines().next()) {
        let program = line.rsplit(['/', ' ']).next().unwrap_or("");
        for (word, language) in [
            ("python", "python"),
            ("node", "javascript"),
            ("ruby", "ruby"),
            ("perl", "perl"),
            ("php", "php"),
            ("sh", "shell"),
        ] {
            if program.contains(word) {
                return Format::Source(language);
            }
        }
    }
    if looks_like_markdown(content) { Format::Markdown } else { Format::Plain }
}

/// Signs of Markdown in the first lines. One fence or two weaker signs suffice; a single `#` may be a shell comment.
fn looks_like_markdown(content: &str) -> bool {
    let mut signs = 0;
    for line in content.lines().take(400) {
        let heading = line.strip_prefix('#').is_some_and(|rest| {
            let rest = rest.trim_start_matches('#');
            rest.starts_with(' ') && rest.trim().chars().next().is_some_and(char::is_alphanumeric)
        });
        let link = line.contains("](http") || line.contains("](/") || line.contains("](#");
        let item = line.starts_with("- ") || line.starts_with("* ");
        let table = line.starts_with('|') && line.trim_end().ends_with('|') && line.contains("---");
        signs += if line.starts_with("```") || table {
            4
        } else if heading || link {
            2
        } else {
            usize::from(item)
        };
        if signs >= 4 {
            return true;
        }
    }
    // A short note with a heading on its first line.
    content.lines().find(|l| !l.trim().is_empty()).is_some_and(|l| l.starts_with("# "))
        && !content.starts_with("#!")
}
