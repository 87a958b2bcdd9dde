//! The script that replaces the launcher when Plimsoll is uninstalled while agents are open.
//!
//! The law: *no open session fails because Plimsoll was uninstalled*. The hook commands of this version don't need
//! the launcher, but a session that began with an earlier version calls it directly, and Copilot CLI and Gemini CLI
//! deny every call if it is gone. The script tells every host to continue. It deletes itself at the first call after
//! a day; the next uninstall deletes it too, and a new connection replaces it with the launcher.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use crate::Service;

/// The script around the answers that some hosts need.
const SCRIPT_START: &str = "#!/bin/sh\n\
    # Plimsoll was uninstalled while agents were open. This keeps their calls going, and goes after a day.\n\
    [ \"$1\" = hook ] || exit 0\n\
    cat >/dev/null\n\
    case \"$2 $3\" in\n";
const SCRIPT_END: &str = "esac\n\
    dir=${0%/*}\n\
    [ -n \"$(find \"$0\" -prune -mtime +0 2>/dev/null)\" ] && rm -f \"$0\" && rmdir \"$dir\" \"${dir%/*}\" 2>/dev/null\n\
    exit 0\n";

/// The pre-tool events, as spelled by hosts whose command names the event.
const EVENTS: [&str; 2] = ["", "PreToolUse"];

/// Writes the script if the system has a shell for it, and returns its path.
///
/// # Errors
/// If it can't be written.
pub(crate) fn write(service: &Service) -> io::Result<Option<PathBuf>> {
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
    let mut script = SCRIPT_START.to_owned();
    for agent in agents::all() {
        for event in EVENTS {
            let go_on = agent.fail_open(Some(event).filter(|event| !event.is_empty())).stdout;
            if !go_on.is_empty() {
                let quoted = go_on.replace('\'', r"'\''");
                let _ = writeln!(script, "'{} {event}') printf '%s\\n' '{quoted}' ;;", agent.id());
            }
        }
    }
    script + SCRIPT_END
}
