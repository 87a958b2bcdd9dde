//! The desktop as the user's session sees it: a tray over D-Bus, windows on a screen, processes. Each test has a session of its own
//! (bus, screen, home), plays the panel itself, and drives the built binary.
//!
//! `page` checks only what the real web view can tell about the window's page; the rest is tested in a browser.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod driver;
mod panel;
mod screen;
mod session;

mod apart;
mod menu;
mod page;
mod startup;
mod window;
