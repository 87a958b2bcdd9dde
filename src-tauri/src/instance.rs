//! One program for each login session. A start that finds another one running hands its arguments over and ends, before any
//! toolkit is loaded: what only passes a link on needs no screen, and has nothing that could fail while it ends.
//!
//! On Linux the session bus holds the name. Windows and macOS have the toolkit's plugin for it, where starting costs
//! nothing that ending could trip over.

/// Name, object and interface of the running program on the bus. They are those that earlier versions used: after an
/// upgrade the older program may still run, and is reached.
const NAME: &str = "dev.plimsoll.desktop.SingleInstance";
const OBJECT: &str = "/dev/plimsoll/desktop/SingleInstance";
const INTERFACE: &str = "org.SingleInstance.DBus";

/// What another start asked of us: its arguments, with the program's own name first.
pub(crate) type Requests = std::sync::mpsc::Receiver<Vec<String>>;

/// How a start goes on.
pub(crate) enum Start {
    /// Nobody else runs: the claim, and what is asked from now on. Without a bus nobody can be found, and nobody asks.
    First(Option<(First, Requests)>),
    /// The running program has taken the arguments.
    Handed,
}

/// The claim to be the only one. It ends when this is dropped.
pub(crate) struct First {
    connection: zbus::blocking::Connection,
}

impl tauri::Resource for First {}

impl Drop for First {
    fn drop(&mut self) {
        // The next start must not speak to one that is going.
        let _ = self.connection.release_name(NAME);
    }
}

struct Door {
    requests: std::sync::mpsc::Sender<Vec<String>>,
}

#[zbus::interface(name = "org.SingleInstance.DBus")]
impl Door {
    /// Only noted, so that whoever asks never waits for a window.
    fn execute_callback(&self, arguments: Vec<String>, _folder: &str) -> zbus::fdo::Result<()> {
        self.requests
            .send(arguments)
            .map_err(|_| zbus::fdo::Error::Failed("the program is ending".to_owned()))
    }
}

/// Claims to be the only one, or hands the arguments to the one that is.
///
/// # Errors
/// When one runs and does not answer, with what to do about it.
pub(crate) fn claim(arguments: &[String]) -> Result<Start, String> {
    // One that is just ending holds the name for a moment and takes nothing any more.
    const TRIES: u32 = 20;
    let mut why = String::new();
    for _ in 0..TRIES {
        match first() {
            Ok(first) => return Ok(Start::First(Some(first))),
            Err(zbus::Error::NameTaken) => {}
            // Without a bus there is no way to find another one.
            Err(_) => return Ok(Start::First(None)),
        }
        match hand_over(arguments) {
            Ok(()) => return Ok(Start::Handed),
            Err(error) if gone(&error) => why = error.to_string(),
            Err(error) => {
                why = error.to_string();
                break;
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Err(format!(
        "Plimsoll runs already and did not take this ({why}). Quit it in its tray menu, or end the process \
         plimsoll-desktop, and start it again"
    ))
}

fn first() -> zbus::Result<(First, Requests)> {
    let (sender, requests) = std::sync::mpsc::channel();
    let connection = zbus::blocking::connection::Builder::session()?
        .replace_existing_names(false)
        .allow_name_replacements(false)
        .serve_at(OBJECT, Door { requests: sender })?
        .name(NAME)?
        .build()?;
    Ok((First { connection }, requests))
}

fn hand_over(arguments: &[String]) -> zbus::Result<()> {
    /// For one that is stopped, or so busy that nobody would wait for it.
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

    let connection = zbus::blocking::connection::Builder::session()?.method_timeout(PATIENCE).build()?;
    let program = std::env::args_os().next().unwrap_or_default().to_string_lossy().into_owned();
    let all: Vec<&str> =
        std::iter::once(program.as_str()).chain(arguments.iter().map(String::as_str)).collect();
    let folder = std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned();
    connection.call_method(Some(NAME), OBJECT, Some(INTERFACE), "ExecuteCallback", &(all, folder))?;
    Ok(())
}

/// Whether the other one ended between holding the name and being asked.
fn gone(error: &zbus::Error) -> bool {
    let zbus::Error::MethodError(name, ..) = error else { return false };
    let known = ["NameHasNoOwner", "ServiceUnknown", "NoReply", "Disconnected", "Failed"];
    name.strip_prefix("org.freedesktop.DBus.Error.").is_some_and(|name| known.contains(&name))
}
