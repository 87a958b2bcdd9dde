//! Traces of calls as `strace` prints them:
//! `openat(AT_FDCWD, "x", O_RDONLY) = -1 ENOENT (No such file or directory)`. Calls that failed are counted by call
//! and error, the rare ones first, with samples; exits, signals and the traced program's own lines stay, and
//! successful calls are counted by name. Owns distinguishing such lines from others.

use std::collections::{BTreeMap, HashMap};

use crate::clip::clipped;
use crate::counted::counted;
use crate::guard::must_stay;

/// The minimum number of calls, and their share of the first lines, in percent.
const CALLS: usize = 20;
const MOSTLY: usize = 60;
/// The number of lines by which a trace is recognised.
const LOOKED_AT: usize = 1_000;
/// Longest line that is shown, in bytes.
const LONG: usize = 300;
/// Failures of one kind that are all shown; of more, the first and the last one.
const FEW: usize = 3;
/// Lines shown from the end of the trace.
const LAST: usize = 3;
/// Room for a line that counts what is missing, in bytes.
const MORE: usize = 48;

/// Frequent calls of a system. Where a program prints `fib(30) = 832040`, most lines call something else.
const SYSTEM: &str = "accept accept4 access arch_prctl bind brk chdir chmod clock_gettime clock_nanosleep clone clone3 close \
    close_range connect dup dup2 dup3 epoll_create1 epoll_ctl epoll_pwait epoll_wait eventfd2 execve exit \
    exit_group faccessat faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchown fchownat fcntl fdatasync \
    flock fork fstat fstatfs fsync ftruncate futex getcwd getdents getdents64 getegid geteuid getgid getpgrp \
    getpid getppid getrandom getrusage getsockname getsockopt gettid gettimeofday getuid getxattr \
    inotify_add_watch ioctl kill lgetxattr linkat listen lseek lstat madvise membarrier mkdir mkdirat mmap \
    mprotect mremap munmap nanosleep newfstatat open openat openat2 pause pipe pipe2 poll ppoll prctl pread64 \
    preadv prlimit64 pselect6 pwrite64 pwritev read readahead readlink readlinkat readv recvfrom recvmmsg recvmsg \
    rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend \
    rt_sigtimedwait sched_getaffinity sched_yield select sendfile sendmmsg sendmsg sendto set_robust_list \
    set_tid_address setitimer setpgid setsid setsockopt shutdown sigaltstack socket socketpair stat statfs statx \
    symlink symlinkat sysinfo tgkill umask uname unlink unlinkat utimensat vfork wait4 waitid write writev";

/// A line of a trace.
#[derive(Debug, PartialEq, Eq)]
enum Line<'t> {
    /// A call with its result, and the error's name where it failed.
    Call(&'t str, Option<&'t str>),
    /// The first half of a call that comes again with its result.
    Begun,
    /// `+++ exited with 1 +++`, `--- SIGSEGV {si_signo=SIGSEGV, …} ---`.
    Event,
}

/// A trace that is longer than `room`, in about so many bytes.
pub(super) fn summary(text: &str, room: usize) -> Option<String> {
    if text.len() <= room || !is_trace(text) {
        return None;
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut fine: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failed: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    let mut known: HashMap<(&str, &str), usize> = HashMap::new();
    let (mut calls, mut failures) = (0_usize, 0_usize);
    let (mut events, mut others) = (Vec::new(), Vec::new());
    for line in &lines {
        match parse(line) {
            Some(Line::Call(name, error)) => {
                calls += 1;
                let Some(error) = error else {
                    *fine.entry(name).or_default() += 1;
                    continue;
                };
                failures += 1;
                let at = *known.entry((name, error)).or_insert_with(|| {
                    failed.push((name, error, Vec::new()));
                    failed.len() - 1
                });
                if let Some((.., of_kind)) = failed.get_mut(at) {
                    of_kind.push(*line);
                }
            }
            Some(Line::Begun) => {}
            Some(Line::Event) => events.push(*line),
            None => others.push(*line),
        }
    }
    failed.sort_by_key(|(.., lines)| lines.len());
    let mut out = format!(
        "{} of a trace, {}, {failures} failed\n",
        counted(lines.len(), "lines"),
        counted(calls, "calls")
    );
    let rows: Vec<String> = failed.iter().map(|(name, error, lines)| row(name, error, lines)).collect();
    section(&mut out, "failed by call and error, the rarest first, with samples:", &rows, room * 6 / 10);
    others.reverse();
    others.sort_by_cached_key(|line| !must_stay(line));
    let own: Vec<String> = others.iter().map(|line| with_end(line)).collect();
    section(&mut out, "lines that aren't calls, failures and the last first:", &own, room * 2 / 10);
    events.reverse();
    events.sort_by_key(|line| is_usual(line));
    let events: Vec<String> = events.iter().map(|line| with_end(line)).collect();
    section(&mut out, "exits and signals, unusual ones and the last first:", &events, room / 10);
    let ends: Vec<String> =
        lines[lines.len().saturating_sub(LAST)..].iter().map(|line| with_end(line)).collect();
    section(&mut out, "at the end:", &ends, room / 10);
    let mut names: Vec<(&str, usize)> = fine.into_iter().collect();
    names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let names: Vec<String> = names.iter().map(|(name, count)| format!("{name} ×{count}")).collect();
    let left = room.saturating_sub(out.len() + MORE);
    if !names.is_empty() && left > MORE {
        out.push_str(&format!("not failed: {}\n", clipped(&names.join(", "), left)));
    }
    Some(out)
}

/// Whether a process ended well, or one that it started has ended.
fn is_usual(event: &str) -> bool {
    event.contains("+++ exited with 0 +++") || event.contains("--- SIGCHLD {")
}

/// Failures of one kind.
fn row(name: &str, error: &str, lines: &[&str]) -> String {
    let mut out = format!("×{} {name} {error}\n", lines.len());
    let samples: Vec<&&str> = if lines.len() <= FEW {
        lines.iter().collect()
    } else {
        lines.first().into_iter().chain(lines.last()).collect()
    };
    for line in samples {
        out.push_str(&format!("  {}", with_end(line)));
    }
    out
}

/// A line as shown, with its end.
fn with_end(line: &str) -> String {
    format!("{}\n", clipped(line.trim_end(), LONG))
}

/// Writes as many `rows` as fit in `room` bytes, at least one, below `title`, and counts the others.
fn section(out: &mut String, title: &str, rows: &[String], room: usize) {
    if rows.is_empty() {
        return;
    }
    out.push_str(title);
    out.push('\n');
    let mut left = room.saturating_sub(title.len() + 1);
    for (at, row) in rows.iter().enumerate() {
        if at > 0 && row.len() + MORE > left {
            out.push_str(&format!("… {}\n", counted(rows.len() - at, "more rows")));
            return;
        }
        left = left.saturating_sub(row.len());
        out.push_str(row);
    }
}

/// Whether most of the first lines are calls with their results, and most of these are calls of the system.
fn is_trace(text: &str) -> bool {
    let (mut calls, mut named, mut system, mut all) = (0_usize, 0_usize, 0_usize, 0_usize);
    for line in text.lines().filter(|line| !line.trim().is_empty()).take(LOOKED_AT) {
        all += 1;
        let Some(found) = parse(line) else { continue };
        calls += 1;
        if let Line::Call(name, _) = found {
            named += 1;
            system += usize::from(SYSTEM.split(' ').any(|known| known == name));
        }
    }
    calls >= CALLS && calls * 100 >= all * MOSTLY && system * 2 > named
}

fn parse(line: &str) -> Option<Line<'_>> {
    let line = bare(line).trim_end();
    if line.starts_with("+++ ") && line.ends_with(" +++")
        || line.starts_with("--- SIG") && line.ends_with(" ---")
    {
        return Some(Line::Event);
    }
    // If the program prints in between, its own line follows the first half, and the second half is alone.
    let second_half = line.starts_with(')') && line.contains(" = ") && !line.contains(" = -1 ");
    if line == "<unfinished ...>" || line.contains("strace: Process ") || second_half {
        return Some(Line::Begun);
    }
    let resumed = line.strip_prefix("<... ").and_then(|rest| rest.split_once(" resumed>"));
    let (name, rest) = match resumed {
        Some(parts) => parts,
        None => line.split_at(line.find('(')?),
    };
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if name.is_empty() || !name.bytes().all(is_name) {
        return None;
    }
    if rest.ends_with("<unfinished ...>") {
        return Some(Line::Begun);
    }
    let (before, result) = rest.rsplit_once(" = ")?;
    if !before.trim_end().ends_with(')') {
        return None;
    }
    let error = result.strip_prefix("-1 ").and_then(|rest| rest.split(' ').next());
    let is_error = |error: &&str| {
        error.len() > 1
            && error.starts_with('E')
            && error.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    Some(Line::Call(name, error.filter(is_error)))
}

/// The line without the process and the time in front: `[pid  4711] `, `4711 12:00:01.123456 `.
fn bare(line: &str) -> &str {
    let line = line.trim_start();
    let mut rest = match line.strip_prefix("[pid ").and_then(|rest| rest.split_once("] ")) {
        Some((_, rest)) => rest.trim_start(),
        None => line,
    };
    for _ in 0..2 {
        let Some((word, after)) = rest.split_once(' ') else { break };
        let is_figure = word.contains(|c: char| c.is_ascii_digit())
            && word.bytes().all(|byte| byte.is_ascii_digit() || b".:+".contains(&byte));
        if !is_figure {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::{Line, parse, summary};
    use crate::{FilterSet, shorten_within};

    fn trace(before: &str) -> String {
        let mut text = String::new();
        for n in 0..9_000 {
            text.push_str(before);
            match n {
                6_000 => text.push_str("openat(AT_FDCWD, \"/etc/shop/secret.toml\", O_RDONLY|O_CLOEXEC) = -1 EACCES (Permission denied)\n"),
                6_001 => text.push_str("connect(4, {sa_family=AF_INET, sin_port=htons(5432), sin_addr=inet_addr(\"10.0.0.7\")}, 16) = -1 ECONNREFUSED (Connection refused)\n"),
                n if n % 6 == 0 => text.push_str(&format!("openat(AT_FDCWD, \"/usr/local/lib/m{n}.so\", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)\n")),
                n if n % 6 == 1 => text.push_str("close(3)                                = 0\n"),
                n => text.push_str(&format!("read(3, \"\\1\\0{n}\"..., 4096) = {}\n", n % 4_000)),
            }
        }
        text.push_str(&format!("shop: cannot start\n{before}exit_group(1)                           = ?\n{before}+++ exited with 1 +++\n"));
        text
    }

    #[test]
    fn calls_that_failed_are_counted_by_call_and_error_with_samples() {
        for before in ["", "[pid  4711] ", "12:00:01.123456 ", "4711  12:00:01 ", "     0.000012 "] {
            let text = trace(before);
            for room in [2_050, 10_000, 24_000] {
                let short = summary(&text, room).unwrap();
                assert!(short.len() <= room, "{before}{room}: {}", short.len());
                for fact in [
                    "9003 lines of a trace, 9001 calls, 1501 failed",
                    "×1 openat EACCES\n",
                    "/etc/shop/secret.toml",
                    "×1 connect ECONNREFUSED\n",
                    "10.0.0.7",
                    "×1499 openat ENOENT\n",
                    "/usr/local/lib/m0.so",
                    "shop: cannot start",
                    "exit_group(1)",
                    "+++ exited with 1 +++",
                    "read ×",
                    "close ×1499",
                ] {
                    assert!(short.contains(fact), "{before}{room} {fact}: {short}");
                }
            }
        }
    }

    #[test]
    fn a_crash_is_shown_before_any_number_of_clean_exits() {
        let process = |n: usize| {
            let end = if n == 30 { "killed by SIGSEGV (core dumped)" } else { "exited with 0" };
            format!(
                "{n} openat(AT_FDCWD, \"/etc/m{n}\", O_RDONLY) = 3\n{n} exit_group(0) = ?\n{n} +++ {end} +++\n9 --- SIGCHLD {{si_signo=SIGCHLD, si_pid={n}}} ---\n"
            )
        };
        let text: String = (10..500).map(process).collect();
        for room in [2_050, 10_000] {
            let short = summary(&text, room).unwrap();
            let is_told = short.contains("last first:\n30 +++ killed by SIGSEGV (core dumped) +++\n");
            assert!(short.len() <= room && is_told, "{short}");
        }
    }

    #[test]
    fn the_traced_programs_failures_come_before_its_other_lines() {
        let call = |n: usize| {
            let own = match n {
                20 => "ERROR: price table is corrupt at src/price.c:77\n".to_owned(),
                n if n % 4 == 0 => format!("progress {n} of 900 is done\n"),
                _ => String::new(),
            };
            format!("openat(AT_FDCWD, \"/etc/m{n}\", O_RDONLY) = 3\n{own}")
        };
        let text: String = (0..900).map(call).collect();
        let short = summary(&text, 4_000).unwrap();
        let first =
            "last first:\nERROR: price table is corrupt at src/price.c:77\nprogress 896 of 900 is done\n";
        assert!(short.len() <= 4_000 && short.contains(first), "{short}");
    }

    #[test]
    fn any_command_may_print_a_trace() {
        for command in ["strace -f ./run.sh", "./traced.sh"] {
            let done = shorten_within(&FilterSet::builtin(), command, Some(1), &trace(""), 9_000).unwrap();
            assert!(
                done.text.contains("×1 openat EACCES\n") && done.text.contains("×1 connect ECONNREFUSED\n"),
                "{}",
                done.text
            );
        }
    }

    #[test]
    fn a_call_is_distinguished_from_other_lines() {
        for (line, expected) in [
            ("close(3)                = 0", Some(Line::Call("close", None))),
            ("[pid 7] <... wait4 resumed>[{WIFEXITED(s)}], 0, NULL) = 8", Some(Line::Call("wait4", None))),
            ("futex(0x7f, FUTEX_WAIT, 1, NULL <unfinished ...>", Some(Line::Begun)),
            (
                "access(\"/a = b\", F_OK) = -1 ENOENT (No such file or directory)",
                Some(Line::Call("access", Some("ENOENT"))),
            ),
            ("--- SIGSEGV {si_signo=SIGSEGV} ---", Some(Line::Event)),
            ("[pid 14500] +++ exited with 1 +++", Some(Line::Event)),
            ("+++ killed by SIGKILL +++", Some(Line::Event)),
            ("vfork(strace: Process 14500 attached", Some(Line::Begun)),
            (" <unfinished ...>", Some(Line::Begun)),
            (")           = 1", Some(Line::Begun)),
            ("exit_group(1) = ?", Some(Line::Call("exit_group", None))),
            ("total (in cents) = 17", None),
            ("let x = f(1);", None),
            ("shop: cannot start (1)", None),
        ] {
            assert_eq!(parse(line), expected, "{line}");
        }
        let code: String = (0..900).map(|n| format!("let part{n} = load({n});\n")).collect();
        assert_eq!(summary(&code, 2_000), None);
        // A program's own computations, or a trace of library calls, have their values after the sign.
        for name in ["fib", "malloc"] {
            let values: String = (0..900).map(|n| format!("{name}({n}) = {}\n", n * 7_919 % 997)).collect();
            assert_eq!(summary(&values, 2_000), None);
        }
    }
}
