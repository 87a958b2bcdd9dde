//! Compiled languages: Go, Rust, C#. The program then runs directly, so that its exit code is its own and not a runner's.
//!
//! A snippet without a `main` is wrapped in one. Additions go on the first line before the snippet, or after its end.

use std::io;
use std::path::PathBuf;

use super::{Plan, ScriptContext, Step, has_line_starting};
use crate::runtimes::RuntimeKind;

fn run(program: PathBuf) -> Step {
    Step { program, args: Vec::new(), in_temp: false }
}

/// The standard packages that a snippet may use without importing them, by their names in code.
const GO_PACKAGES: &[(&str, &str)] = &[
    ("bufio", "bufio"),
    ("bytes", "bytes"),
    ("context", "context"),
    ("csv", "encoding/csv"),
    ("base64", "encoding/base64"),
    ("hex", "encoding/hex"),
    ("errors", "errors"),
    ("exec", "os/exec"),
    ("filepath", "path/filepath"),
    ("fmt", "fmt"),
    ("http", "net/http"),
    ("io", "io"),
    ("json", "encoding/json"),
    ("log", "log"),
    ("math", "math"),
    ("os", "os"),
    ("path", "path"),
    ("rand", "math/rand"),
    ("reflect", "reflect"),
    ("regexp", "regexp"),
    ("runtime", "runtime"),
    ("sha256", "crypto/sha256"),
    ("sort", "sort"),
    ("strconv", "strconv"),
    ("strings", "strings"),
    ("sync", "sync"),
    ("time", "time"),
    ("unicode", "unicode"),
    ("url", "net/url"),
    ("utf8", "unicode/utf8"),
];

pub(super) fn go(context: &ScriptContext<'_>) -> io::Result<Plan> {
    let code = go_program(context.code);
    let script = context.write("script.go", code)?;
    let program = context.path(if cfg!(windows) { "program.exe" } else { "program" });
    let mut args = vec!["build".into(), "-o".into(), program.clone().into(), script.into()];
    if context.has_file {
        let content = if context.wants_content() {
            "var FILE_CONTENT = func() string { b, err := os.ReadFile(FILE_CONTENT_PATH); if err != nil { panic(err) }; return string(b) }()\n"
        } else {
            ""
        };
        let file = format!(
            "package main\n\nimport \"os\"\n\nvar FILE_CONTENT_PATH = os.Getenv(\"FILE_CONTENT_PATH\")\n{content}"
        );
        args.push(context.write("file_content.go", file)?.into());
    }
    // In the working folder, so that the project's own packages can be imported.
    Ok(Plan { steps: vec![context.runtime_step(args), run(program)], env: Vec::new() })
}

fn go_program(code: &str) -> String {
    if has_line_starting(code, &["package "]) {
        return code.to_owned();
    }
    let has_main = has_line_starting(code, &["func main()", "func main ("]);
    let (imports, body) = split_go_imports(code);
    let imports = if imports.is_empty() { go_imports(code) } else { imports };
    if has_main {
        format!("package main; {imports}\n//line script.go:1\n{body}\n")
    } else {
        format!("package main; {imports}\nfunc main() {{\n//line script.go:1\n{body}\n}}\n")
    }
}

/// A snippet's import declarations on one line, and the snippet with blank lines instead of them.
fn split_go_imports(code: &str) -> (String, String) {
    let mut imports = String::new();
    let mut body = String::new();
    let mut in_block = false;
    for line in code.lines() {
        let trimmed = line.trim();
        let starts = trimmed.starts_with("import ") || trimmed.starts_with("import(");
        if in_block || starts {
            let bare = trimmed.split("//").next().unwrap_or_default().trim_end();
            imports.push_str(bare);
            in_block =
                if starts { bare.contains('(') && !bare.contains(')') } else { !bare.starts_with(')') };
            imports.push_str(if in_block && bare.ends_with('(') { " " } else { "; " });
        } else {
            body.push_str(line);
        }
        body.push('\n');
    }
    (imports, body)
}

fn go_imports(code: &str) -> String {
    GO_PACKAGES
        .iter()
        .filter(|(name, _)| uses_go_package(code, name))
        .map(|(_, path)| format!("import \"{path}\"; "))
        .collect()
}

/// Whether `name.` appears, not as the end of a longer name or a field of something.
fn uses_go_package(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = &code[at + name.len()..];
        let apart = before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '"' | '/'));
        apart && after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_uppercase())
    })
}

/// Derefs to a string, and prints as one.
const RUST_PATH: &str = r#"
#[allow(dead_code)]
static FILE_CONTENT_PATH: FileContentPath = FileContentPath;
#[allow(dead_code)]
struct FileContentPath;
impl std::ops::Deref for FileContentPath {
    type Target = str;
    fn deref(&self) -> &str {
        static CELL: std::sync::OnceLock<String> = std::sync::OnceLock::new();
        CELL.get_or_init(|| std::env::var("FILE_CONTENT_PATH").unwrap_or_default())
    }
}
impl std::fmt::Display for FileContentPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self) }
}
impl AsRef<std::path::Path> for FileContentPath {
    fn as_ref(&self) -> &std::path::Path { (**self).as_ref() }
}
"#;
const RUST_CONTENT: &str = r#"
#[allow(dead_code)]
static FILE_CONTENT: FileContent = FileContent;
#[allow(dead_code)]
struct FileContent;
impl std::ops::Deref for FileContent {
    type Target = str;
    fn deref(&self) -> &str {
        static CELL: std::sync::OnceLock<String> = std::sync::OnceLock::new();
        CELL.get_or_init(|| {
            let path = std::env::var_os("FILE_CONTENT_PATH").unwrap_or_default();
            let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.to_string_lossy()));
            String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
        })
    }
}
impl std::fmt::Display for FileContent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self) }
}
"#;

pub(super) fn rust(context: &ScriptContext<'_>) -> io::Result<Plan> {
    let mut code = rust_program(context.code, context.wants_content(), context.wants_path());
    if context.wants_content() {
        code.push_str(RUST_CONTENT);
    }
    if context.wants_path() {
        code.push_str(RUST_PATH);
    }
    let script = context.write("script.rs", code)?;
    let program = context.path(if cfg!(windows) { "program.exe" } else { "program" });
    let mut compile = context.runtime_step(vec![
        "--edition=2021".into(),
        "-Awarnings".into(),
        "-Copt-level=1".into(),
        "-Cdebuginfo=line-tables-only".into(),
        "-o".into(),
        program.clone().into(),
        script.into(),
    ]);
    compile.in_temp = true;
    Ok(Plan { steps: vec![compile, run(program)], env: Vec::new() })
}

fn rust_program(code: &str, content: bool, path: bool) -> String {
    if has_line_starting(code, &["fn main(", "pub fn main(", "async fn main("]) {
        return code.to_owned();
    }
    // Crate attributes must stay in front of everything.
    let is_inner = |line: &&str| line.trim_start().starts_with("#![");
    let inner: String = code.lines().filter(is_inner).map(|line| format!("{} ", line.trim())).collect();
    let body: String = code
        .lines()
        .map(|line| if is_inner(&line) { "\n".to_owned() } else { format!("{line}\n") })
        .collect();
    let content = if content { "let file_content: &str = &FILE_CONTENT; " } else { "" };
    let path = if path { "let file_content_path: &str = &FILE_CONTENT_PATH; " } else { "" };
    if body.contains('?') {
        let result = "Result<(), Box<dyn std::error::Error>>";
        format!("{inner}fn main() -> {result} {{ {content}{path}{{ {body}\n}}; Ok(()) }}\n")
    } else {
        format!("{inner}fn main() {{ {content}{path}{body}\n}}\n")
    }
}

const CSHARP_FILE: &str = r#"
static class FileContentHolder
{
    public static readonly string FILE_CONTENT_PATH = System.Environment.GetEnvironmentVariable("FILE_CONTENT_PATH");
    private static string content;
    public static string FILE_CONTENT { get { return content ?? (content = System.IO.File.ReadAllText(FILE_CONTENT_PATH)); } }
}
"#;

pub(super) fn csharp(context: &ScriptContext<'_>) -> io::Result<Plan> {
    let kind = context.runtime.kind;
    let statements = matches!(kind, RuntimeKind::Dotnet | RuntimeKind::DotnetScript);
    let code = if statements { csharp_file(context) } else { csharp_program(context) };
    let script =
        context.write(if kind == RuntimeKind::DotnetScript { "script.csx" } else { "script.cs" }, code)?;
    match kind {
        RuntimeKind::Dotnet => Ok(context.single_step(vec!["run".into(), script.into()])),
        RuntimeKind::DotnetScript => Ok(context.single_step(vec![script.into()])),
        _ => {
            let program = context.path("program.exe");
            let mut out = std::ffi::OsString::from("-out:");
            out.push(&program);
            let libraries = ["System.dll", "System.Core.dll", "System.Net.Http.dll"];
            let mut args: Vec<std::ffi::OsString> =
                vec!["-nologo".into(), "-nowarn:0162,0168,0219".into(), out];
            args.extend(libraries.iter().take(2).map(|library| format!("-r:{library}").into()));
            args.push(script.into());
            let mut compile = context.runtime_step(args);
            compile.in_temp = true;
            let step = match &context.runtime.companion {
                Some(mono) => Step { program: mono.clone(), args: vec![program.into()], in_temp: false },
                None => run(program),
            };
            Ok(Plan { steps: vec![compile, step], env: Vec::new() })
        }
    }
}

const CSHARP_USINGS: &[&str] =
    &["System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Text"];

/// Statements stay at the top level; only the file's names are added.
fn csharp_file(context: &ScriptContext<'_>) -> String {
    let usings: String = CSHARP_USINGS
        .iter()
        .filter(|name| !has_line_starting(context.code, &[&format!("using {name};")]))
        .map(|name| format!("using {name}; "))
        .collect();
    if context.has_file {
        format!("{usings}using static FileContentHolder; {}\n{CSHARP_FILE}", context.code)
    } else {
        format!("{usings}{}\n", context.code)
    }
}

/// A complete program, for compilers without top-level statements.
fn csharp_program(context: &ScriptContext<'_>) -> String {
    let is_using = |line: &&str| {
        let line = line.trim();
        line.starts_with("using ") && line.ends_with(';') && !line.contains('(') && !line.contains(" var ")
    };
    let mut usings: String =
        context.code.lines().filter(is_using).map(|line| format!("{} ", line.trim())).collect();
    for name in CSHARP_USINGS {
        if !usings.contains(&format!("using {name};")) {
            usings.push_str(&format!("using {name}; "));
        }
    }
    let (holder, its_using) =
        if context.has_file { (CSHARP_FILE, "using static FileContentHolder; ") } else { ("", "") };
    let body: String = context
        .code
        .lines()
        .map(|line| if is_using(&line) { "\n".to_owned() } else { format!("{line}\n") })
        .collect();
    let has_main = [" Main(", " Main ("].iter().any(|main| context.code.contains(main));
    if has_main {
        format!("{usings}{its_using}\n#line 1\n{body}{holder}")
    } else {
        let main = "static class Program { static void Main(string[] args) {";
        format!("{usings}{its_using}{main}\n#line 1\n{body}\n}} }}\n{holder}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_go_snippet_gets_its_package_its_imports_and_its_main() {
        let program = go_program("fmt.Println(strings.ToUpper(\"a\"))");
        assert!(program.starts_with("package main; import \"fmt\"; import \"strings\"; \n"), "{program}");
        assert!(program.contains("func main() {"));
        let whole = "package main\nfunc main() {}";
        assert_eq!(go_program(whole), whole);
        let (imports, body) =
            split_go_imports("import (\n  \"fmt\"\n  x \"os\" // y\n)\nfmt.Println(x.Args)\n");
        assert_eq!(imports, "import ( \"fmt\"; x \"os\"; ); ");
        assert_eq!(body, "\n\n\n\nfmt.Println(x.Args)\n");
        assert!(!uses_go_package("a.fmt.X", "fmt") && !uses_go_package("xfmt.X", "fmt"));
    }

    #[test]
    fn a_rust_snippet_gets_a_main_that_may_fail() {
        assert!(rust_program("println!(\"a\");", false, false).starts_with("fn main() { println!"));
        assert!(
            rust_program("let n: i32 = \"1\".parse()?;", false, false).contains("Box<dyn std::error::Error>")
        );
        let whole = "use std::io;\nfn main() {}\n";
        assert_eq!(rust_program(whole, true, true), whole);
    }
}
