//! Parses the output of checkers into diagnostics. Pure; skips what it can't parse and treats all output as plain text.

mod lines;

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::kinds::Kind;

/// The number of a message's characters that are kept.
const MAX_MESSAGE: usize = 300;
/// The number of a code's characters.
const MAX_CODE: usize = 60;
/// The number of places where a report is looked for in what was printed.
const BRACES: usize = 20;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    Error,
    Warning,
}

impl Severity {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One thing that a checker found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Diagnostic {
    /// The file within the project.
    pub(crate) file: String,
    /// 0 where it's about the file as a whole.
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) severity: Severity,
    /// The checker's name for it; empty where it has none.
    pub(crate) code: String,
    pub(crate) message: String,
    /// When the run began that did not have it, and when the first that had it, in milliseconds since 1970; 0 where no run
    /// before is known.
    #[serde(default)]
    pub(crate) before_ms: i64,
    #[serde(default)]
    pub(crate) since_ms: i64,
}

impl Diagnostic {
    /// `src/a.ts:3:5`, or the file alone where it's about that as a whole.
    pub(crate) fn place(&self) -> String {
        match self.line {
            0 => self.file.clone(),
            line => format!("{}:{line}:{}", self.file, self.column),
        }
    }
}

/// The diagnostics in what a checker printed, started in `folder` of the project `root` with the settings `config`; errors first, by
/// file and line.
pub(super) fn parse(
    kind: Kind,
    root: &Path,
    folder: &Path,
    config: Option<&str>,
    printed: &str,
) -> Vec<Diagnostic> {
    let at = At { root, folder };
    let mut out = match kind {
        Kind::Cargo => cargo(&at, printed),
        Kind::Tsc => lines::tsc(&at, config.unwrap_or("tsconfig.json"), printed),
        Kind::Pyright => pyright(&at, printed),
        Kind::Ruff => ruff(&at, printed),
        Kind::Eslint => eslint(&at, printed),
        Kind::Mypy => lines::mypy(&at, printed),
        Kind::Go => lines::go(&at, printed),
    };
    let key = |one: &Diagnostic| {
        (one.severity, one.file.clone(), one.line, one.column, one.code.clone(), one.message.clone())
    };
    out.sort_by_cached_key(key);
    // A target and its tests say the same.
    out.dedup();
    out
}

struct At<'a> {
    root: &'a Path,
    folder: &'a Path,
}

impl At<'_> {
    /// A path that was printed, within the project; nothing for a file outside.
    fn file(&self, printed: &str) -> Option<String> {
        let whole = home::without_dots(&self.folder.join(printed));
        let inside = whole.strip_prefix(self.root).ok().filter(|_| !printed.is_empty())?;
        let parts: Option<Vec<&str>> = inside.components().map(|part| part.as_os_str().to_str()).collect();
        Some(parts?.join("/")).filter(|path| !path.is_empty() && !path.contains(char::is_control))
    }

    fn diagnostic(
        &self,
        file: &str,
        (line, column): (u64, u64),
        severity: Severity,
        code: &str,
        message: &str,
    ) -> Option<Diagnostic> {
        Some(Diagnostic {
            file: self.file(file)?,
            line,
            column,
            severity,
            code: plain(code, MAX_CODE),
            message: plain(message, MAX_MESSAGE),
            before_ms: 0,
            since_ms: 0,
        })
    }
}

/// One line without secrets, and short.
pub(super) fn plain(text: &str, most: usize) -> String {
    let text = text::redact(text);
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let line = words.join(" ");
    if line.chars().count() > most { line.chars().take(most).chain(['…']).collect() } else { line }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn cargo(at: &At<'_>, printed: &str) -> Vec<Diagnostic> {
    let messages = printed.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let messages = messages.filter(|one| one["reason"] == "compiler-message");
    messages
        .filter_map(|one| {
            let message = &one["message"];
            let severity = match text(&message["level"]) {
                "warning" => Severity::Warning,
                level if level.starts_with("error") => Severity::Error,
                _ => return None,
            };
            let spans = message["spans"].as_array()?;
            let span = spans.iter().find(|span| span["is_primary"] == true)?;
            let file = text(&span["file_name"]);
            // A path counts from the workspace of the package, which may be above the folder or below it.
            let package = Path::new(text(&one["manifest_path"]));
            let base = package
                .ancestors()
                .skip(1)
                .find(|base| base.starts_with(at.root) && base.join(file).is_file());
            let at = At { root: at.root, folder: base.unwrap_or(at.folder) };
            let place = (number(&span["line_start"]), number(&span["column_start"]));
            at.diagnostic(file, place, severity, text(&message["code"]["code"]), text(&message["message"]))
        })
        .collect()
}

/// Whether a checker that prints a single report has printed it completely.
pub(super) fn has_report(kind: Kind, printed: &str) -> bool {
    match kind {
        Kind::Pyright => pyright_report(printed).is_some(),
        Kind::Ruff => serde_json::from_str::<Vec<Value>>(printed.trim()).is_ok(),
        Kind::Eslint => eslint_report(printed).is_some(),
        Kind::Cargo | Kind::Tsc | Kind::Mypy | Kind::Go => false,
    }
}

fn pyright_report(printed: &str) -> Option<Value> {
    // Whoever wraps it may print words of its own before and behind it.
    printed.match_indices('{').take(BRACES).find_map(|(from, _)| {
        let mut values = serde_json::Deserializer::from_str(&printed[from..]).into_iter::<Value>();
        values.next()?.ok().filter(|report: &Value| report["generalDiagnostics"].is_array())
    })
}

fn pyright(at: &At<'_>, printed: &str) -> Vec<Diagnostic> {
    let report = pyright_report(printed).unwrap_or_default();
    let all = report["generalDiagnostics"].as_array().into_iter().flatten();
    all.filter_map(|one| {
        let severity = match text(&one["severity"]) {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => return None,
        };
        let start = &one["range"]["start"];
        let place = (number(&start["line"]) + 1, number(&start["character"]) + 1);
        at.diagnostic(text(&one["file"]), place, severity, text(&one["rule"]), text(&one["message"]))
    })
    .collect()
}

fn ruff(at: &At<'_>, printed: &str) -> Vec<Diagnostic> {
    let all: Vec<Value> = serde_json::from_str(printed.trim()).unwrap_or_default();
    all.iter()
        .filter_map(|one| {
            let code = text(&one["code"]);
            // What can't be parsed has no rule, or one of this name.
            let is_syntax = code.is_empty() || code == "invalid-syntax" || code == "E999";
            let severity = if is_syntax { Severity::Error } else { Severity::Warning };
            let place = (number(&one["location"]["row"]), number(&one["location"]["column"]));
            at.diagnostic(text(&one["filename"]), place, severity, code, text(&one["message"]))
        })
        .collect()
}

fn eslint_report(printed: &str) -> Option<Vec<Value>> {
    // Its settings are a program and may print words of their own before it.
    printed.match_indices('[').take(BRACES).find_map(|(from, _)| {
        let mut values = serde_json::Deserializer::from_str(&printed[from..]).into_iter::<Vec<Value>>();
        let report = values.next()?.ok()?;
        let is_whole = report.iter().all(|file| file["messages"].is_array());
        let is_only = || printed.lines().last().is_some_and(|line| line.trim() == "[]");
        (is_whole && (!report.is_empty() || is_only())).then_some(report)
    })
}

fn eslint(at: &At<'_>, printed: &str) -> Vec<Diagnostic> {
    let report = eslint_report(printed).unwrap_or_default();
    let of_file = |file: &Value| {
        let messages = file["messages"].as_array().into_iter().flatten();
        let one = |one: &Value| {
            let is_error = one["fatal"] == true || one["severity"] == 2;
            let severity = if is_error { Severity::Error } else { Severity::Warning };
            // A warning without a line is about the command and not about the code.
            let line = one["line"].as_u64().or(is_error.then_some(1))?;
            let place = (line, number(&one["column"]));
            at.diagnostic(
                text(&file["filePath"]),
                place,
                severity,
                text(&one["ruleId"]),
                text(&one["message"]),
            )
        };
        messages.filter_map(one).collect::<Vec<_>>()
    };
    report.iter().flat_map(of_file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: Kind, printed: &str) -> Vec<String> {
        let found = parse(kind, Path::new("/p"), Path::new("/p/web"), None, printed);
        let line = |one: Diagnostic| {
            format!(
                "{}:{}:{} {} {} {}",
                one.file,
                one.line,
                one.column,
                one.severity.name(),
                one.code,
                one.message
            )
        };
        found.into_iter().map(line).collect()
    }

    #[test]
    fn each_checkers_output_is_parsed() {
        let cargo = concat!(
            r#"{"reason":"compiler-artifact","target":{}}"#,
            "\n",
            r#"{"reason":"compiler-message","manifest_path":"/p/web/Cargo.toml","message":{"level":"warning","code":{"code":"unused_variables"},"message":"unused variable: `x`","spans":[{"file_name":"src/a.rs","is_primary":true,"line_start":2,"column_start":9}]}}"#,
            "\n",
            r#"{"reason":"compiler-message","manifest_path":"/p/web/Cargo.toml","message":{"level":"error","code":{"code":"E0308"},"message":"mismatched\ntypes","spans":[{"file_name":"src/b.rs","is_primary":false,"line_start":1,"column_start":1},{"file_name":"src/a.rs","is_primary":true,"line_start":3,"column_start":5}]}}"#,
            "\n",
            r#"{"reason":"compiler-message","message":{"level":"error","message":"aborting due to 1 previous error","spans":[]}}"#,
            "\nnot JSON\n",
            r#"{"reason":"compiler-message","message":{"level":"error","message":"elsewhere","spans":[{"file_name":"/registry/x.rs","is_primary":true,"line_start":1,"column_start":1}]}}"#,
        );
        let twice = format!("{cargo}\n{cargo}");
        assert_eq!(
            of(Kind::Cargo, &twice),
            [
                "web/src/a.rs:3:5 error E0308 mismatched types",
                "web/src/a.rs:2:9 warning unused_variables unused variable: `x`"
            ]
        );
        let tsc = "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n  The expected type (1,2): error comes from here\n../lib/b (1).ts(10,1): error TS1005: ';' expected.\nerror TS18003: No inputs were found.\n/etc/x.ts(1,1): error TS1: no\n";
        assert_eq!(
            of(Kind::Tsc, tsc),
            [
                "lib/b (1).ts:10:1 error TS1005 ';' expected.",
                "web/src/a.ts:3:5 error TS2322 Type 'string' is not assignable to type 'number'.",
                "web/tsconfig.json:0:0 error TS18003 No inputs were found."
            ]
        );
        let folder = Path::new("/p/web");
        let of_config =
            parse(Kind::Tsc, folder, folder, Some("tsconfig.app.json"), "error TS2688: no 'jest'\n");
        let places: Vec<String> = of_config.iter().map(Diagnostic::place).collect();
        assert_eq!(places, ["tsconfig.app.json"]);
        let pyright = r#"No configuration file found in {a, b}.
{"version":"1.1.400","generalDiagnostics":[{"file":"/p/web/a.py","severity":"error","message":"\"x\" is not defined","range":{"start":{"line":4,"character":8},"end":{"line":4,"character":9}},"rule":"reportUndefinedVariable"},{"file":"/p/web/a.py","severity":"information","message":"no"}]}
WARNING: there is a new version {x}."#;
        assert_eq!(
            of(Kind::Pyright, pyright),
            [r#"web/a.py:5:9 error reportUndefinedVariable "x" is not defined"#]
        );
        let ruff = r#"[{"code":"F401","filename":"/p/web/a.py","location":{"row":1,"column":8},"message":"`os` imported but unused"},{"code":null,"filename":"/p/web/b.py","location":{"row":2,"column":1},"message":"Expected an expression"}]"#;
        assert_eq!(
            of(Kind::Ruff, ruff),
            [
                "web/b.py:2:1 error  Expected an expression",
                "web/a.py:1:8 warning F401 `os` imported but unused"
            ]
        );
    }

    #[test]
    fn the_output_of_linters_mypy_and_go_is_parsed() {
        let eslint = r#"Rules of [the project] are loaded.
[{"filePath":"/p/web/src/a.ts","messages":[{"ruleId":"no-unused-vars","severity":1,"message":"'x' is defined but never used.","line":2,"column":7},{"ruleId":"eqeqeq","severity":2,"message":"Expected '===' and instead saw '=='.","line":4,"column":3}],"errorCount":1},{"filePath":"/p/web/b.js","messages":[{"ruleId":null,"fatal":true,"severity":2,"message":"Parsing error: Unexpected token","line":1,"column":9}]},{"filePath":"/p/web/dist/c.js","messages":[{"ruleId":null,"severity":1,"message":"File ignored by default."}]},{"filePath":"/p/web/d.js","messages":[]}]"#;
        assert_eq!(
            of(Kind::Eslint, eslint),
            [
                "web/b.js:1:9 error  Parsing error: Unexpected token",
                "web/src/a.ts:4:3 error eqeqeq Expected '===' and instead saw '=='.",
                "web/src/a.ts:2:7 warning no-unused-vars 'x' is defined but never used."
            ]
        );
        let mypy = "src/a.py:3:5: error: Incompatible types in assignment (expression has type \"str\", variable has type \"int\")  [assignment]\nsrc/a.py:3:5: note: See the documentation: error: none\nsrc/b.py:7:1:7:9: error: Name \"x\" is not defined  [name-defined]\nb.py:2: error: invalid syntax\nsrc/c.py: error: Duplicate module named \"c\"\n/elsewhere/d.py:1:1: error: no\n";
        assert_eq!(
            of(Kind::Mypy, mypy),
            [
                "web/b.py:2:0 error  invalid syntax",
                "web/src/a.py:3:5 error assignment Incompatible types in assignment (expression has type \"str\", variable has type \"int\")",
                "web/src/b.py:7:1 error name-defined Name \"x\" is not defined"
            ]
        );
        let go = "# example.com/m/shop\nshop/cart.go:4:9: undefined: total\n\tshop/more.go:1:1: other declaration\n# example.com/m\n# [example.com/m]\n./main.go:6:2: fmt.Printf format %d has arg \"x\" of wrong type string\nvet: ./late.go:3:5: undeclared name: y\n../lib/a.go:12: expected operand\n";
        assert_eq!(
            of(Kind::Go, go),
            [
                "web/late.go:3:5 error  undeclared name: y",
                "web/shop/cart.go:4:9 error  undefined: total",
                "lib/a.go:12:0 warning vet expected operand",
                "web/main.go:6:2 warning vet fmt.Printf format %d has arg \"x\" of wrong type string"
            ]
        );
        let absent = "main.go:4:2: example.com/other@v1.0.0: module lookup disabled by GOPROXY=off\n";
        assert_eq!(of(Kind::Go, absent), [""; 0], "nothing is fetched");
    }

    #[test]
    fn unreadable_output_gives_no_diagnostics() {
        for kind in super::super::kinds::KINDS {
            for printed in [
                "",
                "{",
                "[",
                "[1, {\"code\": 3}]",
                "x(y,z): error",
                "(1,2): error TS1: m",
                "{\"generalDiagnostics\": 3}",
                "\u{0}é",
            ] {
                assert_eq!(of(*kind, printed), [] as [String; 0], "{printed:?}");
            }
        }
    }
}
