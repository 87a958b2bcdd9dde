//! Secrets in columns that a line above names: CSV and its kin, and the tables that database clients print. Owns what a line of names is and which value is below which name; [`judgement`] judges the value.

use std::ops::Range;

use super::name_words::WORDS as NAMES;
use super::prose::mentions_password;
use super::{Secret, judgement, line_start};

/// The longest line of names, and the longest value, in bytes.
pub(super) const LONGEST: usize = 4_000;
/// The most names in a line.
pub(super) const MOST: usize = 200;
/// The values below the names in whose line a secret-sounding name is at `start..end`. Returns the table's end.
pub(super) fn below(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) -> Option<usize> {
    let bytes = text.as_bytes();
    let beside = |byte: Option<&u8>| {
        byte.is_none_or(|b| matches!(b, b',' | b';' | b'\t' | b'|' | b'\n' | b'\r' | b'"' | b'\'' | b' '))
    };
    if !beside(start.checked_sub(1).and_then(|at| bytes.get(at))) || !beside(bytes.get(end)) {
        return None;
    }
    let from = line_start(text, start);
    let limit = text.floor_char_boundary(end.saturating_add(LONGEST));
    let line = &text[from..end + text[end..limit].find('\n').unwrap_or(limit - end)];
    let names = names_in(text, from, line)?;
    let table_end = rows_below(text, &names, |fields| {
        for (column, name) in &names.secret {
            let (range, value) = (fields[*column].clone(), &text[fields[*column].clone()]);
            // A table for people has words in it.
            if names.sign != b'|' || !value.chars().all(char::is_alphabetic) {
                judge(text, name, range, out);
            }
        }
    });
    (table_end > names.next).then_some(table_end)
}

/// The header line of the table that `text` ends in, if a name in it sounds secret: the rows that follow belong to it
/// too, however far below. `text` ends with a line.
#[must_use]
pub fn open_table(text: &str) -> Option<Range<usize>> {
    let mut at = 0;
    while at < text.len() {
        let line_end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        let line = &text[at..line_end];
        let names = if line.len() <= LONGEST { names_in(text, at, line) } else { None };
        let next = (line_end + 1).min(text.len());
        at = match names {
            Some(names) => {
                let table_end = rows_below(text, &names, |_| {});
                if table_end >= text.len() {
                    return Some(at..next);
                }
                table_end.max(next)
            }
            None => next,
        };
    }
    None
}

/// A line of names.
struct Names {
    /// The separator between them.
    sign: u8,
    count: usize,
    secret: SecretColumns,
    /// Where the line below begins.
    next: usize,
}

/// The names in the `line` that begins at `from`, if it is one of names and some sound secret.
fn names_in(text: &str, from: usize, line: &str) -> Option<Names> {
    let sign = ['\t', '|', ',', ';'].into_iter().find(|sign| line.contains(*sign))? as u8;
    let (names, next) = record(text, from, sign)?;
    if !(2..=MOST).contains(&names.len()) || !names.iter().all(|name| is_name(text, name, sign)) {
        return None;
    }
    let secret = secret_columns(names.iter().map(|name| &text[name.clone()]));
    (!secret.is_empty()).then_some(Names { sign, count: names.len(), secret, next })
}

/// Passes each row below `names` to `row` and returns where the rows end.
fn rows_below(text: &str, names: &Names, mut row: impl FnMut(&[Range<usize>])) -> usize {
    let bytes = text.as_bytes();
    let mut at = names.next;
    while at < bytes.len() {
        if names.sign == b'|' && is_rule(text, at) {
            at = text[at..].find('\n').map_or(bytes.len(), |end| at + end + 1);
            continue;
        }
        let Some((fields, next)) =
            record(text, at, names.sign).filter(|(fields, _)| fields.len() == names.count)
        else {
            break;
        };
        row(&fields);
        at = next;
    }
    at
}

/// Columns by their place, with their names.
pub(super) type SecretColumns = Vec<(usize, String)>;

/// The columns that sound secret, with their names as `judgement` reads them.
pub(super) fn secret_columns<'t>(names: impl Iterator<Item = &'t str>) -> SecretColumns {
    let clean = |name: &str| {
        let name = name
            .trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '[' | ']' | '\\'));
        name.to_ascii_lowercase().replace(' ', "_")
    };
    let all = names.map(clean).enumerate();
    all.filter(|(_, name)| NAMES.iter().any(|word| name.ends_with(word))).collect()
}

pub(super) fn judge(text: &str, name: &str, range: Range<usize>, out: &mut Vec<Secret>) {
    let value = &text[range.clone()];
    if let Some(kind) = judgement::kind_of(name, value).filter(|_| !mentions_password(&value.to_lowercase()))
    {
        out.push(Secret { range, kind });
    }
}

/// Whether a field is a column's name. A blank beside the sign is prose or code.
fn is_name(text: &str, field: &Range<usize>, sign: u8) -> bool {
    let name = &text[field.clone()];
    let bytes = text.as_bytes();
    let blank = |at: Option<usize>| at.and_then(|at| bytes.get(at)) == Some(&b' ');
    let loose = matches!(sign, b',' | b';') && (blank(field.start.checked_sub(1)) || blank(Some(field.end)));
    !loose
        && name.len() <= 60
        && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' '))
        && name.split(' ').count() <= 3
}

/// Whether the line at `at` is drawn between names and rows: `----+----`, `|---|:--|`.
fn is_rule(text: &str, at: usize) -> bool {
    let line = text.as_bytes()[at..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.contains(&b'-') && line.iter().all(|b| matches!(b, b'-' | b'+' | b'|' | b':' | b' ' | b'=' | b'\r'))
}

/// The fields of the record at `from`, without blanks and quotes around them, and where the next one begins. A quoted field may
/// go over lines. `None` for an empty line.
pub(super) fn record(text: &str, from: usize, sign: u8) -> Option<(Vec<Range<usize>>, usize)> {
    let bytes = text.as_bytes();
    let mut fields = Vec::new();
    let mut at = from;
    loop {
        let start = at + bytes[at..].iter().take_while(|b| **b == b' ').count();
        let (field, end) = quoted(bytes, start, sign).unwrap_or_else(|| {
            let ends = |byte: &u8| *byte == sign || *byte == b'\n';
            let end = bytes[start..].iter().position(ends).map_or(bytes.len(), |n| start + n);
            (start..start + text[start..end].trim_end().len(), end)
        });
        fields.push(field);
        if fields.len() > MOST {
            return None;
        }
        match bytes.get(end) {
            Some(byte) if *byte == sign => at = end + 1,
            other => {
                let next = end + usize::from(other.is_some());
                // Drawn tables have the sign at both ends.
                if sign == b'|' && fields.len() > 2 && fields[0].is_empty() {
                    fields.remove(0);
                    if fields.last().is_some_and(Range::is_empty) {
                        fields.pop();
                    }
                }
                let empty = fields.iter().all(Range::is_empty);
                return (!empty).then_some((fields, next));
            }
        }
    }
}

/// The content of the quoted field that begins at `start`, and where the field ends.
fn quoted(bytes: &[u8], start: usize, sign: u8) -> Option<(Range<usize>, usize)> {
    let quote = *bytes.get(start).filter(|b| matches!(b, b'"' | b'\''))?;
    let limit = bytes.len().min(start.saturating_add(LONGEST));
    let mut at = start + 1;
    loop {
        at += bytes.get(at..limit)?.iter().position(|b| *b == quote)?;
        if bytes.get(at + 1) != Some(&quote) {
            break;
        }
        at += 2;
    }
    let end = at + 1 + bytes[at + 1..].iter().take_while(|b| matches!(b, b' ' | b'\r')).count();
    bytes.get(end).is_none_or(|b| *b == sign || *b == b'\n').then_some((start + 1..at, end))
}

#[cfg(test)]
mod tests {
    use crate::redact;

    #[test]
    fn a_column_is_hidden_and_what_only_looks_like_one_is_not() {
        for (text, shown) in [
            (
                "name,password,role\nbob,sunshine,admin\nann,\"two, words1\",user\n\nbob,sunshine,admin\n",
                "name,password,role\nbob,[redacted:password],admin\nann,\"[redacted:password]\",user\n\nbob,sunshine,admin\n",
            ),
            ("id;Password\n1;hunter2\n", "id;Password\n1;[redacted:password]\n"),
            (
                "\"user\",\"api_key\"\r\n\"x\",\"k3yW9zQ81\"\r\n",
                "\"user\",\"api_key\"\r\n\"x\",\"[redacted:secret]\"\r\n",
            ),
            ("user\tpassword\nbob\t\nann\thunter2", "user\tpassword\nbob\t\nann\t[redacted:password]"),
            (
                " id | password\n----+----------\n  1 | hunter2\n(1 row)\n",
                " id | password\n----+----------\n  1 | [redacted:password]\n(1 row)\n",
            ),
            (
                "+----+----------+\n| id | password |\n+----+----------+\n|  1 | hunter2  |\n+----+----------+\n",
                "+----+----------+\n| id | password |\n+----+----------+\n|  1 | [redacted:password]  |\n+----+----------+\n",
            ),
            (
                "INSERT INTO users (id, name, password) VALUES\n (1, 'bob', 'it''s(5)'),\n (2, 'ann', crypt('hunter2', gen_salt('bf')));",
                "INSERT INTO users (id, name, password) VALUES\n (1, 'bob', '[redacted:password]'),\n (2, 'ann', crypt('[redacted:password]', gen_salt('bf')));",
            ),
            (
                "db.run(\"insert into `u` (`name`, `password`) \" + \"values ('bob', 'hunter2')\")",
                "db.run(\"insert into `u` (`name`, `password`) \" + \"values ('bob', '[redacted:password]')\")",
            ),
            (
                "COPY public.users (id, password) FROM stdin;\n1\thunter2\n2\t\\N\n\\.\n1\thunter2\n",
                "COPY public.users (id, password) FROM stdin;\n1\t[redacted:password]\n2\t\\N\n\\.\n1\thunter2\n",
            ),
        ] {
            assert_eq!(redact(text), shown, "{text}");
            assert_eq!(redact(shown), shown, "{text}");
        }
        for innocent in [
            "def login(user, password):\n    check(user, hunter2x)\n",
            "    user, password,\n    host, port1x,\n",
            "import {\n  password, token,\n  secret, port1x,\n",
            "Type your name, password and street.\nThen wait, until it2s done, and go on.\n",
            "provider,token,password\nx,supported,unsupported\ny,yes,no\n",
            "suite,pass,fail\nunit1,120,3\nweb2,7,0\n",
            "| Way | Token | Password |\n|---|---|---|\n| SSO | yes | forbidden |\n",
            "word,token\nhouses,house\nrunning,run\n",
            "INSERT INTO users (name, password) VALUES (?, ?), ($1, $2), (:name, :password), ('%s', '%s');",
            "INSERT INTO log (at, text) VALUES ('today', 'hunter2');",
            "insert into the slot (a password is needed), then values ('x1y2z3')",
        ] {
            assert_eq!(redact(innocent), innocent);
        }
    }

    #[test]
    fn the_table_at_the_end_of_a_text_is_recognised_by_its_header() {
        let names = "id,name,password\n";
        for (text, table) in [
            (names.to_owned(), Some(0..names.len())),
            (format!("{names}1,ana,x\n2,bo,y\n"), Some(0..names.len())),
            (format!("two lines\nof words\n{names}1,ana,x\n"), Some(19..19 + names.len())),
            (format!("{names}1,ana,x\n\nand on\n"), None),
            (format!("{names}1,ana,x\ndone\n{names}2,bo,y\n"), Some(30..30 + names.len())),
            ("id,name,city\n1,ana,Ulm\n".to_owned(), None),
            ("1,ana,x\n2,bo,y\n".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(super::open_table(&text), table, "{text}");
        }
    }

    #[test]
    fn tables_take_no_longer_than_their_text() {
        let started = std::time::Instant::now();
        for piece in [
            "a,password\n",
            "password|",
            "password\t",
            "\"password\",",
            "insert into a (password) values ('",
            "from stdin\n",
        ] {
            let text = piece.repeat(400_000 / piece.len());
            assert!(redact(&text).len() >= text.len() / 2, "{piece}");
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
    }
}
