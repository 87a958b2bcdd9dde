//! One instance per login session. A start that finds another instance passes its arguments on and ends before any
//! toolkit is loaded: passing a link on needs no screen and can't fail while ending.
//!
//! On Linux the name on the session bus marks the running instance. Windows and macOS use the toolkit's plugin, where
//! starting the toolkit is cheap and ends cleanly.

/// The name, object and interface of the running instance on the bus. Earlier versions used the same, so an older
/// instance still running after an upgrade can be reached.
const NAME: &str = "dev.plimsoll.desktop.SingleInstance";
const OBJECT: &str = "/dev/plimsoll/desktop/SingleInstance";
const INTERFACE: &str = "org.SingleInstance.DBus";

/// The requests of other starts: their arguments, with the program's own name first.
pub(crate) type Requests = std::sync::mpsc::Receiver<Vec<String>>;

/// The result of claiming.
pub(crate) enum Start {
    /// This is the only instance: the claim, and later requests. Without a bus no other instance can be found, and
    /// none asks.
    First(Option<(Claim, Requests)>),
    /// The running instance has taken the arguments.
    HandedOver,
}

/// The claim to be the only instance. Dropping it releases the claim.
pub(crate) struct Claim {
    connection: zbus::blocking::Connection,
}

impl tauri::Resource for Claim {}

impl Drop for Claim {
    fn drop(&mut self) {
        // The next start must not talk to an instance that is ending.
        let _ = self.connection.release_name(NAME);
    }
}

struct BusObject {
    requests: std::sync::mpsc::Sender<Vec<String>>,
}

#[zbus::interface(name = "org.SingleInstance.DBus")]
impl BusObject {
    /// Only queued, so that the caller never waits for a window.
    fn execute_callback(&self, arguments: Vec<String>, _folder: &str) -> zbus::fdo::Result<()> {
        self.requests
            .send(arguments)
            .map_err(|_| zbus::fdo::Error::Failed("the program is ending".to_owned()))
    }
}

/// Claims to be the only instance, or passes the arguments to the one that is.
///
/// # Errors
/// If one runs but doesn't answer, with the remedy.
pub(crate) fn claim(arguments: &[String]) -> Result<Start, String> {
    // An instance that is just ending keeps the name for a moment and no longer accepts requests.
    const TRIES: u32 = 20;
    let mut why = String::new();
    for _ in 0..TRIES {
        match try_claim() {
            Ok(first) => return Ok(Start::First(Some(first))),
            Err(zbus::Error::NameTaken) => {}
            // Without a bus, another instance can't be found.
            Err(_) => return Ok(Start::First(None)),
        }
        match pass_arguments(arguments) {
            Ok(()) => return Ok(Start::HandedOver),
            Err(error) if is_gone(&error) => why = error.to_string(),
            Err(error) => {
                why = error.to_string();
                break;
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Err(format!(
        "Plimsoll is already running but didn't answer ({why}). Quit it in its tray menu, or end the process \
         plimsoll-desktop, and start it again"
    ))
}

fn try_claim() -> zbus::Result<(Claim, Requests)> {
    let (sender, requests) = std::sync::mpsc::channel();
    let connection = zbus::blocking::connection::Builder::session()?
        .replace_existing_names(false)
        .allow_name_replacements(false)
        .serve_at(OBJECT, BusObject { requests: sender })?
        .name(NAME)?
        .build()?;
    Ok((Claim { connection }, requests))
}

fn pass_arguments(arguments: &[String]) -> zbus::Result<()> {
    /// Limits the wait for an instance that is stopped or too busy.
    const ANSWER_LIMIT: std::time::Duration = std::time::Duration::from_secs(10);

    let connection = zbus::blocking::connection::Builder::session()?.method_timeout(ANSWER_LIMIT).build()?;
    let program = std::env::args_os().next().unwrap_or_default().to_string_lossy().into_owned();
    let all: Vec<&str> =
        std::iter::once(program.as_str()).chain(arguments.iter().map(String::as_str)).collect();
    let folder = std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned();
    connection.call_method(Some(NAME), OBJECT, Some(INTERFACE), "ExecuteCallback", &(all, folder))?;
    Ok(())
}

/// Whether the other instance ended between holding the name and being asked.
fn is_gone(error: &zbus::Error) -> bool {
    let zbus::Error::MethodError(name, ..) = error else { return false };
    let known = ["NameHasNoOwner", "ServiceUnknown", "NoReply", "Disconnected", "Failed"];
    name.strip_prefix("org.freedesktop.DBus.Error.").is_some_and(|name| known.contains(&name))
}
