//! The desktop as the person's session sees it: a tray over D-Bus, windows on a screen, processes. Each test has
//! a session of its own (bus, screen, home), plays the panel itself, and drives the built binary.
//!
//! Knows nothing of what the window's page shows; that is tested in a browser and through WebDriver.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod panel;
mod screen;
mod session;

mod menu;
mod starting;
mod window;
