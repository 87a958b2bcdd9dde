//! Findings of linters in Checkstyle's XML, which many of them write for other programs: they become a list by file and rule,
//! as in any other output. Owns that format alone; a document with anything else in it is left to others.

use std::collections::BTreeSet;

use crate::counted::counted;
use crate::diagnostics::{Found, listed};

/// Fewer findings are as short as elements.
const FEW: usize = 6;
/// What the document ends with.
const END: &str = "</checkstyle>";

/// The findings in about `room` bytes, and the output above and below the document.
pub(super) fn checkstyle(text: &str, room: usize) -> Option<String> {
    let above = &text[..text.floor_char_boundary(room / 2)];
    let start = |open: &str| match above.starts_with(open) {
        true => Some(0),
        false => above.find(&format!("\n{open}")).map(|at| at + 1),
    };
    let from = start("<?xml").or_else(|| start("<checkstyle"))?;
    let above = text[..from].trim();
    let (document, behind) = text[from..].split_once(END)?;
    let behind = behind.trim();
    // They stay whole, and the findings need room beside them; those of a second document would be in no count.
    if above.len() + behind.len() > room / 2 || behind.contains("<checkstyle") {
        return None;
    }
    let (found, files) = findings(document)?;
    if found.len() < FEW {
        return None;
    }
    let named: BTreeSet<&str> = found.iter().map(|one| one.file.as_str()).collect();
    let mut out = String::new();
    if !above.is_empty() {
        out.push_str(above);
        out.push('\n');
    }
    out.push_str(&format!("{} in {}", counted(found.len(), "findings"), counted(named.len(), "files")));
    let clean = files.len() - named.len();
    if clean > 0 {
        let others = if clean == 1 { "other" } else { "others" };
        out.push_str(&format!(", none in {clean} {others}"));
    }
    out.push('\n');
    let list = listed(&found, room.saturating_sub(out.len() + behind.len() + 1));
    out.push_str(list.trim_end_matches('\n'));
    out.push('\n');
    if !behind.is_empty() {
        out.push_str(behind);
        out.push('\n');
    }
    (out.len() < text.len()).then_some(out)
}

/// All findings, and the names of all files.
fn findings(document: &str) -> Option<(Vec<Found>, BTreeSet<String>)> {
    let (mut found, mut files, mut file) = (Vec::new(), BTreeSet::new(), String::new());
    let mut rest = document;
    while let Some((before, tag)) = rest.split_once('<') {
        // Words between the elements belong to another format.
        if !before.trim().is_empty() {
            return None;
        }
        let end = end_of_tag(tag)?;
        rest = &tag[end + 1..];
        let tag = tag[..end].trim_end_matches('/').trim_end();
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        match name {
            "?xml" | "checkstyle" | "/file" | "/error" => {}
            "file" => {
                file = attribute(attributes, "name")?;
                files.insert(file.clone());
            }
            "error" if !file.is_empty() => found.push(finding(attributes, &file)?),
            _ => return None,
        }
    }
    rest.trim().is_empty().then_some((found, files))
}

/// Where the `>` is that isn't within an attribute.
pub(super) fn end_of_tag(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in tag.bytes().enumerate() {
        match quote {
            None if byte == b'>' => return Some(at),
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            Some(open) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

fn finding(attributes: &str, file: &str) -> Option<Found> {
    let figure = |name: &str| {
        attribute(attributes, name)
            .filter(|figure| !figure.is_empty() && figure.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let line = figure("line")?;
    let at = match figure("column") {
        Some(column) => format!("{line}:{column}"),
        None => line,
    };
    Some(Found {
        file: file.to_owned(),
        at,
        severity: attribute(attributes, "severity").unwrap_or_default(),
        rule: attribute(attributes, "source").unwrap_or_default(),
        message: attribute(attributes, "message")?,
    })
}

/// The value of an attribute.
pub(super) fn attribute(attributes: &str, name: &str) -> Option<String> {
    let mut rest = attributes;
    while let Some((key, value)) = rest.split_once('=') {
        let value = value.trim_start();
        let quote = value.chars().next().filter(|sign| matches!(sign, '"' | '\''))?;
        let (value, behind) = value[1..].split_once(quote)?;
        if key.trim() == name {
            return Some(unescaped(value));
        }
        rest = behind;
    }
    None
}

pub(super) fn unescaped(value: &str) -> String {
    let mut text = value.to_owned();
    // Ampersands are decoded last: one may be in front of another entity's name.
    for (entity, sign) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&#10;", "\n"),
        ("&#xA;", "\n"),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, sign);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::checkstyle;

    /// A document with so many findings in each of three files, and a fourth without any.
    fn document(each: usize) -> String {
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?><checkstyle version=\"4.3\">");
        for file in ["src/a.ts", "src/b & c.ts", "src/d.ts"] {
            text += &format!("<file name=\"{}\">", file.replace('&', "&amp;"));
            for n in 1..=each {
                text += &format!(
                    "<error line=\"{n}\" column=\"7\" severity=\"warning\" message=\"a &gt; b isn&apos;t > {n}\" source=\"eslint(no-{n})\" />"
                );
            }
            text += "</file>";
        }
        text + "<file name=\"src/clean.ts\"></file></checkstyle>\n"
    }

    #[test]
    fn each_finding_has_its_file_place_rule_and_message() {
        let short = checkstyle(&document(4), 24_000).expect("a list");
        assert!(short.starts_with("12 findings in 3 files, none in 1 other\n"), "{short}");
        for fact in
            ["src/a.ts", "src/b & c.ts", "src/d.ts", "4:7", "eslint(no-3)", "a > b isn't > 2", "warning"]
        {
            assert!(short.contains(fact), "{fact}: {short}");
        }
    }

    #[test]
    fn every_budget_names_every_file() {
        let text = document(90);
        for room in [2_000, 9_000] {
            let short = checkstyle(&text, room).expect("a list");
            assert!(short.len() < text.len() / 2, "{room}: {short}");
            assert!(short.starts_with("270 findings in 3 files, none in 1 other\n"), "{short}");
            for file in ["a.ts", "b & c.ts", "d.ts"] {
                assert!(short.contains(file), "{room}: {file}: {short}");
            }
        }
    }

    #[test]
    fn script_output_above_a_report_stays() {
        let above = "\n> shop@1.0.0 lint\n> oxlint -f checkstyle\n\n";
        let short = checkstyle(&format!("{above}{}", document(4)), 24_000).expect("a list");
        let wanted = "> shop@1.0.0 lint\n> oxlint -f checkstyle\n12 findings in 3 files, none in 1 other\n";
        assert!(short.starts_with(wanted), "{short}");
        assert_eq!(checkstyle(&format!("of a page: {}", document(4)), 24_000), None);
        let long = "a line of another tool\n".repeat(2_000);
        assert_eq!(checkstyle(&format!("{long}{}", document(4)), 24_000), None);
    }

    #[test]
    fn output_after_a_report_stays() {
        let short = checkstyle(&format!("{}Time: 12 ms\n", document(4)), 24_000).expect("a list");
        assert!(short.ends_with("\nTime: 12 ms\n"), "{short}");
        let long = format!("{}{}", document(4), "a line of another tool\n".repeat(2_000));
        assert_eq!(checkstyle(&long, 24_000), None);
    }

    #[test]
    fn anything_else_is_left_alone() {
        for text in [
            String::new(),
            document(1),
            document(9).replace("</checkstyle>", ""),
            document(9).replace("<file name=\"src/d.ts\">", "<file name=\"src/d.ts\">words"),
            document(9).replace("<file name=\"src/d.ts\">", "<exception>it broke</exception>"),
            document(9).replace("line=\"3\"", "line=\"\""),
            document(9).replace("<error ", "<note "),
            document(9).replace("checkstyle", "testsuites"),
            document(9) + &document(9),
        ] {
            assert_eq!(checkstyle(&text, 24_000), None, "{text}");
        }
    }
}
