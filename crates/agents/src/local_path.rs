//! Paths as agents write them in payloads and MCP roots: plain ones, `file:` URLs, and what VS Code's descendants write on Windows.
//! Reads no disk.

use std::borrow::Cow;
use std::path::PathBuf;

/// The path that an agent writes as `text`.
pub(crate) fn local_path(text: &str) -> PathBuf {
    path_of_file_url(text).unwrap_or_else(|| PathBuf::from(&*native(text, cfg!(windows))))
}

/// Without the slash that Cursor and VS Code put before a drive: `/c:/ana` is `c:\ana`.
fn native(text: &str, windows: bool) -> Cow<'_, str> {
    let after = text.strip_prefix('/').filter(|rest| {
        windows
            && rest.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && rest.as_bytes().get(1) == Some(&b':')
    });
    after.map_or(Cow::Borrowed(text), |rest| Cow::Owned(rest.replace('/', "\\")))
}

/// The path of a `file:` URL; `None` for other schemes and other hosts.
#[must_use]
pub fn path_of_file_url(url: &str) -> Option<PathBuf> {
    let rest = url.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = percent_decoded(rest)?;
    if cfg!(windows) {
        let path = path.strip_prefix('/').unwrap_or(&path);
        return Some(PathBuf::from(path.replace('/', "\\")));
    }
    path.starts_with('/').then(|| PathBuf::from(path))
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drive_has_no_slash_before_it_on_windows() {
        for (text, windows, wanted) in [
            ("/c:/ana/shop", true, "c:\\ana\\shop"),
            ("/C:", true, "C:"),
            ("C:\\work", true, "C:\\work"),
            ("/work:/shop", true, "/work:/shop"),
            ("/é:/shop", true, "/é:/shop"),
            ("/", true, "/"),
            ("/c:/ana/shop", false, "/c:/ana/shop"),
        ] {
            assert_eq!(native(text, windows), wanted, "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_url_of_this_computer_is_a_path_and_any_other_text_stays() {
        for (text, wanted) in [
            ("/w/shop", "/w/shop"),
            ("file:///w/a%20b", "/w/a b"),
            ("file://localhost/w/gr%C3%B6%C3%9Fe", "/w/größe"),
            ("file://server/share", "file://server/share"),
            ("file:///w/%", "file:///w/%"),
            ("file:///w/%FF", "file:///w/%FF"),
            ("vscode-remote://wsl/w/shop", "vscode-remote://wsl/w/shop"),
        ] {
            assert_eq!(local_path(text), PathBuf::from(wanted), "{text}");
        }
    }
}
