//! How a callee's name is matched, and the functions that evaluate code or only show their arguments.

/// Functions that only show their arguments.
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

/// The name of a callee that is computed.
pub(crate) const COMPUTED: &str = "(computed)";

/// Whether `callee` evaluates its argument as a program in the same language.
pub(crate) fn evaluates(callee: &str) -> bool {
    matches!(
        callee,
        "eval" | "exec" | "execfile" | "compile" | "Function" | "instance_eval" | "class_eval" | "loadstring"
    )
}

/// Whether `callee` only shows its arguments.
pub(crate) fn shows(callee: &str) -> bool {
    matches_any(SHOWS, callee)
}

/// Whether `callee` is one of `names`, bare or as a member of something.
pub(super) fn matches_any(names: &[&str], callee: &str) -> bool {
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
