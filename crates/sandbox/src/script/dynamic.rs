//! Languages that run their source as it is: Python, shells, Ruby, PHP, Perl, R, Elixir, PowerShell.

use std::ffi::OsString;
use std::io;

use super::{Plan, Workshop};
use crate::runtimes::RuntimeKind;

/// Runs the file as the main module with the working folder first among the module folders, as
/// `python -c` has it; running the file itself would put our temp folder there.
const PYTHON: &str = "import sys;p=sys.argv[1];sys.argv=sys.argv[1:];g=globals();g['__file__']=p;\
exec(compile(open(p,'rb').read(),p,'exec'),g)";

const PYTHON_WITH_FILE: &str = "import os,sys;p=sys.argv[1];sys.argv=sys.argv[1:];g=globals();g['__file__']=p;\
g['FILE_CONTENT_PATH']=os.environ['FILE_CONTENT_PATH'];\
g.update({'FILE_CONTENT':open(g['FILE_CONTENT_PATH'],encoding='utf-8',errors='replace',newline='').read()} if sys.argv[1:]==['+'] else {});\
del sys.argv[1:];exec(compile(open(p,'rb').read(),p,'exec'),g)";

pub(super) fn python(shop: &Workshop<'_>) -> io::Result<Plan> {
    let script = shop.write("script.py", shop.code)?;
    Ok(match (shop.has_file, shop.wants_content()) {
        (false, _) => shop.just(vec!["-c".into(), PYTHON.into(), script.into()]),
        (true, false) => shop.just(vec!["-c".into(), PYTHON_WITH_FILE.into(), script.into()]),
        (true, true) => shop.just(vec!["-c".into(), PYTHON_WITH_FILE.into(), script.into(), "+".into()]),
    })
}

/// Command substitution drops line ends at the end, so a mark is put there and taken off again. Zero
/// bytes cannot be in a shell's variable.
const SHELL_WITH_FILE: &str = "FILE_CONTENT=$(tr -d '\\000' < \"$FILE_CONTENT_PATH\"; printf x)\n\
FILE_CONTENT=${FILE_CONTENT%x}\n";

pub(super) fn shell(shop: &Workshop<'_>) -> io::Result<Plan> {
    let code = if cfg!(windows) { shop.code.replace("\r\n", "\n") } else { shop.code.to_owned() };
    let script = shop.write("script.sh", code)?;
    if !shop.wants_content() {
        return Ok(shop.just(vec![for_bash(script.into_os_string())]));
    }
    let runner = format!("{SHELL_WITH_FILE}. \"$1\"\n");
    let runner = shop.write("runner.sh", runner)?.into_os_string();
    Ok(shop.just(vec![for_bash(runner), for_bash(script.into_os_string())]))
}

/// Git Bash takes Windows paths, but with forward slashes only.
fn for_bash(path: OsString) -> OsString {
    if cfg!(windows) { path.to_string_lossy().replace('\\', "/").into() } else { path }
}

const RUBY_FILE: &str = "FILE_CONTENT_PATH = ENV.fetch('FILE_CONTENT_PATH')\n";
const RUBY_CONTENT: &str = "FILE_CONTENT = File.binread(FILE_CONTENT_PATH).force_encoding('UTF-8').scrub\n";

pub(super) fn ruby(shop: &Workshop<'_>) -> io::Result<Plan> {
    let script = shop.write("script.rb", shop.code)?;
    let mut args: Vec<OsString> = vec!["-Eutf-8".into(), "-I".into(), shop.cwd.into()];
    if shop.has_file {
        let content = if shop.wants_content() { RUBY_CONTENT } else { "" };
        args.push("-r".into());
        args.push(shop.write("file_content.rb", format!("{RUBY_FILE}{content}"))?.into());
    }
    // Ruby prints at once when it is told to, also into a pipe.
    args.push("-r".into());
    args.push(shop.write("prompt.rb", "$stdout.sync = true\n")?.into());
    args.push(script.into());
    Ok(shop.just(args))
}

pub(super) fn php(shop: &Workshop<'_>) -> io::Result<Plan> {
    let code = if shop.code.contains("<?") { shop.code.to_owned() } else { format!("<?php {}", shop.code) };
    let script = shop.write("script.php", code)?;
    let mut args: Vec<OsString> = ["display_errors=stderr", "log_errors=0", "html_errors=0"]
        .iter()
        .flat_map(|setting| ["-d".into(), (*setting).into()])
        .collect();
    args.extend(["-d".into(), include_path(shop)]);
    if shop.has_file {
        let content = if shop.wants_content() {
            "$FILE_CONTENT = file_get_contents($FILE_CONTENT_PATH); define('FILE_CONTENT', $FILE_CONTENT);"
        } else {
            ""
        };
        let prelude = format!(
            "<?php $FILE_CONTENT_PATH = getenv('FILE_CONTENT_PATH'); define('FILE_CONTENT_PATH', $FILE_CONTENT_PATH); {content}"
        );
        let mut setting = OsString::from("auto_prepend_file=");
        setting.push(shop.write("file_content.php", prelude)?);
        args.extend(["-d".into(), setting]);
        // The whole file is one string; PHP's own limit of 128 MB would stop short of it.
        args.extend(["-d".into(), "memory_limit=-1".into()]);
    }
    args.extend(["-f".into(), script.into()]);
    Ok(shop.just(args))
}

fn include_path(shop: &Workshop<'_>) -> OsString {
    let mut setting = OsString::from("include_path=.");
    setting.push(if cfg!(windows) { ";" } else { ":" });
    setting.push(shop.cwd);
    setting
}

/// A module, because `use strict` accepts foreign variables only when another package brought them in.
const PERL_FILE: &str = "package FileContent;\n\
our $path = $ENV{FILE_CONTENT_PATH};\nour $content;\n";
const PERL_CONTENT: &str = "{ open my $in, '<:raw', $path or die \"$path: $!\"; local $/; $content = <$in>; \
my $text = $content; utf8::decode($text) and $content = $text; }\n";
const PERL_END: &str = "sub import { no strict 'refs'; *{'main::FILE_CONTENT'} = \\$content; \
*{'main::FILE_CONTENT_PATH'} = \\$path; }\n1;\n";

pub(super) fn perl(shop: &Workshop<'_>) -> io::Result<Plan> {
    let script = shop.write("script.pl", shop.code)?;
    let mut args: Vec<OsString> = Vec::new();
    if shop.has_file {
        let content = if shop.wants_content() { PERL_CONTENT } else { "" };
        shop.write("FileContent.pm", format!("{PERL_FILE}{content}{PERL_END}"))?;
        // What was decoded is encoded again when it is printed.
        args.extend([joined("-I", shop.dir.as_os_str()), "-MFileContent".into()]);
        if shop.wants_content() {
            args.push("-CSD".into());
        }
    }
    args.extend([joined("-I", shop.cwd.as_os_str()), script.into()]);
    Ok(shop.just(args))
}

fn joined(option: &str, value: &std::ffi::OsStr) -> OsString {
    let mut all = OsString::from(option);
    all.push(value);
    all
}

const R_PATH: &str = "FILE_CONTENT_PATH <- Sys.getenv('FILE_CONTENT_PATH'); ";
/// Zero bytes cannot be in R's strings.
const R_CONTENT: &str = "FILE_CONTENT <- local({ b <- readBin(FILE_CONTENT_PATH, 'raw', n = file.size(FILE_CONTENT_PATH)); \
s <- rawToChar(b[b != as.raw(0)]); if (validUTF8(s)) { Encoding(s) <- 'UTF-8'; s } else iconv(s, 'UTF-8', 'UTF-8', sub = '\\uFFFD') }); ";

pub(super) fn r(shop: &Workshop<'_>) -> io::Result<Plan> {
    let path = if shop.wants_path() || shop.wants_content() { R_PATH } else { "" };
    let content = if shop.wants_content() { R_CONTENT } else { "" };
    let script = shop.write("script.R", format!("{path}{content}{}\n", shop.code))?;
    Ok(shop.just(vec![script.into()]))
}

/// Variables in Elixir start with a small letter; the capital ones are module names.
const ELIXIR_PATH: &str = "file_content_path = System.fetch_env!(\"FILE_CONTENT_PATH\"); ";
const ELIXIR_CONTENT: &str = "file_content = (fn b -> case :unicode.characters_to_binary(b) do s when is_binary(s) -> s; \
_ -> :unicode.characters_to_binary(b, :latin1) end end).(File.read!(System.fetch_env!(\"FILE_CONTENT_PATH\"))); ";

pub(super) fn elixir(shop: &Workshop<'_>) -> io::Result<Plan> {
    let path = if shop.wants_path() { ELIXIR_PATH } else { "" };
    let content = if shop.wants_content() { ELIXIR_CONTENT } else { "" };
    let script = shop.write("script.exs", format!("{path}{content}{}\n", shop.code))?;
    Ok(shop.just(vec![script.into()]))
}

/// The console's encoding is the old code page otherwise. The last line hands on a failed program's code.
const POWERSHELL_START: &str = "[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)\n\
$ProgressPreference = 'SilentlyContinue'\n$PSStyle.OutputRendering = 'PlainText' 2>$null\n";
const POWERSHELL_CONTENT: &str = "$FILE_CONTENT = [IO.File]::ReadAllText($env:FILE_CONTENT_PATH)\n";

pub(super) fn powershell(shop: &Workshop<'_>) -> io::Result<Plan> {
    // Windows PowerShell reads a file without the mark in the old code page.
    let script = shop.write("script.ps1", format!("\u{feff}{}\n", shop.code))?;
    let start = match shop.runtime.kind {
        RuntimeKind::Pwsh => POWERSHELL_START,
        _ => POWERSHELL_START.split_inclusive('\n').next().unwrap_or_default(),
    };
    let path = if shop.has_file { "$FILE_CONTENT_PATH = $env:FILE_CONTENT_PATH\n" } else { "" };
    let content = if shop.wants_content() { POWERSHELL_CONTENT } else { "" };
    let dot = script.to_string_lossy().replace('\'', "''");
    let end = format!(". '{dot}'\nexit $LASTEXITCODE\n");
    let runner = shop.write("runner.ps1", format!("\u{feff}{start}{path}{content}{end}"))?;
    let mut args: Vec<OsString> =
        ["-NoLogo", "-NoProfile", "-NonInteractive"].iter().map(Into::into).collect();
    if cfg!(windows) {
        args.extend(["-ExecutionPolicy".into(), "Bypass".into()]);
    }
    args.extend(["-File".into(), runner.into()]);
    Ok(shop.just(args))
}
