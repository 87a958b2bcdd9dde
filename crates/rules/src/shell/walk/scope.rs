//! The folder and the variables before a command, and the builtins that change them.

use std::path::PathBuf;

use super::Walk;
use crate::absolute_path::absolute_path;
use crate::shell::expand::{Field, Vars};

#[derive(Clone)]
pub(super) struct Scope {
    pub(super) vars: Vars,
    /// `None` once a `cd` went somewhere unknown.
    pub(super) dir: Option<PathBuf>,
}

/// Variables that change a program's output, not its actions.
pub(super) fn is_harmless_variable(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "CI",
        "COLUMNS",
        "DEBUG",
        "FORCE_COLOR",
        "GOARCH",
        "GOOS",
        "LANG",
        "LANGUAGE",
        "LINES",
        "LOG_LEVEL",
        "NODE_ENV",
        "NO_COLOR",
        "PYTHONUNBUFFERED",
        "RUST_BACKTRACE",
        "RUST_LOG",
        "TERM",
        "TZ",
        "CARGO_TERM_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "PYTHONDONTWRITEBYTECODE",
    ];
    NAMES.contains(&name) || name.starts_with("LC_")
}

/// What some program runs because a variable has this value, whether the shell sets it, `export` or `env`.
pub(in crate::shell) fn variable_scripts(name: &str, value: &str) -> Vec<String> {
    let bare = |text: &str| text.trim_matches(['|', '!', ' ', '\'', '"']).to_owned();
    match name {
        // `'alias.z=!x'`, `'core.pager'='x'`
        "GIT_CONFIG_PARAMETERS" => value.split('=').skip(1).map(bare).collect(),
        "TAR_OPTIONS" => vec![format!("tar {value}")],
        "MAKEFLAGS" | "GNUMAKEFLAGS" | "MFLAGS" => vec![format!("make {value}")],
        "FZF_DEFAULT_OPTS" => vec![format!("fzf {value}")],
        // A function that bash takes over: `BASH_FUNC_ls%%=() { x; }`.
        _ if name.starts_with("BASH_FUNC_") => {
            let body = value.split_once('{').map_or(value, |(_, body)| body);
            vec![body.trim_end().trim_end_matches('}').to_owned()]
        }
        _ if is_command_variable(name) => vec![value.trim_start_matches(['|', '!', ' ']).to_owned()],
        _ => Vec::new(),
    }
}

/// Variables whose value some program runs.
fn is_command_variable(name: &str) -> bool {
    const ENDS: &[&str] = &[
        "PAGER", "EDITOR", "_COMMAND", "_SSH", "_RSH", "ASKPASS", "BROWSER", "_HELPER", "_WRAPPER", "_DIFF",
        "_SHELL", "_LINKER", "_RUNNER",
    ];
    const NAMES: &[&str] = &[
        "VISUAL",
        "LESSOPEN",
        "LESSCLOSE",
        "SHELL",
        "PS0",
        "PS1",
        "PS4",
        "MAKE",
        "CC",
        "CXX",
        "RUSTC",
        "RUSTDOC",
        "npm_config_script_shell",
    ];
    // Git's settings, an alias among them, can be given by number.
    let numbered = name.starts_with("GIT_CONFIG_VALUE_");
    NAMES.contains(&name) || numbered || ENDS.iter().any(|end| name.ends_with(end))
}

impl Walk<'_> {
    /// Applies `cd`, `export` and other builtins that change what later commands mean.
    pub(super) fn apply_builtin(&mut self, argv: &[Field], scope: &mut Scope) {
        match argv.first().map(|f| f.text.as_str()) {
            Some("cd" | "pushd") => {
                let target = argv.iter().skip(1).find(|f| !f.text.starts_with('-'));
                scope.dir = match (target, self.home, &scope.dir) {
                    (Some(t), _, _) if t.dynamic || t.glob => None,
                    (Some(t), Some(home), Some(dir)) => Some(absolute_path(&t.text, dir, home)),
                    (None, Some(home), _) if argv.len() == 1 => Some(home.to_path_buf()),
                    _ => None,
                };
            }
            // Its target was set before this command line, or in a branch.
            Some("popd") => scope.dir = None,
            Some("declare" | "typeset" | "local")
                if argv.iter().any(|f| f.text.starts_with('-') && f.text.contains('n')) =>
            {
                argv.iter()
                    .skip(1)
                    .for_each(|f| scope.vars.forget(f.text.split('=').next().unwrap_or_default()));
            }
            Some("export" | "declare" | "local" | "readonly" | "typeset") => {
                for field in argv.iter().skip(1).filter(|f| !f.dynamic) {
                    if let Some((name, value)) = field.text.split_once('=') {
                        scope.vars.set(name, value);
                    }
                }
            }
            Some("unset") => argv.iter().skip(1).for_each(|f| scope.vars.forget(&f.text)),
            Some("read") => argv.iter().skip(1).for_each(|f| scope.vars.forget(&f.text)),
            _ => {}
        }
    }
}
