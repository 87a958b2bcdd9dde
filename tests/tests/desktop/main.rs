//! The desktop as the person's session sees it: a tray over D-Bus, windows on a screen, processes. Each test has
//! a session of its own (bus, screen, home), plays the panel itself, and drives the built binary.
//!
//! Of what the window's page shows, `page` looks at what only the real web view can tell; the rest is tested in a
//! browser.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod driver;
mod panel;
mod screen;
mod session;

mod menu;
mod page;
mod starting;
mod window;
