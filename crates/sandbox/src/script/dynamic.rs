//! Languages that run their source directly: Python, shells, Ruby, PHP, Perl, R, Elixir, PowerShell.

use std::ffi::OsString;
use std::io;

use super::{Plan, ScriptContext};
use crate::runtimes::RuntimeKind;

/// Runs the file as the main module with the working folder first in the module path, as `python -c` does; running the file
/// itself would put the temporary folder there.
const PYTHON: &str = "import sys;p=sys.argv[1];sys.argv=sys.argv[1:];g=globals();g['__file__']=p;\
exec(compile(open(p,'rb').read(),p,'exec'),g)";

const PYTHON_WITH_FILE: &str = "import os,sys;p=sys.argv[1];sys.argv=sys.argv[1:];g=globals();g['__file__']=p;\
g['FILE_CONTENT_PATH']=os.environ['FILE_CONTENT_PATH'];\
g.update({'FILE_CONTENT':open(g['FILE_CONTENT_PATH'],encoding='utf-8',errors='replace',newline='').read()} if sys.argv[1:]==['+'] else {});\
del sys.argv[1:];exec(compile(open(p,'rb').read(),p,'exec'),g)";

pub(super) fn python(context: &ScriptContext<'_>) -> io::Result<Plan> {
    let script = context.write("script.py", context.code)?;
    Ok(match (context.has_file, context.wants_content()) {
        (false, _) => context.single_step(vec!["-c".into(), PYTHON.into(), script.into()]),
        (true, false) => context.single_step(vec!["-c".into(), PYTHON_WITH_FILE.into(), script.into()]),
        (true, true) => {
            context.single_step(vec!["-c".into(), PYTHON_WITH_FILE.into(), script.into(), "+".into()])
        }
    })
}

/// Command substitution drops trailing line ends, so a mark is appended and removed again. Shell variables can't contain
/// zero bytes.
const SHELL_WITH_FILE: &str = "FILE_CONTENT=$(tr -d '\\000' < \"$FILE_CONTENT_PATH\"; printf x)\n\
FILE_CONTENT=${FILE_CONTENT%x}\n";

pub(super) fn shell(context: &ScriptContext<'_>) -> io::Result<Plan> {
    let code = if cfg!(windows) { context.code.replace("\r\n", "\n") } else { context.code.to_owned() };
    let script = context.write("script.sh", code)?;
    if !context.wants_content() {
        return Ok(context.single_step(vec![for_bash(script.into_os_string())]));
    }
    let runner = format!("{SHELL_WITH_FILE}. \"$1\"\n");
    let runner = context.write("runner.sh", runner)?.into_os_string();
    Ok(context.single_step(vec![for_bash(runner), for_bash(script.into_os_string())]))
}

/// Git Bash takes Windows paths only with forward slashes.
fn for_bash(path: OsString) -> OsString {
    if cfg!(windows) { path.to_string_lossy().replace('\\', "/").into() } else { path }
}

const RUBY_FILE: &str = "FILE_CONTENT_PATH = ENV.fetch('FILE_CONTENT_PATH')\n";
const RUBY_CONTENT: &str = "FILE_CONTENT = File.binread(FILE_CONTENT_PATH).force_encoding('UTF-8').scrub\n";

pub(super) fn ruby(context: &ScriptContext<'_>) -> io::Result<Plan> {
    let script = context.write("script.rb", context.code)?;
    let mut args: Vec<OsString> = vec!["-Eutf-8".into(), "-I".into(), context.cwd.into()];
    if context.has_file {
        let content = if context.wants_content() { RUBY_CONTENT } else { "" };
        args.push("-r".into());
        args.push(context.write("file_content.rb", format!("{RUBY_FILE}{content}"))?.into());
    }
    // Ruby flushes at once if told to, even into a pipe.
    args.push("-r".into());
    args.push(context.write("prompt.rb", "$stdout.sync = true\n")?.into());
    args.push(script.into());
    Ok(context.single_step(args))
}

pub(super) fn php(context: &ScriptContext<'_>) -> io::Result<Plan> {
    let code =
        if context.code.contains("<?") { context.code.to_owned() } else { format!("<?php {}", context.code) };
    let script = context.write("script.php", code)?;
    let mut args: Vec<OsString> = ["display_errors=stderr", "log_errors=0", "html_errors=0"]
        .iter()
        .flat_map(|setting| ["-d".into(), (*setting).into()])
        .collect();
    args.extend(["-d".into(), include_path(context)]);
    if context.has_file {
        let content = if context.wants_content() {
            "$FILE_CONTENT = file_get_contents($FILE_CONTENT_PATH); define('FILE_CONTENT', $FILE_CONTENT);"
        } else {
            ""
        };
        let prelude = format!(
            "<?php $FILE_CONTENT_PATH = getenv('FILE_CONTENT_PATH'); define('FILE_CONTENT_PATH', $FILE_CONTENT_PATH); {content}"
        );
        let mut setting = OsString::from("auto_prepend_file=");
        setting.push(context.write("file_content.php", prelude)?);
        args.extend(["-d".into(), setting]);
        // The whole file is one string; PHP's default limit of 128 MB would be too small.
        args.extend(["-d".into(), "memory_limit=-1".into()]);
    }
    args.extend(["-f".into(), script.into()]);
    Ok(context.single_step(args))
}

fn include_path(context: &ScriptContext<'_>) -> OsString {
    let mut setting = OsString::from("include_path=.");
    setting.push(if cfg!(windows) { ";" } else { ":" });
    setting.push(context.cwd);
    setting
}

/// A module, because `use strict` accepts foreign variables only from another package.
const PERL_FILE: &str = "package FileContent;\n\
our $path = $ENV{FILE_CONTENT_PATH};\nour $content;\n";
const PERL_CONTENT: &str = "{ open my $in, '<:raw', $path or die \"$path: $!\"; local $/; $content = <$in>; \
my $text = $content; utf8::decode($text) and $content = $text; }\n";
const PERL_END: &str = "sub import { no strict 'refs'; *{'main::FILE_CONTENT'} = \\$content; \
*{'main::FILE_CONTENT_PATH'} = \\$path; }\n1;\n";

pub(super) fn perl(context: &ScriptContext<'_>) -> io::Result<Plan> {
    let script = context.write("script.pl", context.code)?;
    let mut args: Vec<OsString> = Vec::new();
    if context.has_file {
        let content = if context.wants_content() { PERL_CONTENT } else { "" };
        context.write("FileContent.pm", format!("{PERL_FILE}{content}{PERL_END}"))?;
        // The decoded text is encoded again when it is printed.
        args.extend([joined("-I", context.dir.as_os_str()), "-MFileContent".into()]);
        if context.wants_content() {
            args.push("-CSD".into());
        }
    }
    args.extend([joined("-I", context.cwd.as_os_str()), script.into()]);
    Ok(context.single_step(args))
}

fn joined(option: &str, value: &std::ffi::OsStr) -> OsString {
    let mut all = OsString::from(option);
    all.push(value);
    all
}

const R_PATH: &str = "FILE_CONTENT_PATH <- Sys.getenv('FILE_CONTENT_PATH'); ";
/// R's strings can't contain zero bytes.
const R_CONTENT: &str = "FILE_CONTENT <- local({ b <- readBin(FILE_CONTENT_PATH, 'raw', n = file.size(FILE_CONTENT_PATH)); \
s <- rawToChar(b[b != as.raw(0)]); if (validUTF8(s)) { Encoding(s) <- 'UTF-8'; s } else iconv(s, 'UTF-8', 'UTF-8', sub = '\\uFFFD') }); ";

pub(super) fn r(context: &ScriptContext<'_>) -> io::Result<Plan> {
    let path = if context.wants_path() || context.wants_content() { R_PATH } else { "" };
    let content = if context.wants_content() { R_CONTENT } else { "" };
    let script = context.write("script.R", format!("{path}{content}{}\n", context.code))?;
    Ok(context.single_step(vec![script.into()]))
}

/// Variables in Elixir start with a lower-case letter; capitalised names are modules.
const ELIXIR_PATH: &str = "file_content_path = System.fetch_env!(\"FILE_CONTENT_PATH\"); ";
const ELIXIR_CONTENT: &str = "file_content = (fn b -> case :unicode.characters_to_binary(b) do s when is_binary(s) -> s; \
_ -> :unicode.characters_to_binary(b, :latin1) end end).(File.read!(System.fetch_env!(\"FILE_CONTENT_PATH\"))); ";

pub(super) fn elixir(context: &ScriptContext<'_>) -> io::Result<Plan> {
    let path = if context.wants_path() { ELIXIR_PATH } else { "" };
    let content = if context.wants_content() { ELIXIR_CONTENT } else { "" };
    let script = context.write("script.exs", format!("{path}{content}{}\n", context.code))?;
    Ok(context.single_step(vec![script.into()]))
}

/// Otherwise the console's encoding is the old code page. The last line passes on a failed program's exit code.
const POWERSHELL_START: &str = "[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)\n\
$ProgressPreference = 'SilentlyContinue'\n$PSStyle.OutputRendering = 'PlainText' 2>$null\n";
const POWERSHELL_CONTENT: &str = "$FILE_CONTENT = [IO.File]::ReadAllText($env:FILE_CONTENT_PATH)\n";

pub(super) fn powershell(context: &ScriptContext<'_>) -> io::Result<Plan> {
    // Windows PowerShell reads a file without the mark in the old code page.
    let script = context.write("script.ps1", format!("\u{feff}{}\n", context.code))?;
    let start = match context.runtime.kind {
        RuntimeKind::Pwsh => POWERSHELL_START,
        _ => POWERSHELL_START.split_inclusive('\n').next().unwrap_or_default(),
    };
    let path = if context.has_file { "$FILE_CONTENT_PATH = $env:FILE_CONTENT_PATH\n" } else { "" };
    let content = if context.wants_content() { POWERSHELL_CONTENT } else { "" };
    let dot = script.to_string_lossy().replace('\'', "''");
    let end = format!(". '{dot}'\nexit $LASTEXITCODE\n");
    let runner = context.write("runner.ps1", format!("\u{feff}{start}{path}{content}{end}"))?;
    let mut args: Vec<OsString> =
        ["-NoLogo", "-NoProfile", "-NonInteractive"].iter().map(Into::into).collect();
    if cfg!(windows) {
        args.extend(["-ExecutionPolicy".into(), "Bypass".into()]);
    }
    args.extend(["-File".into(), runner.into()]);
    Ok(context.single_step(args))
}
