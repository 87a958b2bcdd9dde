//! The table of the wrappers that only take options before the command.

use super::Weight;

pub(super) struct Wrapper {
    pub(super) names: &'static [&'static str],
    /// Options whose value is the next word.
    pub(super) valued: &'static [&'static str],
    /// Words between the options and the command.
    pub(super) skip: usize,
    /// Whether `NAME=value` may stand before the command.
    pub(super) assigns: bool,
    pub(super) weight: Weight,
}

const fn wrapper(
    names: &'static [&'static str],
    valued: &'static [&'static str],
    skip: usize,
    weight: Weight,
) -> Wrapper {
    Wrapper { names, valued, skip, assigns: false, weight }
}

pub(super) const WRAPPERS: &[Wrapper] = &[
    wrapper(&["timeout", "gtimeout"], &["-s", "--signal", "-k", "--kill-after"], 1, Weight::Nothing),
    wrapper(&["time", "gtime"], &["-f", "--format", "-o", "--output"], 0, Weight::Nothing),
    wrapper(&["nice"], &["-n", "--adjustment"], 0, Weight::Nothing),
    wrapper(&["nohup"], &[], 0, Weight::Nothing),
    wrapper(&["stdbuf"], &["-i", "-o", "-e", "--input", "--output", "--error"], 0, Weight::Nothing),
    wrapper(&["command"], &[], 0, Weight::Both),
    wrapper(&["builtin"], &[], 0, Weight::Both),
    wrapper(&["exec"], &["-a"], 0, Weight::Both),
    wrapper(&["ionice"], &["-c", "-n", "-p", "-P", "-u", "--class", "--classdata"], 0, Weight::Sealed),
    wrapper(&["setsid"], &[], 0, Weight::Sealed),
    wrapper(&["chrt"], &["-T", "-P", "-D"], 1, Weight::Sealed),
    wrapper(&["taskset"], &[], 1, Weight::Sealed),
    wrapper(&["chroot"], &["--userspec", "--groups"], 1, Weight::Sealed),
    wrapper(&["unshare"], &["-S", "-G", "-R", "-w"], 0, Weight::Sealed),
    wrapper(&["nsenter"], &["-t", "-S", "-G"], 0, Weight::Sealed),
    wrapper(&["caffeinate"], &["-t", "-w"], 0, Weight::Both),
    wrapper(&["strace", "ltrace"], &["-o", "-e", "-p", "-s", "-u", "-E", "-P"], 0, Weight::Both),
    wrapper(
        &["unbuffer", "catchsegv", "chronic", "torify", "proxychains", "proxychains4", "setarch", "linux64"],
        &["-f"],
        0,
        Weight::Both,
    ),
    wrapper(&["busybox", "toybox"], &[], 0, Weight::Both),
    wrapper(
        &["prlimit", "systemd-run", "systemd-inhibit", "firejail", "fakeroot", "rlwrap"],
        &["-p", "-u", "-E", "--unit", "--property", "--setenv", "--what", "--who", "--why"],
        0,
        Weight::Sealed,
    ),
    wrapper(&["coproc", "noglob", "nocorrect", "-", "and", "or", "not"], &[], 0, Weight::Both),
    wrapper(&["repeat"], &[], 1, Weight::Both),
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
        Weight::Both,
    ),
    wrapper(
        &["parallel"],
        &["-j", "--jobs", "-a", "-I", "-n", "-N", "-S", "--delay", "--timeout"],
        0,
        Weight::Sealed,
    ),
    Wrapper {
        names: &["sudo"],
        valued: &[
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
        weight: Weight::Both,
    },
    Wrapper { names: &["doas"], valued: &["-u", "-C", "-a"], skip: 0, assigns: true, weight: Weight::Both },
    Wrapper {
        names: &["pkexec", "gosu", "su-exec"],
        valued: &["--user"],
        skip: 0,
        assigns: false,
        weight: Weight::Both,
    },
];
