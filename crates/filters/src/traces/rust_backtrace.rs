//! Backtraces of panics in Rust: frames in the standard library, in other crates and in the C runtime are counted
//! where they are, so that the user's own frames keep their numbers. Owns whose a frame is, in the short form and in
//! the full one with addresses.

use crate::counted::counted;
use crate::guard::is_foreign;
use crate::{Left, normal};

const BEGINS: &str = "stack backtrace:";
/// Fewer lines than this aren't worth a mark.
const LEAST: usize = 3;
/// Functions that start a program or a thread. The user's own `main` has its crate's name in front.
const RUNTIME: [&str; 10] = [
    "main",
    "_start",
    "start_thread",
    "clone",
    "clone3",
    "__clone",
    "__libc_start_main",
    "__libc_start_main_impl",
    "__libc_start_call_main",
    "<unknown>",
];
/// Crates whose frames often have no place.
const LIBRARIES: [&str; 5] = ["std", "core", "alloc", "__rustc", "__rust_try"];

pub(crate) fn begins(line: &str) -> bool {
    line.trim() == BEGINS
}

/// `text` with the frames that aren't the user's own counted, in each backtrace that has one of the user's.
pub(crate) fn rust_backtrace(text: &str) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut shorter) = (0, false);
    while let Some(line) = lines.get(at) {
        push(&mut out, line);
        at += 1;
        if !begins(line) {
            continue;
        }
        let frames = frames(&lines[at..]);
        let end = at + frames.iter().map(|(length, _)| length).sum::<usize>();
        if frames.iter().any(|(_, others)| !others) {
            shorter |= write(&lines[at..end], &frames, &mut out);
            at = end;
        }
    }
    shorter.then_some((out, Vec::new()))
}

/// The frames that `lines` begin with: how many lines each has, and whether it isn't the user's own.
fn frames(lines: &[&str]) -> Vec<(usize, bool)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(symbol) = lines.get(at).and_then(|line| symbol(line)) {
        let place = lines.get(at + 1).map(|line| line.trim_start()).filter(|line| line.starts_with("at "));
        let length = 1 + usize::from(place.is_some());
        found.push((length, is_of_others(symbol, place)));
        at += length;
    }
    found
}

/// The function of `   4: cart::main` and of `   4:     0x5563240620a6 - cart::main::h0123456789abcdef`.
fn symbol(line: &str) -> Option<&str> {
    let (number, rest) = line.trim().split_once(": ")?;
    let rest = rest.trim_start();
    let is_number = (1..=4).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    let named = match rest.strip_prefix("0x") {
        Some(address) => address.split_once(" - ").map_or(rest, |(_, symbol)| symbol),
        None => rest,
    };
    is_number.then_some(named)
}

fn is_of_others(symbol: &str, place: Option<&str>) -> bool {
    if place.is_some_and(is_foreign) || RUNTIME.contains(&symbol) {
        return true;
    }
    let path = symbol.trim_start_matches(['<', '&']);
    let path = path.strip_prefix("dyn ").unwrap_or(path);
    let root = path.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or(path);
    place.is_none() && LIBRARIES.contains(&root)
}

/// Writes the frames in `lines`, with a mark for each run of others' frames; whether there is one.
fn write(lines: &[&str], frames: &[(usize, bool)], out: &mut String) -> bool {
    let (mut at, mut marked) = (0, false);
    for run in frames.chunk_by(|(_, one), (_, next)| one == next) {
        let end = at + run.iter().map(|(length, _)| length).sum::<usize>();
        if end - at >= LEAST && run.iter().all(|(_, others)| *others) {
            push(out, &format!("   … {} not shown", counted(run.len(), "frames of other people's code")));
            marked = true;
        } else {
            lines[at..end].iter().for_each(|line| push(out, line));
        }
        at = end;
    }
    marked
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::rust_backtrace;

    #[test]
    fn own_frames_keep_their_numbers_and_others_are_counted() {
        let text = "\
thread 'web' (2654) panicked at src/main.rs:2:126:
called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }
stack backtrace:
   0:     0x55632408e86a - std[e28293b1aa0f68bd]::panicking::default_hook
                               at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:319:9
   1:     0x55632409ff2c - core[c1f1a4ba060b9bfa]::panicking::panic_fmt
   2:     0x5563240620a6 - deep::config::port::hbda71a42a76ce3be
                               at src/main.rs:2:126
   3:     0x556324061fbd - <deep::Server as core::ops::Drop>::drop::h42b8cf0f676ea3a7
   4:     0x55632405e4b0 - <core::panic::unwind_safe::AssertUnwindSafe<F> as core::ops::function::FnOnce<()>>::call_once
                               at /home/ana/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/panic/unwind_safe.rs:274:9
   5:     0x55632405aa8b - __rust_try
   6:     0x7fc3dab471f5 - start_thread
                               at ./nptl/pthread_create.c:442:8
   7:                0x0 - <unknown>

done
";
        let (short, left_out) = rust_backtrace(text).unwrap();
        assert_eq!(
            short,
            "\
thread 'web' (2654) panicked at src/main.rs:2:126:
called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }
stack backtrace:
   … 2 frames of other people's code not shown
   2:     0x5563240620a6 - deep::config::port::hbda71a42a76ce3be
                               at src/main.rs:2:126
   3:     0x556324061fbd - <deep::Server as core::ops::Drop>::drop::h42b8cf0f676ea3a7
   … 4 frames of other people's code not shown

done
"
        );
        assert!(left_out.is_empty());
    }

    #[test]
    fn a_backtrace_without_own_frames_and_short_runs_stay() {
        for text in [
            "stack backtrace:\n   0: std::panicking::begin_panic\n   1: core::ops::function::FnOnce::call_once\n   2: main\n",
            "stack backtrace:\n   0: cart::main\n             at ./src/main.rs:3:66\n   1: core::ops::function::FnOnce::call_once\n             at /rustc/0/library/core/src/ops/function.rs:250:5\n",
            "one\ntwo: 2\n",
        ] {
            assert_eq!(rust_backtrace(text), None, "{text}");
        }
    }
}
