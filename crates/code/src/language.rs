//! Detects a file's language from its name and first line, and says whether it has a [`Grammar`]. Files without one are
//! indexed by lines.

use crate::grammar::{self, Grammar};

/// A language that files are recognised as.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// As written in a filter, lower-case.
    pub name: &'static str,
    /// Endings without the dot.
    endings: &'static [&'static str],
    /// Whole file names.
    names: &'static [&'static str],
    /// Interpreters of a first line `#!`.
    interpreters: &'static [&'static str],
}

/// Languages without a grammar whose programs define names and use each other's files. The others are data, settings, pages, styles,
/// prose, or single scripts.
const PROGRAMS_BY_LINES: &[&str] = &[
    "astro",
    "clojure",
    "coffeescript",
    "crystal",
    "cython",
    "d",
    "dart",
    "elixir",
    "elm",
    "erlang",
    "fortran",
    "fsharp",
    "gdscript",
    "gleam",
    "groovy",
    "haskell",
    "haxe",
    "julia",
    "lean",
    "lisp",
    "lua",
    "matlab",
    "nim",
    "objc",
    "ocaml",
    "pascal",
    "perl",
    "qml",
    "r",
    "razor",
    "solidity",
    "tcl",
    "terraform",
    "vb",
    "verilog",
    "zig",
];

impl Language {
    /// The grammar that finds its symbols; `None` means that it is indexed by lines.
    pub fn grammar(&self) -> Option<&'static Grammar> {
        grammar::of(self.name)
    }

    /// Whether programs of several files are written in it.
    pub fn is_program(&self) -> bool {
        self.grammar().is_some() || PROGRAMS_BY_LINES.contains(&self.name)
    }
}

const fn language(
    name: &'static str,
    endings: &'static [&'static str],
    names: &'static [&'static str],
    interpreters: &'static [&'static str],
) -> Language {
    Language { name, endings, names, interpreters }
}

/// All languages, those with a grammar first.
pub static LANGUAGES: &[Language] = &[
    language("typescript", &["ts", "mts", "cts"], &[], &["deno", "ts-node", "tsx"]),
    language("tsx", &["tsx"], &[], &[]),
    language("javascript", &["js", "mjs", "cjs", "jsx"], &[], &["node", "bun"]),
    language("python", &["py", "pyi", "pyw"], &["SConstruct", "wscript"], &["python", "python3"]),
    language("java", &["java"], &[], &[]),
    language("kotlin", &["kt", "kts"], &[], &[]),
    language("c", &["c", "h"], &[], &[]),
    language(
        "cpp",
        &["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "tpp", "cu", "cuh"],
        &[],
        &[],
    ),
    language("csharp", &["cs", "csx"], &[], &[]),
    language("go", &["go"], &[], &[]),
    language("rust", &["rs"], &[], &[]),
    language("php", &["php", "phtml", "php5", "inc"], &[], &["php"]),
    language(
        "ruby",
        &["rb", "rake", "gemspec", "ru", "jbuilder", "podspec"],
        &[
            "Rakefile",
            "Gemfile",
            "Guardfile",
            "Podfile",
            "Vagrantfile",
            "Fastfile",
            "Dangerfile",
            "Brewfile",
            "Capfile",
        ],
        &["ruby"],
    ),
    language("swift", &["swift"], &[], &["swift"]),
    language("scala", &["scala", "sc", "sbt", "mill"], &[], &[]),
    language(
        "shell",
        &["sh", "bash", "zsh", "ksh", "bats"],
        &[".bashrc", ".zshrc", "PKGBUILD"],
        &["sh", "bash", "zsh", "dash"],
    ),
    language("svelte", &["svelte"], &[], &[]),
    language("vue", &["vue"], &[], &[]),
    // By lines.
    language("assembly", &["asm", "s", "nasm"], &[], &[]),
    language("astro", &["astro"], &[], &[]),
    language("autoconf", &["ac", "m4"], &[], &[]),
    language("awk", &["awk"], &[], &["awk", "gawk", "mawk"]),
    language("batch", &["bat", "cmd"], &[], &[]),
    language("clojure", &["clj", "cljs", "cljc", "edn"], &[], &[]),
    language("cmake", &["cmake"], &["CMakeLists.txt"], &[]),
    language("coffeescript", &["coffee"], &[], &["coffee"]),
    language("crystal", &["cr"], &[], &["crystal"]),
    language("css", &["css", "scss", "sass", "less", "styl"], &[], &[]),
    language("cython", &["pyx", "pxd", "pxi"], &[], &[]),
    language("d", &["d"], &[], &[]),
    language("dart", &["dart"], &[], &["dart"]),
    language("dockerfile", &["dockerfile"], &["Dockerfile", "Containerfile"], &[]),
    language("elixir", &["ex", "exs"], &[], &["elixir"]),
    language("elm", &["elm"], &[], &[]),
    language("erlang", &["erl", "hrl"], &["rebar.config"], &["escript"]),
    language("fish", &["fish"], &[], &["fish"]),
    language("fortran", &["f", "f90", "f95", "f03", "for"], &[], &[]),
    language("fsharp", &["fs", "fsi", "fsx"], &[], &[]),
    language("gdscript", &["gd"], &[], &[]),
    language("gherkin", &["feature"], &[], &[]),
    language("gleam", &["gleam"], &[], &[]),
    language("glsl", &["glsl", "vert", "frag", "geom", "comp", "wgsl", "hlsl", "metal"], &[], &[]),
    language("graphql", &["graphql", "gql", "graphqls"], &[], &[]),
    language("groovy", &["groovy", "gradle"], &["Jenkinsfile"], &["groovy"]),
    language("haskell", &["hs", "lhs"], &[], &["runhaskell"]),
    language("haxe", &["hx"], &[], &[]),
    language(
        "html",
        &[
            "html",
            "htm",
            "xhtml",
            "hbs",
            "handlebars",
            "mustache",
            "ejs",
            "erb",
            "haml",
            "slim",
            "pug",
            "jade",
            "jinja",
            "jinja2",
            "j2",
            "njk",
            "mako",
            "liquid",
            "twig",
            "tpl",
            "tmpl",
            "gohtml",
            "ftl",
            "ftlh",
            "jsp",
            "jspf",
            "eex",
            "heex",
            "leex",
        ],
        &[],
        &[],
    ),
    language("ini", &["ini", "cfg", "conf", "properties", "editorconfig"], &[], &[]),
    language("json", &["json", "jsonc", "json5"], &[], &[]),
    language("jq", &["jq"], &[], &["jq"]),
    language("jsonnet", &["jsonnet", "libsonnet"], &[], &[]),
    language("julia", &["jl"], &[], &["julia"]),
    language("lean", &["lean"], &[], &[]),
    language("lex", &["l", "ll", "lex"], &[], &[]),
    language("lisp", &["lisp", "lsp", "el", "scm", "ss", "rkt"], &[], &["sbcl", "racket", "guile"]),
    language("lua", &["lua", "luau"], &[], &["lua"]),
    language(
        "make",
        &["mk", "mak"],
        &["Makefile", "GNUmakefile", "makefile", "Justfile", "justfile"],
        &["make"],
    ),
    language(
        "markdown",
        &["md", "mdx", "markdown", "rst", "adoc", "txt", "org"],
        &["README", "LICENSE"],
        &[],
    ),
    language("matlab", &["m"], &[], &[]),
    language("nim", &["nim", "nims"], &[], &[]),
    language("nix", &["nix"], &[], &[]),
    language("objc", &["mm"], &[], &[]),
    language("ocaml", &["ml", "mli", "re", "rei"], &[], &["ocaml"]),
    language("pascal", &["pas", "pp", "dpr"], &[], &[]),
    language("perl", &["pl", "pm", "t"], &[], &["perl"]),
    language("powershell", &["ps1", "psm1", "psd1"], &[], &["pwsh"]),
    language("prisma", &["prisma"], &[], &[]),
    language("proto", &["proto", "thrift", "capnp", "fbs"], &[], &[]),
    language("qml", &["qml"], &[], &[]),
    language("r", &["r", "R", "rmd"], &[], &["Rscript"]),
    // The views of ASP.NET and the components of Blazor.
    language("razor", &["razor", "cshtml", "vbhtml"], &[], &[]),
    language("rego", &["rego"], &[], &[]),
    language("solidity", &["sol", "vy"], &[], &[]),
    language("sql", &["sql", "psql", "ddl"], &[], &[]),
    language("starlark", &["bzl", "bazel", "star"], &["BUILD", "WORKSPACE", "Tiltfile"], &[]),
    language("tcl", &["tcl"], &[], &["tclsh"]),
    language("terraform", &["tf", "tfvars", "hcl", "bicep"], &[], &[]),
    language("gomod", &[], &["go.mod", "go.work"], &[]),
    language("toml", &["toml"], &["Pipfile"], &[]),
    language("vb", &["vb"], &[], &[]),
    language("verilog", &["v", "sv", "svh", "vhd", "vhdl"], &[], &[]),
    language("vim", &["vim"], &[".vimrc"], &[]),
    language(
        "xml",
        &[
            "xml",
            "xsd",
            "xsl",
            "xslt",
            "wsdl",
            "plist",
            "csproj",
            "vbproj",
            "fsproj",
            "props",
            "targets",
            "resx",
            "fxml",
            "xaml",
            "axaml",
            "storyboard",
            "xib",
        ],
        &["pom.xml"],
        &[],
    ),
    language("yacc", &["y", "yy", "ypp"], &[], &[]),
    language("yaml", &["yaml", "yml"], &[], &[]),
    language("zig", &["zig", "zon"], &[], &["zig"]),
];

/// The language of the file called `path`, by its whole name, its extension, or its first line.
pub fn of(path: &str, first_line: &str) -> Option<&'static Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if let Some(found) = LANGUAGES.iter().find(|l| l.names.contains(&name)) {
        return Some(found);
    }
    if let Some((stem, ending)) = name.rsplit_once('.')
        && !stem.is_empty()
    {
        let lower = ending.to_ascii_lowercase();
        // MATLAB has the same ending, and its comments begin with `%`.
        if lower == "m"
            && ["//", "/*", "#import", "#include", "@"].iter().any(|mark| first_line.starts_with(mark))
        {
            return LANGUAGES.iter().find(|l| l.name == "objc");
        }
        if let Some(found) = LANGUAGES.iter().find(|l| l.endings.contains(&lower.as_str())) {
            return Some(found);
        }
        // `Dockerfile.dev`
        return LANGUAGES.iter().find(|l| l.names.contains(&stem));
    }
    let interpreter = first_line.strip_prefix("#!")?.split(['/', ' ']).filter(|word| !word.is_empty());
    let mut words = interpreter.filter(|word| !matches!(*word, "usr" | "bin" | "local" | "env" | "-S"));
    let program = words.next()?.trim();
    let plain = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    LANGUAGES.iter().find(|l| l.interpreters.contains(&program) || l.interpreters.contains(&plain))
}

/// The language called `name`: its own name, or one of its file extensions (`ts`, `py`).
pub fn by_name(name: &str) -> Option<&'static Language> {
    let name = name.trim().trim_start_matches('.').to_ascii_lowercase();
    let other = match name.as_str() {
        "c++" => "cpp",
        "c#" => "csharp",
        "golang" => "go",
        "bash" => "shell",
        name => name,
    };
    LANGUAGES
        .iter()
        .find(|l| l.name == other)
        .or_else(|| LANGUAGES.iter().find(|l| l.endings.contains(&other)))
}

/// Languages that are one family with JavaScript, whose rules they share.
pub(crate) const SCRIPT: &[&str] = &["typescript", "tsx", "javascript", "svelte", "vue"];

/// Languages that are one family with Java.
pub(crate) const JVM: &[&str] = &["java", "kotlin", "scala"];

/// Whether it's TypeScript, JavaScript or a component's script.
pub(crate) fn is_script(language: &str) -> bool {
    SCRIPT.contains(&language)
}

/// Whether its programs name packages and members as Java's do.
pub(crate) fn is_jvm(language: &str) -> bool {
    JVM.contains(&language)
}

/// A representative of the languages that can use each other's definitions.
pub fn family(language: &str) -> &str {
    match language {
        "cpp" => "c",
        other if is_script(other) => "typescript",
        other if is_jvm(other) => "java",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_has_only_languages_with_a_grammar() {
        for (names, wanted) in [(SCRIPT, "typescript"), (JVM, "java"), (&["c", "cpp"][..], "c")] {
            let of = |name: &&str| LANGUAGES.iter().find(|l| l.name == *name).and_then(Language::grammar);
            assert!(names.iter().all(|name| of(name).is_some() && family(name) == wanted), "{names:?}");
        }
    }

    #[test]
    fn files_are_recognised() {
        for (path, line, expected) in [
            ("src/a.ts", "", Some("typescript")),
            ("src/A.TSX", "", Some("tsx")),
            ("Makefile", "", Some("make")),
            ("app/go.mod", "", Some("gomod")),
            ("docker/Dockerfile.dev", "", Some("dockerfile")),
            ("bin/run", "#!/usr/bin/env python3", Some("python")),
            ("bin/run", "#!/usr/bin/python3.12", Some("python")),
            ("bin/run", "#!/bin/bash -e", Some("shell")),
            ("bin/run", "no", None),
            (".gitignore", "", None),
            ("a.m", "// A view.", Some("objc")),
            ("a.m", "function y = f(x)", Some("matlab")),
            ("a.unknown", "", None),
            ("Pages/Index.cshtml", "", Some("razor")),
            ("app/views/cart/show.html.haml", "", Some("html")),
            ("app/views/cart/show.json.jbuilder", "", Some("ruby")),
            ("src/main/webapp/cart.jsp", "", Some("html")),
            ("Shop/MainWindow.xaml", "", Some("xml")),
            ("src/fast.pyx", "", Some("cython")),
            ("lib/BUILD.bazel", "", Some("starlark")),
            ("lib/BUILD", "", Some("starlark")),
        ] {
            assert_eq!(of(path, line).map(|l| l.name), expected, "{path} {line}");
        }
    }

    #[test]
    fn programs_are_told_from_data() {
        for (name, expected) in
            [("rust", true), ("lua", true), ("zig", true), ("json", false), ("markdown", false)]
        {
            assert_eq!(by_name(name).map(Language::is_program), Some(expected), "{name}");
        }
        // Each is a language, and has no grammar.
        let known = |name: &&&str| by_name(name).is_some_and(|l| l.name == **name && l.grammar().is_none());
        assert_eq!(PROGRAMS_BY_LINES.iter().filter(known).count(), PROGRAMS_BY_LINES.len());
    }

    #[test]
    fn no_extension_belongs_to_two_languages() {
        let mut seen = std::collections::HashSet::new();
        for ending in LANGUAGES.iter().flat_map(|l| l.endings) {
            assert!(seen.insert(ending), "{ending}");
        }
        assert!(LANGUAGES.iter().filter(|l| l.grammar().is_none()).count() >= 30);
    }
}
