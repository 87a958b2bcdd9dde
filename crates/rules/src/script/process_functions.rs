//! The functions of a dozen languages that start programs.

use super::functions::{COMPUTED, matches_any};

/// Functions that start a program or a shell.
const RUNS: &[&str] = &[
    // Python
    "system",
    "popen",
    "getoutput",
    "getstatusoutput",
    "run",
    "call",
    "check_call",
    "check_output",
    "Popen",
    "create_subprocess_shell",
    "create_subprocess_exec",
    "execl",
    "execle",
    "execlp",
    "execlpe",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "spawnl",
    "spawnle",
    "spawnlp",
    "spawnlpe",
    "spawnv",
    "spawnve",
    "spawnvp",
    "spawnvpe",
    "posix_spawn",
    "posix_spawnp",
    "startfile",
    // JavaScript
    "exec",
    "execSync",
    "execFile",
    "execFileSync",
    "spawn",
    "spawnSync",
    "fork",
    "execa",
    "execaSync",
    "execaCommand",
    "execaCommandSync",
    "Deno.Command",
    "Deno.run",
    "$",
    "Bun.$",
    "$.sync",
    // Ruby, PHP, Perl
    "popen2",
    "popen2e",
    "popen3",
    "capture2",
    "capture2e",
    "capture3",
    "pipeline",
    "sh",
    "shell_exec",
    "pty.spawn",
    "PTY.spawn",
    "Open3.popen3",
    "open3",
    "pipe",
    "proc_open",
    "readpipe",
    "qx",
    "IO.popen",
    "Kernel.exec",
    "ShellExecute",
    "Process.spawn",
    "posix_spawn",
    "spawn_shell",
    "runShell",
    "callCommand",
    "readProcess",
    "Runtime.exec",
    "getRuntime().exec",
    "ProcessBuilder",
    "esyscmd",
    "passthru",
    "proc_open",
    "pcntl_exec",
    // Go, Rust
    "exec.Command",
    "exec.CommandContext",
    "CommandContext",
    "syscall.Exec",
    "os.StartProcess",
    "Command::new",
    "cmd!",
    "run_cmd!",
    // R, Elixir, C#, Lua, awk, AppleScript
    "system2",
    "shell",
    "shell.exec",
    "processx::run",
    "System.cmd",
    "System.shell",
    ":os.cmd",
    "os.cmd",
    "Port.open",
    "Process.Start",
    "ProcessStartInfo",
    "Cli.Wrap",
    "os.execute",
    "io.popen",
    "script",
];

/// Whether `callee` starts a program. `members`: the script uses such objects, so `.exec` may be their method.
pub(crate) fn runs(callee: &str, members: bool) -> bool {
    const MODULES: &[&str] =
        &["child_process", "childProcess", "cp", "proc", "shell", "sh", "os", "Kernel", "Process"];
    if callee == "$" || callee == COMPUTED {
        return true;
    }
    // `pattern.exec`, `db.exec` and `child.exec` differ only by their names.
    if callee.ends_with("->exec") {
        return false;
    }
    if let Some(owner) = callee.strip_suffix(".exec") {
        let owner = owner.rsplit(['.', ':']).next().unwrap_or(owner);
        let other = [
            "re",
            "regex",
            "regexp",
            "pattern",
            "db",
            "database",
            "sql",
            "conn",
            "connection",
            "tx",
            "client",
        ];
        return MODULES.contains(&owner) || members && !other.contains(&owner.to_lowercase().as_str());
    }
    matches_any(RUNS, callee)
}

/// Whether `callee` starts a program and does nothing else: if the program's name is computed, it can't be judged.
pub(crate) fn only_runs(callee: &str) -> bool {
    const SURE: &[&str] = &[
        "os.system",
        "os.popen",
        "subprocess.run",
        "subprocess.call",
        "subprocess.Popen",
        "Popen",
        "check_output",
        "check_call",
        "getoutput",
        "execSync",
        "execFile",
        "execFileSync",
        "spawnSync",
        "shell_exec",
        "passthru",
        "proc_open",
        "exec.Command",
        "Command::new",
        "Process.Start",
        "os.execute",
        "io.popen",
        "System.cmd",
        "os.execvp",
        "os.execv",
        "os.execlp",
        "pty.spawn",
        "system2",
    ];
    matches_any(SURE, callee)
}

/// Whether a name is a function that starts programs, even when it is passed on as a value.
pub(crate) fn is_process_starter(name: &str) -> bool {
    const STARTS: &[&str] = &[
        "system",
        "popen",
        "Popen",
        "execSync",
        "execFileSync",
        "spawnSync",
        "execFile",
        "check_output",
        "check_call",
        "getoutput",
        "passthru",
        "shell_exec",
        "proc_open",
        "execvp",
        "execlp",
        "system2",
        "open3",
        "spawn",
        "posix_spawn",
        "spawnvp",
        "getstatusoutput",
        "create_subprocess_shell",
        "create_subprocess_exec",
    ];
    STARTS.contains(&name.rsplit(['.', ':', '>']).next().unwrap_or(name))
}
