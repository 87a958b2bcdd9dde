//! The variables that children don't get, as data, each group with its reason.
//!
//! The rule: drop a variable that makes a program load or start code that the command didn't name. A variable that only says
//! where to find named modules passes, because builds depend on it: `PYTHONPATH`, `NODE_PATH`, `RUBYLIB`, `CLASSPATH`,
//! `GOPATH`, and `LD_LIBRARY_PATH`, without which conda, CUDA and Nix set-ups break. So do plain build flags (`RUSTFLAGS`,
//! `MAKEFLAGS`, `MAVEN_OPTS`): without them each build would differ from the user's own and start over. Credentials pass:
//! the user's tools need `GH_TOKEN`, `AWS_*`, `KUBECONFIG`, `DOCKER_*`, `NPM_TOKEN`, `SSH_AUTH_SOCK` and the like.

/// Variables that are dropped for one reason.
#[derive(Debug, Clone, Copy)]
pub struct DeniedGroup {
    /// Why they are dropped.
    pub reason: &'static str,
    /// Names, upper case; a `*` at the end matches the rest, one in the middle matches anything between.
    pub names: &'static [&'static str],
}

/// Every group of dropped variables.
pub const DENIED: &[DeniedGroup] = &[
    DeniedGroup {
        reason: "the dynamic loader maps the named library into every program",
        names: &[
            "LD_PRELOAD",
            "LD_AUDIT",
            "LD_DEBUG_OUTPUT",
            "LD_PROFILE",
            "DYLD_*",
            "__XPC_DYLD_*",
            "LIBPRELOAD",
            "GCONV_PATH",
        ],
    },
    DeniedGroup {
        reason: "the shell takes a start-up file, options or functions from it, or reads scripts differently",
        names: &[
            "BASH_ENV",
            "ENV",
            "BASH_FUNC_*",
            "BASHOPTS",
            "SHELLOPTS",
            "PROMPT_COMMAND",
            "PS4",
            "ZDOTDIR",
            "CDPATH",
            "GLOBIGNORE",
            "IFS",
        ],
    },
    DeniedGroup {
        reason: "JavaScript runtimes take options from it, among them files to load first",
        names: &[
            "NODE_OPTIONS",
            "NODE_REPL_EXTERNAL_MODULE",
            "NODE_CHANNEL_FD",
            "NODE_V8_COVERAGE",
            "BUN_OPTIONS",
            "BUN_INSPECT*",
            "BUN_CONFIG_*PRELOAD*",
            "DENO_V8_FLAGS",
            "TS_NODE_*",
            "ELECTRON_RUN_AS_NODE",
            "VSCODE_INSPECTOR_OPTIONS",
        ],
    },
    DeniedGroup {
        reason: "Python runs it at start-up, drops into it at the end, or loads itself from it",
        names: &[
            "PYTHONSTARTUP",
            "PYTHONHOME",
            "PYTHONINSPECT",
            "PYTHONBREAKPOINT",
            "PYTHONPLATLIBDIR",
            "PYTHONEXECUTABLE",
            "PYTHONWARNINGS",
            "PYTHON_PRESITE",
            "PYTHON_BASIC_REPL",
        ],
    },
    DeniedGroup {
        reason: "Ruby, Perl and PHP take options or start-up code from it",
        names: &[
            "RUBYOPT",
            "RUBYSHELL",
            "PERL5OPT",
            // Not only a search path: every script loads strict or warnings, and finds them here first.
            "PERL5LIB",
            "PERLLIB",
            "PERL5DB",
            "PERL5SHELL",
            "PERLIO_DEBUG",
            "PHPRC",
            "PHP_INI_SCAN_DIR",
        ],
    },
    DeniedGroup {
        reason: "R sources it as a profile before the script",
        names: &["R_PROFILE*", "R_ENVIRON*", "R_DEFAULT_PACKAGES", "R_HOME"],
    },
    DeniedGroup {
        reason: "Erlang and Elixir take emulator options from it, which can run code",
        names: &[
            "ERL_FLAGS",
            "ERL_AFLAGS",
            "ERL_ZFLAGS",
            "ERL_OTP*_FLAGS",
            "ERL_COMPILER_OPTIONS",
            "ELIXIR_ERL_OPTIONS",
            "ERL_INETRC",
        ],
    },
    DeniedGroup {
        reason: "the Java launcher takes agents and options from it",
        names: &["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"],
    },
    DeniedGroup {
        reason: ".NET and Mono load a profiler, a start-up hook or their dependencies from it",
        names: &[
            "DOTNET_STARTUP_HOOKS",
            "DOTNET_ADDITIONAL_DEPS",
            "DOTNET_SHARED_STORE",
            "CORECLR_*PROFIL*",
            "CORECLR_ENABLE_PROFILING",
            "COR_PROFILER*",
            "COR_ENABLE_PROFILING",
            "COMPLUS_*",
            "MONO_ENV_OPTIONS",
            "MONO_PROFILE",
            "MONO_PATH",
            "MONO_GAC_PREFIX",
        ],
    },
    DeniedGroup {
        reason: "compilers and build tools start it in place of, or around, the real tool",
        names: &[
            "RUSTC_WRAPPER",
            "RUSTC_WORKSPACE_WRAPPER",
            "RUSTC",
            "RUSTDOC",
            "CARGO_BUILD_RUSTC*",
            "CARGO_TARGET_*_RUNNER",
            "CARGO_TARGET_*_LINKER",
            "GOFLAGS",
            "GOTOOLDIR",
            "GOROOT",
            "GOENV",
            "CMAKE_*_COMPILER_LAUNCHER",
            "GNUMAKEFLAGS",
            "MAKEFILES",
            "COMPILER_PATH",
            "GCC_EXEC_PREFIX",
        ],
    },
    DeniedGroup {
        reason: "git and ssh run it as a program, or take configuration that names one",
        names: &[
            "GIT_SSH",
            "GIT_SSH_COMMAND",
            "GIT_PROXY_COMMAND",
            "GIT_EXTERNAL_DIFF",
            "GIT_EXEC_PATH",
            "GIT_TEMPLATE_DIR",
            "GIT_CONFIG",
            "GIT_CONFIG_COUNT",
            "GIT_CONFIG_KEY_*",
            "GIT_CONFIG_VALUE_*",
            "GIT_CONFIG_PARAMETERS",
            "GIT_CONFIG_GLOBAL",
            "GIT_CONFIG_SYSTEM",
            "GIT_EDITOR",
            "GIT_SEQUENCE_EDITOR",
            "GIT_PAGER",
            "SVN_SSH",
            "RSYNC_RSH",
            "CVS_RSH",
        ],
    },
    DeniedGroup {
        reason: "many tools start it as a pager, editor or viewer, and then wait for a person",
        names: &[
            "PAGER",
            "MANPAGER",
            "SYSTEMD_PAGER",
            "AWS_PAGER",
            "GH_PAGER",
            "DELTA_PAGER",
            "BAT_PAGER",
            "LESS",
            "LESSOPEN",
            "LESSCLOSE",
            "LESSKEY*",
            "EDITOR",
            "VISUAL",
            "BROWSER",
            "GH_BROWSER",
            "GH_EDITOR",
            "FCEDIT",
        ],
    },
    DeniedGroup {
        reason: "the crypto library loads a configuration with engines from it",
        names: &["OPENSSL_CONF", "OPENSSL_ENGINES", "OPENSSL_MODULES"],
    },
    DeniedGroup {
        reason: "PowerShell loads modules by name from it at start-up",
        names: &["PSEXECUTIONPOLICYPREFERENCE", "__PSLOCKDOWNPOLICY"],
    },
];

/// Whether `name` is dropped. Case-insensitive, as Windows is.
pub fn is_denied(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    DENIED.iter().flat_map(|group| group.names).any(|pattern| matches(pattern, &upper))
}

/// Matches a pattern in which each `*` matches any run of characters, even an empty one.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|head| name.strip_prefix(head)) else {
        return false;
    };
    let tail: Vec<&str> = parts.collect();
    let Some((last, middle)) = tail.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn injection_is_dropped_and_credentials_pass() {
        for name in [
            "LD_PRELOAD",
            "DYLD_INSERT_LIBRARIES",
            "BASH_FUNC_ls%%",
            "NODE_OPTIONS",
            "node_options",
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
            "GIT_CONFIG_KEY_0",
            "CORECLR_ENABLE_PROFILING",
            "CORECLR_PROFILER_PATH",
            "ERL_OTP26_FLAGS",
            "R_PROFILE_USER",
            "PAGER",
        ] {
            assert!(is_denied(name), "{name}");
        }
        for name in [
            "PATH",
            "HOME",
            "GH_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_PROFILE",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "KUBECONFIG",
            "DOCKER_HOST",
            "NPM_TOKEN",
            "SSH_AUTH_SOCK",
            "HTTPS_PROXY",
            "LD_LIBRARY_PATH",
            "PYTHONPATH",
            "VIRTUAL_ENV",
            "CARGO_HOME",
            "CARGO_TARGET_DIR",
            "GIT_AUTHOR_NAME",
            "GIT_ASKPASS",
            "SystemRoot",
            "ENVIRONMENT",
        ] {
            assert!(!is_denied(name), "{name}");
        }
    }

    #[test]
    fn every_group_has_a_reason_and_upper_case_names() {
        for group in DENIED {
            assert!(group.reason.len() > 20);
            assert!(!group.names.is_empty());
            for name in group.names {
                assert_eq!(*name, name.to_ascii_uppercase());
            }
        }
    }
}
