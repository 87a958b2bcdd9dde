//! Checks whether a window is possible before the toolkit starts, because the toolkit ends the program if it isn't.
//! Also sets the environment that the toolkit needs.

/// Whether there may be a screen, and the toolkit's environment. Must be called first, while there is only one
/// thread.
///
/// # Errors
/// Why no window is possible, as the beginning of a sentence.
#[cfg(target_os = "linux")]
pub(crate) fn check() -> Result<(), String> {
    if !set("DISPLAY") && !set("WAYLAND_DISPLAY") {
        return Err("this terminal has no screen (neither DISPLAY nor WAYLAND_DISPLAY is set)".into());
    }
    // Without this, some graphics drivers show an empty window.
    prefer(DMABUF, "1");
    // On X11 the toolkit loads the graphics driver to query its colours before it shows anything, and a driver with
    // its compiler is several times as large as this program. The page is drawn in its own process. On Wayland
    // nothing is queried, and windows may need the driver.
    if !set("WAYLAND_DISPLAY") {
        prefer("GDK_GL", "disable");
    }
    Ok(())
}

/// Starts the toolkit, on the main thread.
///
/// # Errors
/// Why no window is possible, as the beginning of a sentence.
#[cfg(target_os = "linux")]
pub(crate) fn start() -> Result<(), String> {
    gtk::init().map_err(|_| {
        let name = ["WAYLAND_DISPLAY", "DISPLAY"].into_iter().find(|name| set(name)).unwrap_or("DISPLAY");
        let value = std::env::var(name).unwrap_or_default();
        format!("the screen can't be reached ({name} is {value})")
    })
}

/// Sets a variable, unless the user has set it.
#[cfg(target_os = "linux")]
fn prefer(name: &str, value: &str) {
    if std::env::var_os(name).is_none() {
        #[expect(unsafe_code, reason = "nothing else runs yet that could read the environment meanwhile")]
        // SAFETY: called first in `main`, before any thread is started.
        unsafe {
            std::env::set_var(name, value);
        }
    }
}

/// Whether a variable has a value.
#[cfg(target_os = "linux")]
fn set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Makes WebKit draw without sharing memory with the graphics driver.
#[cfg(target_os = "linux")]
const DMABUF: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// On Windows and macOS, a program started by a user always has a screen.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "on Linux it can fail")]
pub(crate) fn check() -> Result<(), String> {
    Ok(())
}

/// The toolkit starts with the program.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "on Linux it can fail")]
pub(crate) fn start() -> Result<(), String> {
    Ok(())
}
