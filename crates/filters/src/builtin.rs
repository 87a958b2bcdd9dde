//! The filters that come with the program, as `build.rs` packed them.

use std::io::Read as _;

/// One built-in filter, not parsed yet.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    /// Its file below `builtin/`.
    pub(crate) file: &'static str,
    /// Program and subcommand words that it applies to.
    pub(crate) commands: &'static [&'static [&'static str]],
    /// Whether a native parser does the work rather than rules.
    pub(crate) native: bool,
    /// Whether its commands end with an error whenever they have something to say.
    pub(crate) fails: bool,
    /// Whether its commands print reports: [`crate::Filter::is_report`], without parsing the filter.
    pub(crate) report: bool,
    /// Whether its cases rest on documentation.
    pub(crate) documented: bool,
    /// Text that only its tool prints: [`crate::signature`].
    pub(crate) signature: &'static [&'static str],
    /// The file without its cases.
    pub(crate) rules: &'static str,
}

/// A built-in filter with its cases.
pub(crate) struct Cases {
    /// Its file below `builtin/`.
    pub(crate) file: String,
    /// The file as it is.
    pub(crate) whole: String,
    /// Files that its cases name, with their content.
    pub(crate) captures: Vec<(String, String)>,
}

mod packed {
    use super::Builtin;
    include!(concat!(env!("OUT_DIR"), "/builtin.rs"));
    pub(super) fn all() -> &'static [Builtin] {
        BUILTIN
    }
}

/// All of them, by file name.
pub(crate) fn all() -> &'static [Builtin] {
    packed::all()
}

/// The cases of all of them, in the same order. Unpacked at each call: only tests of filters want them.
///
/// # Errors
/// When the packed data can't be read, which is a defect of the build.
pub(crate) fn cases() -> std::io::Result<Vec<Cases>> {
    let mut bytes = Vec::new();
    flate2::read::ZlibDecoder::new(include_bytes!(concat!(env!("OUT_DIR"), "/cases.zlib")).as_slice())
        .read_to_end(&mut bytes)?;
    let mut parts = Parts(&bytes);
    let mut found = Vec::with_capacity(all().len());
    while !parts.0.is_empty() {
        let (file, whole) = (parts.next()?, parts.next()?);
        let count: usize = parts.next()?.parse().map_err(|_| std::io::ErrorKind::InvalidData)?;
        let captures =
            (0..count).map(|_| Ok((parts.next()?, parts.next()?))).collect::<std::io::Result<_>>()?;
        found.push(Cases { file, whole, captures });
    }
    Ok(found)
}

/// What `build.rs` put together with its `put`.
struct Parts<'a>(&'a [u8]);

impl Parts<'_> {
    fn next(&mut self) -> std::io::Result<String> {
        let short = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
        let (length, rest) = self.0.split_first_chunk().ok_or_else(short)?;
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| short())?;
        let (part, rest) = rest.split_at_checked(length).ok_or_else(short)?;
        self.0 = rest;
        Ok(String::from_utf8_lossy(part).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// The packed data contains every file in the folder, and nothing else.
    #[test]
    fn packed_cases_are_the_files() {
        let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("builtin");
        let read = |path: &Path| {
            String::from_utf8_lossy(
                &std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())),
            )
            .into_owned()
        };
        let cases = super::cases().expect("what was packed is readable");
        assert_eq!(
            cases.iter().map(|cases| cases.file.as_str()).collect::<Vec<_>>(),
            super::all().iter().map(|builtin| builtin.file).collect::<Vec<_>>()
        );
        let mut captured = 0;
        for case in &cases {
            let file = root.join(&case.file);
            assert_eq!(case.whole, read(&file));
            for (name, text) in &case.captures {
                assert_eq!(*text, read(&file.with_file_name(name)), "{}: {name}", case.file);
                captured += 1;
            }
        }
        assert!(captured > 100, "{captured} captures are packed");
    }

    /// The index agrees with every filter.
    #[test]
    fn the_index_lists_the_reports() {
        for builtin in super::all() {
            let filter =
                crate::Filter::parse(builtin.rules, builtin.file).expect("built-in filters are valid");
            assert_eq!(builtin.report, filter.is_report(), "{}", builtin.file);
        }
    }

    /// They are a small part of a program that every hook starts.
    #[test]
    fn packed_cases_are_small() {
        let packed = include_bytes!(concat!(env!("OUT_DIR"), "/cases.zlib")).len();
        let whole: usize = super::cases()
            .expect("what was packed is readable")
            .iter()
            .map(|case| case.whole.len() + case.captures.iter().map(|(_, text)| text.len()).sum::<usize>())
            .sum();
        assert!(packed * 4 < whole, "{packed} of {whole} bytes");
    }
}
