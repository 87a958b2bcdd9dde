//! System packages: which are missing, why they are needed, and installing them with the system's own
//! package manager after asking.

use std::io::{IsTerminal, Write};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::place::on_path;
use crate::steps::{go, say};

/// A program that is needed, why, and what it is called in each package manager (`-`: not there, or part
/// of the system).
pub(crate) struct Need {
    /// Any one of these satisfies it: a program on PATH, or `lib:` and a library as pkg-config names it.
    pub(crate) programs: &'static [&'static str],
    pub(crate) why: &'static str,
    pub(crate) apt: &'static str,
    pub(crate) dnf: &'static str,
    pub(crate) pacman: &'static str,
    pub(crate) brew: &'static str,
    pub(crate) winget: &'static str,
}

/// Building.
pub(crate) const BUILD: &[Need] = &[Need {
    programs: &["cc", "gcc", "clang", "cl"],
    why: "compiles SQLite, which is built in",
    apt: "build-essential",
    dnf: "gcc",
    pacman: "base-devel",
    brew: "-",
    winget: "Microsoft.VisualStudio.2022.BuildTools",
}];

/// Building the desktop: the web view of the system. Windows and macOS bring their own.
pub(crate) const DESKTOP: &[Need] = if cfg!(target_os = "linux") {
    &[
        runtime(
            &["pkg-config", "pkgconf"],
            "finds the libraries of the window",
            "pkg-config",
            "pkgconf-pkg-config",
            "pkgconf",
            "-",
            "-",
        ),
        runtime(
            &["lib:webkit2gtk-4.1"],
            "shows the window",
            "libwebkit2gtk-4.1-dev",
            "webkit2gtk4.1-devel",
            "webkit2gtk-4.1",
            "-",
            "-",
        ),
    ]
} else {
    &[]
};

/// Testing the desktop: a screen and a session bus of the tests' own.
pub(crate) const SCREEN: &[Need] = if cfg!(target_os = "linux") {
    &[
        runtime(
            &["Xvfb"],
            "a screen for the tests",
            "xvfb",
            "xorg-x11-server-Xvfb",
            "xorg-server-xvfb",
            "-",
            "-",
        ),
        runtime(
            &["dbus-daemon"],
            "a session bus for the tests",
            "dbus-daemon",
            "dbus-daemon",
            "dbus",
            "-",
            "-",
        ),
    ]
} else {
    &[]
};

/// Looking at the window: a browser for its page, and the web view's driver for the real one.
pub(crate) const WINDOW: &[Need] = if cfg!(target_os = "linux") {
    &[
        runtime(
            &["chromium", "chromium-browser", "google-chrome"],
            "shows the window's page in the tests",
            "chromium",
            "chromium",
            "chromium",
            "-",
            "-",
        ),
        runtime(
            &["WebKitWebDriver"],
            "drives the real window in the tests",
            "webkit2gtk-driver",
            "webkit2gtk-driver",
            "webkit2gtk-4.1",
            "-",
            "-",
        ),
    ]
} else {
    &[]
};

/// Packing anything: the window's page is built with it.
pub(crate) const PACKAGE: &[Need] =
    &[runtime(&["npm"], "builds the window's page", "npm", "npm", "npm", "node", "OpenJS.NodeJS.LTS")];

/// Packing for Linux, which is done on Debian and its kin.
pub(crate) const PACKAGE_LINUX: &[Need] = &[
    runtime(&["dpkg-shlibdeps"], "works out the libraries of the deb", "dpkg-dev", "-", "-", "-", "-"),
    runtime(&["rpmbuild"], "packs the rpm", "rpm", "rpm-build", "rpm-tools", "-", "-"),
    runtime(&["lintian"], "checks the deb", "lintian", "-", "-", "-", "-"),
    runtime(&["appstreamcli"], "checks the page in software centres", "appstream", "-", "-", "-", "-"),
    runtime(&["desktop-file-validate"], "checks the menu's entry", "desktop-file-utils", "-", "-", "-", "-"),
    runtime(&["xvfb-run"], "a screen to try the desktop on", "xvfb xauth", "-", "-", "-", "-"),
    runtime(&["xwininfo"], "sees the desktop's window", "x11-utils", "-", "-", "-", "-"),
    runtime(&["dbus-run-session"], "a session bus to try the desktop on", "dbus", "-", "-", "-", "-"),
];

/// Packing for Windows.
pub(crate) const PACKAGE_WINDOWS: &[Need] = &[
    runtime(&["wixl"], "packs the .msi", "wixl", "msitools", "msitools", "msitools", "-"),
    runtime(&["msibuild"], "completes the .msi", "msitools", "msitools", "msitools", "msitools", "-"),
    runtime(&["makensis"], "packs the setup program", "nsis", "-", "-", "-", "-"),
];

/// The disk image for macOS.
pub(crate) const PACKAGE_MACOS: &[Need] = &[
    runtime(&["xorriso"], "lays out the volume", "xorriso", "xorriso", "libisoburn", "xorriso", "-"),
    runtime(&["dmg2img"], "reads the image back", "dmg2img", "-", "-", "-", "-"),
];

/// Testing: one runtime per language of the sandbox.
pub(crate) const TEST: &[Need] = &[
    runtime(
        &["node"],
        "runs JavaScript snippets and the agents' command lines",
        "nodejs",
        "nodejs",
        "nodejs",
        "node",
        "OpenJS.NodeJS.LTS",
    ),
    runtime(
        &["tsc"],
        "runs TypeScript snippets where Node.js cannot by itself",
        "node-typescript",
        "-",
        "typescript",
        "typescript",
        "-",
    ),
    runtime(&["npm"], "installs the agents that are driven in the tests", "npm", "npm", "npm", "-", "-"),
    runtime(
        &["python3", "python"],
        "runs Python snippets",
        "python3",
        "python3",
        "python",
        "python",
        "Python.Python.3.13",
    ),
    runtime(
        &["pytest"],
        "fails a real test suite before a real agent",
        "python3-pytest",
        "python3-pytest",
        "python-pytest",
        "-",
        "-",
    ),
    runtime(&["bash"], "runs shell snippets", "bash", "bash", "bash", "-", "Git.Git"),
    runtime(&["ruby"], "runs Ruby snippets", "ruby", "ruby", "ruby", "ruby", "RubyInstallerTeam.Ruby.3.3"),
    runtime(&["go"], "runs Go snippets", "golang-go", "golang", "go", "go", "GoLang.Go"),
    runtime(&["php"], "runs PHP snippets", "php-cli", "php-cli", "php", "php", "PHP.PHP.8.4"),
    runtime(&["perl"], "runs Perl snippets", "perl", "perl", "perl", "perl", "StrawberryPerl.StrawberryPerl"),
    runtime(&["Rscript"], "runs R snippets", "r-base-core", "R-core", "r", "r", "RProject.R"),
    runtime(&["elixir"], "runs Elixir snippets", "elixir", "elixir", "elixir", "elixir", "ElixirLang.Elixir"),
    runtime(
        &["dotnet", "mcs", "csc"],
        "runs C# snippets",
        "mono-mcs mono-runtime",
        "mono-core",
        "mono",
        "mono",
        "Microsoft.DotNet.SDK.10",
    ),
    runtime(&["strace"], "proves that nothing connects by itself", "strace", "strace", "strace", "-", "-"),
    runtime(
        &["postgres", "pg_ctlcluster"],
        "an organisation's server for the tests of memory",
        "postgresql",
        "postgresql-server postgresql-contrib",
        "postgresql",
        "postgresql",
        "-",
    ),
    runtime(
        &["pip3", "pip"],
        "brings a PostgreSQL with pgvector",
        "python3-pip",
        "python3-pip",
        "python-pip",
        "-",
        "-",
    ),
    runtime(
        &["pgbouncer", "/usr/sbin/pgbouncer"],
        "pools connections before such a server",
        "pgbouncer",
        "pgbouncer",
        "pgbouncer",
        "pgbouncer",
        "-",
    ),
    runtime(&["dbus-run-session"], "a session for a keyring", "dbus-daemon", "dbus-daemon", "dbus", "-", "-"),
    runtime(
        &["gnome-keyring-daemon"],
        "keeps keys of models in the tests",
        "gnome-keyring",
        "gnome-keyring",
        "gnome-keyring",
        "-",
        "-",
    ),
    runtime(&["secret-tool"], "asks that keyring", "libsecret-tools", "libsecret", "libsecret", "-", "-"),
    runtime(&["git"], "the tests make repositories", "git", "git", "git", "git", "Git.Git"),
];

const fn runtime(
    programs: &'static [&'static str],
    why: &'static str,
    apt: &'static str,
    dnf: &'static str,
    pacman: &'static str,
    brew: &'static str,
    winget: &'static str,
) -> Need {
    Need { programs, why, apt, dnf, pacman, brew, winget }
}

/// Installs the missing ones of `needs`, after saying which and why, and asking.
pub(crate) fn ensure(needs: &[&Need], yes: bool) -> Result<()> {
    let missing: Vec<&&Need> =
        needs.iter().filter(|need| !need.programs.iter().any(|program| is_there(program))).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let manager = Manager::find()
        .context("no package manager was found (apt, dnf, pacman, brew, winget); install by hand: ")
        .with_context(|| missing.iter().map(|need| need.programs[0]).collect::<Vec<_>>().join(", "))?;
    say("These programs are missing:");
    let mut packages = Vec::new();
    for need in &missing {
        let package = manager.package(need);
        say(&format!("  {:<10} {:<28} {}", need.programs[0], package, need.why));
        if package != "-" {
            packages.extend(package.split(' '));
        }
    }
    if packages.is_empty() {
        return Ok(());
    }
    let install = manager.install(&packages);
    say(&format!("They would be installed with `{} …`.", install.get_program().display()));
    if !yes && !user_agrees()? {
        bail!("nothing was installed; run again with --yes, or install them yourself");
    }
    // A mirror that answers badly once, or another package manager that has just begun, isn't a reason to give up.
    with_one_retry(|| manager.refresh().map_or(Ok(()), |mut refresh| go(&mut refresh)))?;
    with_one_retry(|| go(&mut manager.install(&packages)))
}

/// Tries once more what failed.
fn with_one_retry(action: impl Fn() -> Result<()>) -> Result<()> {
    action().or_else(|error| {
        say(&format!("{error:#}; trying once more"));
        action()
    })
}

fn is_there(program: &str) -> bool {
    let Some(library) = program.strip_prefix("lib:") else { return on_path(program).is_some() };
    Command::new("pkg-config").args(["--exists", library]).status().is_ok_and(|status| status.success())
}

fn user_agrees() -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        bail!("packages are missing and nobody can be asked here; run again with --yes");
    }
    let mut stdout = std::io::stdout();
    write!(stdout, "Install them? [Y/n] ")?;
    stdout.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes"))
}

/// How long apt waits for another package manager to release the lock, in seconds: a fresh machine often
/// updates itself first.
const WAIT_FOR_LOCK: &str = "-oDPkg::Lock::Timeout=300";

#[derive(Clone, Copy)]
enum Manager {
    Apt,
    Dnf,
    Pacman,
    Brew,
    Winget,
}

impl Manager {
    fn find() -> Option<Self> {
        [
            ("apt-get", Self::Apt),
            ("dnf", Self::Dnf),
            ("pacman", Self::Pacman),
            ("brew", Self::Brew),
            ("winget", Self::Winget),
        ]
        .into_iter()
        .find_map(|(program, manager)| on_path(program).map(|_| manager))
    }

    fn package(self, need: &Need) -> &'static str {
        match self {
            Self::Apt => need.apt,
            Self::Dnf => need.dnf,
            Self::Pacman => need.pacman,
            Self::Brew => need.brew,
            Self::Winget => need.winget,
        }
    }

    fn refresh(self) -> Option<Command> {
        matches!(self, Self::Apt).then(|| as_root("apt-get", &["update", "-q", WAIT_FOR_LOCK]))
    }

    fn install(self, packages: &[&str]) -> Command {
        let mut command = match self {
            Self::Apt => {
                as_root("apt-get", &["install", "-q", "-y", "--no-install-recommends", WAIT_FOR_LOCK])
            }
            Self::Dnf => as_root("dnf", &["install", "-y"]),
            Self::Pacman => as_root("pacman", &["-S", "--needed", "--noconfirm"]),
            Self::Brew => with_args("brew", &["install"]),
            Self::Winget => {
                with_args("winget", &["install", "--accept-package-agreements", "--accept-source-agreements"])
            }
        };
        command.args(packages).env("DEBIAN_FRONTEND", "noninteractive");
        command
    }
}

fn as_root(program: &str, args: &[&str]) -> Command {
    if is_root() || on_path("sudo").is_none() {
        with_args(program, args)
    } else {
        let mut command = with_args("sudo", &[program]);
        command.args(args);
        command
    }
}

/// Whether the system's administrator runs this program; only Linux says.
pub(crate) fn is_root() -> bool {
    #[cfg(unix)]
    {
        std::fs::metadata("/proc/self").is_ok_and(|meta| std::os::unix::fs::MetadataExt::uid(&meta) == 0)
    }
    #[cfg(not(unix))]
    false
}

fn with_args(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args);
    command
}
