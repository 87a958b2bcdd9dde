//! What the linker needs about the frameworks that only the desktop uses: their names and paths, without their contents.
//!
//! In which of them a class lives is not written down anywhere but in Apple's SDK, and it moves between versions: `NSArray` belongs to
//! Foundation and is kept in CoreFoundation. A program that names the wrong one does not start. So the desktop names none: each
//! symbol is looked for in all that it loads, and [`crate::package`] checks that every one has one of their names.
//! The sidecar is linked against the full lists in `frameworks/`.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};

/// Frameworks and the letter of their version, which is part of their path.
const FRAMEWORKS: &[(&str, char)] = &[
    ("AppKit", 'C'),
    ("ApplicationServices", 'A'),
    ("Carbon", 'A'),
    ("Cocoa", 'A'),
    ("CoreGraphics", 'A'),
    ("CoreServices", 'A'),
    ("CoreVideo", 'A'),
    ("Foundation", 'C'),
    ("IOSurface", 'A'),
    ("Network", 'A'),
    ("OSAKit", 'A'),
    ("QuartzCore", 'A'),
    ("ServiceManagement", 'A'),
    ("WebKit", 'A'),
];

/// Libraries that aren't frameworks: the runtime of Objective-C.
const LIBRARIES: &[(&str, &str)] = &[("objc", "/usr/lib/libobjc.A.dylib")];

/// Tells the linker to leave missing symbols to be resolved when the program starts.
pub(crate) const FOUND_AT_START: &[&str] = &["-Clink-arg=-Wl,-undefined,dynamic_lookup"];

/// Writes the stubs into `folder`.
pub(super) fn write(folder: &Path) -> Result<()> {
    for (name, version) in FRAMEWORKS {
        let inside = folder.join(format!("{name}.framework"));
        let path = format!("/System/Library/Frameworks/{name}.framework/Versions/{version}/{name}");
        install_stub(&inside.join(format!("{name}.tbd")), &path)?;
    }
    LIBRARIES.iter().try_for_each(|(name, path)| install_stub(&folder.join(format!("lib{name}.tbd")), path))
}

fn install_stub(file: &Path, installed: &str) -> Result<()> {
    let mut text = String::from("--- !tapi-tbd\ntbd-version: 4\n");
    let _ = writeln!(text, "targets: [ arm64-macos, x86_64-macos ]\ninstall-name: '{installed}'\n...");
    let dir = file.parent().context("a stub is in a folder")?;
    std::fs::create_dir_all(dir).with_context(|| format!("creating {}", dir.display()))?;
    std::fs::write(file, text).with_context(|| format!("writing {}", file.display()))
}
