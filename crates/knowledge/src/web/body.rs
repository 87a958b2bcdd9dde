//! Converts a body: HTML to Markdown, JSON and text as they are, a PDF's text, and everything else into a file. Knows no network
//! and no store.

use std::io::Write;
use std::path::{Path, PathBuf};

use text::Format;
use url::Url;

use super::error::FetchError;
use crate::{decode, html_page};

/// A usable body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conversion {
    /// Text to index.
    Text {
        /// The page's own title.
        title: Option<String>,
        /// The text.
        text: String,
        /// How to chunk it.
        format: Format,
    },
    /// Not text: saved to a file.
    Saved {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// The server's content type.
        content_type: String,
    },
}

/// Converts a body to text, or saves it below `downloads_dir`.
///
/// # Errors
/// [`FetchError::Unreadable`] if a PDF has no text or the file can't be written.
pub fn convert(
    url: &str,
    content_type: Option<&str>,
    body: Vec<u8>,
    downloads_dir: &Path,
) -> Result<Conversion, FetchError> {
    let declared = content_type.unwrap_or_default();
    let kind = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let charset = declared.split(';').skip(1).find_map(|p| {
        let (name, value) = p.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"').to_owned())
    });
    if body.starts_with(b"%PDF-") {
        let reason = |reason| FetchError::Unreadable { url: url.to_owned(), reason };
        let text = crate::pdf::text_of(body).map_err(reason)?;
        return Ok(Conversion::Text { title: None, text, format: Format::Plain });
    }
    let declared_text = kind.starts_with("text/")
        || TEXT_KINDS.contains(&kind.as_str())
        || kind.ends_with("+json")
        || kind.ends_with("+xml");
    if decode::is_binary(&body) || BINARY_KINDS.iter().any(|b| kind.starts_with(b)) && !declared_text {
        let path = save(url, &body, downloads_dir).map_err(|error| FetchError::Unreadable {
            url: url.to_owned(),
            reason: format!("it isn't text, and saving it to {} failed: {error}", downloads_dir.display()),
        })?;
        let content_type = if kind.is_empty() { "application/octet-stream".to_owned() } else { kind };
        return Ok(Conversion::Saved { path, bytes: body.len() as u64, content_type });
    }
    let html = matches!(kind.as_str(), "text/html" | "application/xhtml+xml")
        || (UNTYPED.contains(&kind.as_str()) && html_page::looks_like_html(&body));
    if html {
        let page = html_page::read(&body, charset.as_deref(), url);
        return Ok(Conversion::Text { title: page.title, text: page.markdown, format: Format::Markdown });
    }
    // Plain text and Markdown can hide words from its readers, too.
    let text = text::without_invisible(&decode::text_of(&body, charset.as_deref()));
    let format = match kind.as_str() {
        "text/markdown" | "text/x-markdown" => Format::Markdown,
        "application/json" => Format::Json,
        k if k.ends_with("+json") => Format::Json,
        _ => {
            let path = Url::parse(url).map(|u| u.path().to_owned()).unwrap_or_default();
            text::format_of(&path, &text)
        }
    };
    let text = match format {
        Format::Markdown => text::without_comments(&text).into_owned(),
        _ => text,
    };
    Ok(Conversion::Text { title: None, text, format })
}

/// Content types that say nothing about whether a body is a page.
const UNTYPED: &[&str] = &["", "application/octet-stream", "application/xml", "text/xml"];
/// Content types that are text although their names don't say so.
const TEXT_KINDS: &[&str] = &[
    "application/json",
    "application/javascript",
    "application/ecmascript",
    "application/xml",
    "application/xhtml+xml",
    "application/yaml",
    "application/x-yaml",
    "application/toml",
    "application/sql",
    "application/x-sh",
    "application/ld+json",
    "image/svg+xml",
];
/// Content types that aren't text even if their first bytes could be.
const BINARY_KINDS: &[&str] =
    &["image/", "audio/", "video/", "font/", "application/zip", "application/gzip", "application/wasm"];

fn save(url: &str, body: &[u8], dir: &Path) -> std::io::Result<PathBuf> {
    home::private_dir(dir)?;
    let name = file_name(url);
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem.to_owned(), format!(".{ending}")),
        _ => (name, String::new()),
    };
    for n in 1..1_000 {
        let name = if n == 1 { format!("{stem}{ending}") } else { format!("{stem}-{n}{ending}") };
        let path = dir.join(name);
        match home::private_options().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                file.write_all(body)?;
                return Ok(path);
            }
            // The same file fetched again needs no second copy.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                let same_size = std::fs::metadata(&path).is_ok_and(|m| m.len() == body.len() as u64);
                if same_size && std::fs::read(&path).is_ok_and(|old| old == body) {
                    return Ok(path);
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(std::io::Error::other("too many files of this name"))
}

/// A safe file name: the host and the path's last step, plain characters only.
fn file_name(url: &str) -> String {
    let parsed = Url::parse(url).ok();
    let host = parsed.as_ref().and_then(Url::host_str).unwrap_or("download");
    let last = parsed
        .as_ref()
        .and_then(|u| u.path_segments().and_then(|mut s| s.rfind(|p| !p.is_empty())))
        .unwrap_or("file");
    let plain: String = format!("{host}-{last}")
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '-' })
        .collect();
    let plain = plain.trim_matches(['.', '-']);
    let start = plain.len().saturating_sub(100);
    plain[start..].trim_start_matches(['.', '-']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(content_type: &str, body: &[u8]) -> (String, Format) {
        let dir = tempfile::tempdir().expect("temp");
        match convert("https://x.org/a", Some(content_type), body.to_vec(), dir.path()).expect("convert") {
            Conversion::Text { text, format, .. } => (text, format),
            Conversion::Saved { path, .. } => panic!("saved to {}", path.display()),
        }
    }

    #[test]
    fn kinds_and_encodings_are_distinguished() {
        assert_eq!(
            text_of("application/json; charset=utf-8", b"{\"a\":1}"),
            ("{\"a\":1}".into(), Format::Json)
        );
        assert_eq!(text_of("application/problem+json", b"{}").1, Format::Json);
        assert_eq!(text_of("text/markdown", b"# x").1, Format::Markdown);
        let tagged = "# Tides\n\nHigh\u{e0049}\u{e0047}\u{e004e}\u{200b} <!-- low -->water 👨\u{200d}👩\n";
        assert_eq!(text_of("text/markdown", tagged.as_bytes()).0, "# Tides\n\nHigh water 👨\u{200d}👩\n");
        assert_eq!(text_of("text/plain; charset=\"iso-8859-1\"", b"caf\xe9").0, "café");
        assert!(
            text_of(
                "text/html",
                b"<html><head><meta charset=shift_jis></head><body><p>\x93\xFA\x96\x7B</p></body></html>"
            )
            .0
            .contains("日本")
        );
        assert!(
            text_of("", b"<!DOCTYPE html><html><body><h1>Hi</h1><p>there</p></body></html>").0.contains("Hi")
        );
        let commented =
            text_of("", b"<!-- copied --><!DOCTYPE html><body><p>there</p><script>bad()</script></body>");
        assert_eq!((commented.0.trim(), commented.1), ("there", Format::Markdown));
        let xhtml = b"<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>there</p></body></html>";
        let xhtml = text_of("application/xml", xhtml);
        assert_eq!((xhtml.0.trim(), xhtml.1), ("there", Format::Markdown));
        assert!(text_of("application/xml", b"<feed><a/></feed>").0.contains("<feed>"));
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_can_open_what_was_downloaded() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().expect("temp");
        let downloads = dir.path().join("downloads");
        let saved = convert("https://x.org/a.png", Some("image/png"), vec![0, 1, 2, 3], &downloads);
        let Ok(Conversion::Saved { path, .. }) = saved else { panic!("it is an image") };
        let mode = |path: &Path| std::fs::metadata(path).expect("metadata").permissions().mode() & 0o777;
        assert_eq!((mode(&downloads), mode(&path)), (0o700, 0o600));
    }

    #[test]
    fn file_names_are_harmless() {
        assert_eq!(file_name("https://x.org/a/b/..%2f..%2fetc/passwd?x"), "x.org-passwd");
        assert_eq!(file_name("https://x.org/"), "x.org-file");
        assert!(file_name(&format!("https://x.org/{}", "ä".repeat(400))).len() <= 100);
    }
}
