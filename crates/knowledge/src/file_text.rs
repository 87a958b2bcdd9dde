//! The text of a file to index: a page as Markdown, like a fetched one; a PDF's text; other text decoded and unchanged.
//! Says why a file has no text. Doesn't read files.

use std::path::Path;

use text::Format;

use crate::{decode, html_page};

/// A file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileText {
    pub(crate) content: String,
    /// How to chunk it; `None` decides by name and content.
    pub(crate) format: Option<Format>,
}

/// The text of the file `path`, whose bytes are `bytes`, or why there is none.
pub(crate) fn of(path: &Path, bytes: Vec<u8>) -> Result<FileText, String> {
    if bytes.starts_with(b"%PDF-") {
        return Ok(FileText { content: crate::pdf::text_of(bytes)?, format: None });
    }
    if decode::is_binary(&bytes) {
        return Err(not_text(&bytes).to_owned());
    }
    if named_html(path) && !is_template(&bytes) {
        let page = html_page::read(&bytes, None, "");
        return Ok(FileText { content: page.markdown, format: Some(Format::Markdown) });
    }
    Ok(FileText { content: decode::text_of(&bytes, None), format: None })
}

/// Whether the lines of what is indexed aren't the lines of the file `path`.
pub(crate) fn has_other_lines(path: &str) -> bool {
    let path = Path::new(path);
    named_html(path) || has_ending(path, &["pdf"])
}

fn named_html(path: &Path) -> bool {
    has_ending(path, &["html", "htm", "xhtml"])
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|own| endings.iter().any(|ending| own.eq_ignore_ascii_case(ending)))
}

/// Whether this is a part of a page with the marks of a template engine or a framework. That is code: as a page it would lose
/// what it is about.
fn is_template(bytes: &[u8]) -> bool {
    const MARKS: [&str; 8] = ["{{", "{%", "<%", "<?php", "<?=", "*ngIf", "*ngFor", "@if ("];
    if html_page::looks_like_html(bytes) {
        return false;
    }
    let text = String::from_utf8_lossy(bytes);
    MARKS.iter().any(|mark| text.contains(mark))
}

/// What a file without text is, and what to do.
fn not_text(bytes: &[u8]) -> &'static str {
    match bytes {
        [b'P', b'K', 3, 4, ..] => {
            "it is a ZIP archive or an Office document (DOCX, XLSX, PPTX), not a text file; convert it to text or Markdown and index that"
        }
        [0xd0, 0xcf, 0x11, 0xe0, ..] => {
            "it is an Office document (DOC, XLS, PPT), not a text file; convert it to text or Markdown and index that"
        }
        _ => "not a text file",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, bytes: &[u8]) -> Result<FileText, String> {
        of(Path::new(name), bytes.to_vec())
    }

    #[test]
    fn a_page_is_read_like_a_fetched_one_and_a_template_like_code() {
        let page = b"<!-- c --><!doctype html><head><meta charset=iso-8859-1><script>var x = 'hiddenscript'</script></head>\
            <body><h1>Tides</h1><p>Caf\xe9 at the <b>pier</b></p><p style='display:none'>hiddenwords</p></body>";
        for name in ["a.html", "B.HTM", "c.xhtml"] {
            let read = read(name, page).unwrap();
            assert_eq!(read.format, Some(Format::Markdown), "{name}");
            assert!(read.content.contains("# Tides") && read.content.contains("Café at the **pier**"));
            assert!(!read.content.contains("hidden") && !read.content.contains('<'), "{}", read.content);
        }
        let part = read("part.html", b"<h2>Part</h2><p>of a page</p>").unwrap();
        assert!(part.content.starts_with("## Part"), "{}", part.content);
        for template in
            ["<li *ngFor=\"let a of b\">{{a}}</li>", "{% block x %}<b>y</b>{% endblock %}", "<%= a %>"]
        {
            let read = read("t.html", template.as_bytes()).unwrap();
            assert_eq!((read.content.as_str(), read.format), (template, None));
        }
        let whole =
            read("docs.html", b"<html><body><p>Write <code>{{ name }}</code></p></body></html>").unwrap();
        assert!(whole.content.contains("Write `{{ name }}`"), "{}", whole.content);
        let text = read("a.md", page).unwrap();
        assert!(text.format.is_none() && text.content.contains("<script>"));
    }

    #[test]
    fn a_file_without_text_says_what_it_is() {
        let mut docx = b"PK\x03\x04".to_vec();
        docx.extend([0, 1].repeat(100));
        let told = read("a.docx", &docx).unwrap_err();
        assert!(told.contains("Office document") && told.contains("convert"), "{told}");
        assert!(read("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0").unwrap_err().contains("DOC"));
        assert_eq!(read("a.bin", b"\x7fELF\x02\0\0\0\x01\x02").unwrap_err(), "not a text file");
        assert!(read("a.pdf", b"%PDF-1.4 garbage").unwrap_err().contains("PDF"));
    }

    #[test]
    fn lines_of_converted_files_are_not_the_files() {
        assert!(has_other_lines("/a/b.html") && has_other_lines("C:\\x.PDF"));
        assert!(!has_other_lines("/a/b.md") && !has_other_lines("html"));
    }
}
