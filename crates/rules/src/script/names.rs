//! The functions of a dozen languages that start programs, open files and join paths.

/// Starts a program or a shell.
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

/// Reads a file that is named by an argument.
const READS: &[&str] = &[
    "open",
    "Open",
    "OpenFile",
    "ReadFile",
    "read_text",
    "read_bytes",
    "readFile",
    "readFileSync",
    "createReadStream",
    "openSync",
    "readTextFile",
    "readTextFileSync",
    "Bun.file",
    "File.read",
    "File.open",
    "File.new",
    "File.readlines",
    "File.foreach",
    "File.binread",
    "IO.read",
    "IO.readlines",
    "IO.foreach",
    "IO.binread",
    "fopen",
    "file_get_contents",
    "file",
    "readfile",
    "SplFileObject",
    "parse_ini_file",
    "File::open",
    "fs::read",
    "fs::read_to_string",
    "read_to_string",
    "ReadAllText",
    "ReadAllLines",
    "ReadAllBytes",
    "ReadLines",
    "ReadAllTextAsync",
    "StreamReader",
    "OpenRead",
    "OpenText",
    "File.Open",
    "FileStream",
    "read.csv",
    "read.table",
    "read.delim",
    "readLines",
    "readRDS",
    "readr::read_file",
    "read_file",
    "read_lines",
    "readChar",
    "source",
    "scan",
    "File.read!",
    "File.stream!",
    "File.open!",
    "Code.eval_file",
    "Pathname",
    "rename",
    "renameSync",
    "os.link",
    "link",
    "linkSync",
    "symlink",
    "symlinkSync",
    "readBin",
    "urlopen",
    "Pathname.new",
    "include",
    "include_once",
    "require_once",
    "require_relative",
    "load",
    "autoload",
    "fpassthru",
    "show_source",
    "highlight_file",
    "php_strip_whitespace",
    "hash_file",
    "md5_file",
    "sha1_file",
    "mime_content_type",
    "readgzfile",
    "gzopen",
    "gzfile",
    "SplFileInfo",
    "FileInputStream",
    "FileReader",
    "Scanner",
    "readAllBytes",
    "readString",
    "readAllLines",
    "lines",
    "fileinput.input",
    "open_code",
    "FileIO",
    "memmap",
    "mmap",
    "fromfile",
    "genfromtxt",
    "run_path",
    "parse",
    "ConfigParser.read",
    "read",
    "sysopen",
    "binread",
    "readlink",
    "copy_stream",
    "loadEnvFile",
    "process.loadEnvFile",
    "readv",
    "copyfileobj",
    "linecache.getlines",
    "getlines",
    "read_blob",
    "load_file",
    "pg_read_file",
    "scan_file",
    "readbin",
    "read.dcf",
    "file.show",
    "slurp",
    "read_csv",
    "read_json",
    "read_excel",
    "read_parquet",
    "loadtxt",
    "getline",
    "load_dotenv",
    "dotenv_values",
    "copy",
    "copy2",
    "copyfile",
    "copyFile",
    "copyFileSync",
    "cp",
    "cpSync",
    "CopyFile",
    "FileUtils.cp",
    "require",
    "io.open",
    "io.lines",
    "dofile",
    "loadfile",
    "import_module",
    "ReadDir",
    "File.cp!",
    "readlines",
    "listdir",
    "scandir",
    "readdir",
    "readdirSync",
];

/// Changes or removes a file that is named by an argument.
const WRITES: &[&str] = &[
    "writeFile",
    "writeFileSync",
    "appendFile",
    "appendFileSync",
    "createWriteStream",
    "WriteFile",
    "writeTextFile",
    "File.write",
    "File.write!",
    "IO.write",
    "file_put_contents",
    "WriteAllText",
    "WriteAllLines",
    "StreamWriter",
    "unlink",
    "unlinkSync",
    "rm",
    "rmSync",
    "rmdir",
    "rmtree",
    "os.remove",
    "os.Remove",
    "os.RemoveAll",
    "RemoveAll",
    "fs::write",
    "fs::remove_file",
    "fs::remove_dir_all",
    "File::create",
    "File.delete",
    "File.rm",
    "File.rm!",
    "File.rm_rf",
    "FileUtils.rm",
    "FileUtils.rm_f",
    "FileUtils.rm_rf",
    "File.Delete",
    "Directory.Delete",
    "file.remove",
    "writeLines",
    "write.csv",
    "truncate",
    "os.Create",
    "os.Rename",
    "rename",
    "renameSync",
    "Deno.remove",
];

/// Joins its arguments to a path.
const JOINS: &[&str] = &[
    "path.join",
    "path.resolve",
    "join",
    "filepath.Join",
    "Path.Combine",
    "File.join",
    "Path.join",
    "file.path",
    "joinpath",
    "Path.expand",
];

/// Shows its arguments, and nothing else.
const SHOWS: &[&str] = &[
    "print",
    "println",
    "println!",
    "eprintln!",
    "console.log",
    "console.error",
    "console.warn",
    "puts",
    "echo",
    "fmt.Println",
    "fmt.Printf",
    "IO.puts",
    "IO.inspect",
    "Console.WriteLine",
    "cat",
    "message",
    "printf",
    "say",
    "logger.info",
    "log.Println",
    "format!",
];

/// The callee of a call whose function is computed.
pub(crate) const COMPUTED: &str = "(computed)";

/// Asks about a path without reading what is there.
const ASKS: &[&str] = &[
    "exists",
    "exist",
    "is_file",
    "is_dir",
    "is_symlink",
    "is_absolute",
    "stat",
    "lstat",
    "name",
    "stem",
    "suffix",
    "suffixes",
    "parent",
    "parents",
    "parts",
    "as_posix",
    "relative_to",
    "match",
    "with_suffix",
    "with_name",
];

/// Changes or removes what is at a path.
const CHANGES: &[&str] =
    &["write_text", "write_bytes", "touch", "unlink", "rename", "replace", "chmod", "mkdir", "rmdir"];

fn method(name: &str) -> Option<&str> {
    name.strip_prefix('.')
        .map(|rest| rest.split(['.', '(']).next().unwrap_or(rest).trim_end_matches(['?', '!']))
}

/// Whether `.exists` or its like follows a path.
pub(crate) fn asks(name: &str) -> bool {
    method(name).is_some_and(|name| ASKS.contains(&name))
}

/// Whether `.write_text` or its like follows a path.
pub(crate) fn changes(name: &str) -> bool {
    method(name).is_some_and(|name| CHANGES.contains(&name))
}

/// Words that read a file without parentheses.
pub(crate) fn includes(name: &str) -> bool {
    matches!(
        name,
        "include" | "include_once" | "require" | "require_once" | "require_relative" | "load" | "source"
    )
}

/// Makes a path of its arguments.
pub(crate) fn makes(callee: &str) -> bool {
    among(
        &["joinpath", "Path", "PurePath", "PosixPath", "Path::new", "PathBuf::from", "Paths.get", "Path.of"],
        callee,
    )
}

/// Reads its argument as a program in the same language.
pub(crate) fn evaluates(callee: &str) -> bool {
    matches!(
        callee,
        "eval" | "exec" | "execfile" | "compile" | "Function" | "instance_eval" | "class_eval" | "loadstring"
    )
}

/// Starts a program and nothing else: one whose name is computed cannot be judged.
pub(crate) fn surely_runs(callee: &str) -> bool {
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
    among(SURE, callee)
}

/// Whether a name is that of a function that starts programs, wherever it is passed on to.
pub(crate) fn starts(name: &str) -> bool {
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

fn among(names: &[&str], callee: &str) -> bool {
    let callee = callee.trim_start_matches(['$', '@', '\\']);
    names.iter().any(|name| {
        callee.strip_suffix(name).is_some_and(|before| {
            before.is_empty()
                || before.ends_with('.')
                || before.ends_with("::")
                || before.ends_with("->")
                || before.ends_with('\\')
        })
    })
}

/// Whether `callee` starts a program. `members`: something of that kind is in use, so that `.exec` may be its method.
pub(crate) fn runs(callee: &str, members: bool) -> bool {
    const MODULES: &[&str] =
        &["child_process", "childProcess", "cp", "proc", "shell", "sh", "os", "Kernel", "Process"];
    if callee == "$" || callee == COMPUTED {
        return true;
    }
    // `pattern.exec`, `db.exec` and `child.exec` are told apart by nothing but their names.
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
    among(RUNS, callee)
}

pub(crate) fn reads(callee: &str) -> bool {
    among(READS, callee)
}

pub(crate) fn writes(callee: &str) -> bool {
    among(WRITES, callee)
}

pub(crate) fn joins(callee: &str) -> bool {
    among(JOINS, callee)
}

pub(crate) fn shows(callee: &str) -> bool {
    among(SHOWS, callee)
}
