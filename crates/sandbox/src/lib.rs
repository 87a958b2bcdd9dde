//! Running code and commands: languages, limits, output capture, background tasks.
