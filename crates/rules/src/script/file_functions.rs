//! The functions of a dozen languages that read, change and join file paths.

use super::functions::matches_any;

/// Functions that read a file named by an argument.
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

/// Functions that change or remove a file named by an argument.
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

/// Functions that join their arguments to a path.
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

/// Methods that query a path without reading it.
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

/// Methods that change or remove what is at a path.
const CHANGES: &[&str] =
    &["write_text", "write_bytes", "touch", "unlink", "rename", "replace", "chmod", "mkdir", "rmdir"];

fn method(name: &str) -> Option<&str> {
    name.strip_prefix('.')
        .map(|rest| rest.split(['.', '(']).next().unwrap_or(rest).trim_end_matches(['?', '!']))
}

/// Whether a query such as `.exists` follows a path.
pub(crate) fn is_query(name: &str) -> bool {
    method(name).is_some_and(|name| ASKS.contains(&name))
}

/// Whether a modification such as `.write_text` follows a path.
pub(crate) fn is_modification(name: &str) -> bool {
    method(name).is_some_and(|name| CHANGES.contains(&name))
}

/// Whether a word reads a file without parentheses.
pub(crate) fn includes(name: &str) -> bool {
    matches!(
        name,
        "include" | "include_once" | "require" | "require_once" | "require_relative" | "load" | "source"
    )
}

/// Whether `callee` makes a path from its arguments.
pub(crate) fn makes_path(callee: &str) -> bool {
    matches_any(
        &["joinpath", "Path", "PurePath", "PosixPath", "Path::new", "PathBuf::from", "Paths.get", "Path.of"],
        callee,
    )
}

/// Whether `callee` reads a file named by an argument.
pub(crate) fn reads(callee: &str) -> bool {
    matches_any(READS, callee)
}

/// Whether `callee` changes or removes a file named by an argument.
pub(crate) fn writes(callee: &str) -> bool {
    matches_any(WRITES, callee)
}

/// Whether `callee` joins its arguments to a path.
pub(crate) fn joins(callee: &str) -> bool {
    matches_any(JOINS, callee)
}
