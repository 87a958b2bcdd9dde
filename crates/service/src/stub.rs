//! What stays in the launcher's place when Plimsoll is uninstalled while agents are open.
//!
//! The law: *no open session fails because we left*. The commands that we register need no launcher, but a session that
//! began with an earlier version calls the launcher itself, and Copilot CLI and Gemini CLI deny every call when that is
//! gone. For them a script stays that tells every host to go on. It takes itself away at the first call after a day; the
//! next uninstallation takes it too, and a new connection puts the launcher in its place.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use crate::Service;

/// The script, but for what some hosts are told.
const BEFORE: &str = "#!/bin/sh\n\
    # Plimsoll was uninstalled while agents were open. This keeps their calls going, and goes after a day.\n\
    [ \"$1\" = hook ] || exit 0\n\
    cat >/dev/null\n\
    case \"$2 $3\" in\n";
const AFTER: &str = "esac\n\
    dir=${0%/*}\n\
    [ -n \"$(find \"$0\" -prune -mtime +0 2>/dev/null)\" ] && rm -f \"$0\" && rmdir \"$dir\" \"${dir%/*}\" 2>/dev/null\n\
    exit 0\n";

/// Events before a tool runs, in the spelling of hosts whose command names the event.
const EVENTS: [&str; 2] = ["", "PreToolUse"];

/// Leaves the script, where the system has a shell for it; where it is.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn leave(service: &Service) -> io::Result<Option<PathBuf>> {
    if cfg!(windows) {
        return Ok(None);
    }
    let launcher = service.home().launcher();
    home::private_dir(&service.home().bin_dir())?;
    home::write_private(&launcher, script().as_bytes())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&launcher, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(Some(launcher))
}

fn script() -> String {
    let mut script = BEFORE.to_owned();
    for agent in agents::all() {
        for event in EVENTS {
            let go_on = agent.fail_open(Some(event).filter(|event| !event.is_empty())).stdout;
            if !go_on.is_empty() {
                let quoted = go_on.replace('\'', r"'\''");
                let _ = writeln!(script, "'{} {event}') printf '%s\\n' '{quoted}' ;;", agent.id());
            }
        }
    }
    script + AFTER
}
