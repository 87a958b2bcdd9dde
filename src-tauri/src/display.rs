//! Whether a window is possible here, found out before the toolkit starts, because the toolkit ends the whole
//! program when it is not. Also what has to be in the environment before it starts.

/// Prepares the environment and the toolkit. Must be called first of all, while there is one thread.
///
/// # Errors
/// Why no window is possible, as the beginning of a sentence.
#[cfg(target_os = "linux")]
pub(crate) fn prepare() -> Result<(), String> {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !set("DISPLAY") && !set("WAYLAND_DISPLAY") {
        return Err("this terminal has no screen (neither DISPLAY nor WAYLAND_DISPLAY is set)".into());
    }
    if std::env::var_os(DMABUF).is_none() {
        // Without this some graphics drivers show an empty window. Whoever set it knows better.
        #[expect(unsafe_code, reason = "nothing else runs yet that could read the environment meanwhile")]
        // SAFETY: called first in `main`, before any thread was started.
        unsafe {
            std::env::set_var(DMABUF, "1");
        }
    }
    gtk::init().map_err(|_| {
        let name = ["WAYLAND_DISPLAY", "DISPLAY"].into_iter().find(|name| set(name)).unwrap_or("DISPLAY");
        let value = std::env::var(name).unwrap_or_default();
        format!("the screen cannot be reached ({name} is {value})")
    })
}

/// Makes WebKit draw without sharing memory with the graphics driver.
#[cfg(target_os = "linux")]
const DMABUF: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// Windows and macOS always have a screen for a program that a person starts.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "on Linux it can fail")]
pub(crate) fn prepare() -> Result<(), String> {
    Ok(())
}
