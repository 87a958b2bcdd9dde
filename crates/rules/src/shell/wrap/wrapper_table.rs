//! The table of wrappers that only take options before the command.

use super::Coverage;

pub(super) struct Wrapper {
    pub(super) names: &'static [&'static str],
    /// Options whose value is the next word.
    pub(super) value_options: &'static [&'static str],
    /// Words between the options and the command.
    pub(super) skip: usize,
    /// Whether `NAME=value` may precede the command.
    pub(super) assigns: bool,
    pub(super) coverage: Coverage,
}

const fn wrapper(
    names: &'static [&'static str],
    value_options: &'static [&'static str],
    skip: usize,
    coverage: Coverage,
) -> Wrapper {
    Wrapper { names, value_options, skip, assigns: false, coverage }
}

pub(super) const WRAPPERS: &[Wrapper] = &[
    wrapper(&["timeout", "gtimeout"], &["-s", "--signal", "-k", "--kill-after"], 1, Coverage::Transparent),
    wrapper(&["time", "gtime"], &["-f", "--format", "-o", "--output"], 0, Coverage::Transparent),
    wrapper(&["nice"], &["-n", "--adjustment"], 0, Coverage::Transparent),
    wrapper(&["nohup"], &[], 0, Coverage::Transparent),
    wrapper(&["stdbuf"], &["-i", "-o", "-e", "--input", "--output", "--error"], 0, Coverage::Transparent),
    wrapper(&["command"], &[], 0, Coverage::Partial),
    wrapper(&["builtin"], &[], 0, Coverage::Partial),
    wrapper(&["exec"], &["-a"], 0, Coverage::Partial),
    wrapper(&["ionice"], &["-c", "-n", "-p", "-P", "-u", "--class", "--classdata"], 0, Coverage::ExactOnly),
    wrapper(&["setsid"], &[], 0, Coverage::ExactOnly),
    wrapper(&["chrt"], &["-T", "-P", "-D"], 1, Coverage::ExactOnly),
    wrapper(&["taskset"], &[], 1, Coverage::ExactOnly),
    wrapper(&["chroot"], &["--userspec", "--groups"], 1, Coverage::ExactOnly),
    wrapper(&["unshare"], &["-S", "-G", "-R", "-w"], 0, Coverage::ExactOnly),
    wrapper(&["nsenter"], &["-t", "-S", "-G"], 0, Coverage::ExactOnly),
    wrapper(&["caffeinate"], &["-t", "-w"], 0, Coverage::Partial),
    wrapper(&["strace", "ltrace"], &["-o", "-e", "-p", "-s", "-u", "-E", "-P"], 0, Coverage::Partial),
    wrapper(
        &["unbuffer", "catchsegv", "chronic", "torify", "proxychains", "proxychains4", "setarch", "linux64"],
        &["-f"],
        0,
        Coverage::Partial,
    ),
    wrapper(&["busybox", "toybox"], &[], 0, Coverage::Partial),
    wrapper(
        &["prlimit", "systemd-run", "systemd-inhibit", "firejail", "fakeroot", "rlwrap"],
        &["-p", "-u", "-E", "--unit", "--property", "--setenv", "--what", "--who", "--why"],
        0,
        Coverage::ExactOnly,
    ),
    wrapper(&["coproc", "noglob", "nocorrect", "-", "and", "or", "not"], &[], 0, Coverage::Partial),
    wrapper(&["repeat"], &[], 1, Coverage::Partial),
    wrapper(
        &["xargs", "gxargs"],
        &[
            "-a",
            "--arg-file",
            "-d",
            "--delimiter",
            "-E",
            "-I",
            "-L",
            "--max-lines",
            "-n",
            "--max-args",
            "-P",
            "--max-procs",
            "-s",
            "--max-chars",
            "--process-slot-var",
            "-J",
            "-R",
            "-S",
        ],
        0,
        Coverage::Partial,
    ),
    wrapper(
        &["parallel"],
        &["-j", "--jobs", "-a", "-I", "-n", "-N", "-S", "--delay", "--timeout"],
        0,
        Coverage::ExactOnly,
    ),
    Wrapper {
        names: &["sudo"],
        value_options: &[
            "-u",
            "--user",
            "-g",
            "--group",
            "-h",
            "--host",
            "-p",
            "--prompt",
            "-C",
            "--close-from",
            "-D",
            "--chdir",
            "-R",
            "--chroot",
            "-T",
            "--command-timeout",
            "-U",
            "--other-user",
            "-r",
            "--role",
            "-t",
            "--type",
        ],
        skip: 0,
        assigns: true,
        coverage: Coverage::Partial,
    },
    Wrapper {
        names: &["doas"],
        value_options: &["-u", "-C", "-a"],
        skip: 0,
        assigns: true,
        coverage: Coverage::Partial,
    },
    Wrapper {
        names: &["pkexec", "gosu", "su-exec"],
        value_options: &["--user"],
        skip: 0,
        assigns: false,
        coverage: Coverage::Partial,
    },
];
