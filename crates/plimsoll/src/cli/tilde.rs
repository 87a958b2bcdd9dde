//! Writes the home folder as `~` in Plimsoll's own messages, and reads a name that begins so. Knows nothing else of a
//! message.

use std::path::Path;

/// `text` with `~` for the home folder, wherever a path begins with it.
pub(super) fn with_tilde(text: &str, home: &Path) -> String {
    let home = home.to_string_lossy();
    let home = home.trim_end_matches(['/', '\\']);
    if home.is_empty() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(home) {
        out.push_str(before);
        let begins = out.is_empty() || out.ends_with(is_before_path);
        let ends = !after.starts_with(is_of_name);
        out.push_str(if begins && ends { "~" } else { home });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Whether a path may begin behind this character. What a folder's name may end with can't be listed (`/mnt/disk (1)/home/ana`). The
/// window does the same (`tildesIn`).
fn is_before_path(c: char) -> bool {
    c.is_whitespace() || "\"'`“”„‘’‚«»([{<>=:,;|".contains(c)
}

/// Whether a folder's name could go on with this character.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '~')
}

/// Expands `~/` at the beginning of a name, as a shell would; any other name stays unchanged.
pub(super) fn without_tilde(name: &str, home: &Path) -> String {
    match name.strip_prefix("~/").or_else(|| name.strip_prefix("~\\")) {
        Some(rest) => home.join(rest).display().to_string(),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder_is_a_tilde_where_a_path_begins_with_it() {
        let home = Path::new("/home/ana");
        for (text, told) in [
            ("there is no /home/ana/a.md; check it", "there is no ~/a.md; check it"),
            ("/home/ana/a and \"/home/ana/b\"", "~/a and \"~/b\""),
            ("in /home/ana", "in ~"),
            ("/home/anabel/a", "/home/anabel/a"),
            ("/mnt/home/ana/a", "/mnt/home/ana/a"),
            ("can't read /mnt/disk (1)/home/ana/a", "can't read /mnt/disk (1)/home/ana/a"),
            ("/mnt/c++/home/ana/a, /mnt/[b]/home/ana/a", "/mnt/c++/home/ana/a, /mnt/[b]/home/ana/a"),
            ("(/home/ana/a), PATH=/bin:/home/ana/bin, `/home/ana/b`", "(~/a), PATH=/bin:~/bin, `~/b`"),
            ("/home/ana-old/a, /home/ana.old", "/home/ana-old/a, /home/ana.old"),
            ("nothing there", "nothing there"),
        ] {
            assert_eq!(with_tilde(text, home), told);
        }
        assert_eq!(with_tilde("/a/b", Path::new("/")), "/a/b");
    }

    #[test]
    #[cfg(unix)]
    fn a_name_with_a_tilde_is_the_path_it_means() {
        let home = Path::new("/home/ana");
        for (name, path) in
            [("~/a.md", "/home/ana/a.md"), ("notes", "notes"), ("~ana/a", "~ana/a"), ("~", "~")]
        {
            assert_eq!(without_tilde(name, home), path);
        }
    }
}
