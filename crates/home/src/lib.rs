//! The Plimsoll folder: paths, settings, databases, locks, the stable launcher.
