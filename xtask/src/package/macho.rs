//! Reads what a program for macOS says about itself: processor, oldest system, libraries, signature. Only for checks
//! before packing; no such program can run here.

use anyhow::{Context, Result, bail, ensure};

const MAGIC: u32 = 0xfeed_facf;
const PROGRAM: u32 = 2;
/// It is loaded wherever there is room.
const ANYWHERE: u32 = 0x20_0000;

const SYMBOLS: u32 = 2;
const LIBRARY: [u32; 3] = [0xc, 0x8000_0018, 0x8000_001f];
const SIGNATURE: u32 = 0x1d;
const SYSTEM: u32 = 0x32;
const START: u32 = 0x8000_0028;

/// The facts read from a binary.
#[derive(Debug)]
pub(super) struct Program {
    /// As cargo's targets call it.
    pub(super) processor: &'static str,
    /// The oldest macOS, `12.0`.
    pub(super) oldest: String,
    /// Paths of the libraries that are loaded with it.
    pub(super) libraries: Vec<String>,
    /// Names that are looked for in all of them when it starts, because the linker knew none that has them.
    pub(super) sought: Vec<String>,
    /// Where the signature is, if there is one.
    pub(super) signature: Option<std::ops::Range<usize>>,
}

/// How names begin that the frameworks of [`crate::cross::stubs`] and the runtime of Objective-C have.
const THEIRS: &[&str] = &[
    "_OBJC_CLASS_$_",
    "_OBJC_METACLASS_$_",
    "_OBJC_EHTYPE",
    "__objc_",
    "_objc_",
    "_class_",
    "_ivar_",
    "_method_",
    "_object_",
    "_protocol_",
    "_sel_",
    "_imp_",
    "_AX",
    "_CA",
    "_CF",
    "_CG",
    "_CV",
    "_IO",
    "_LM",
    "_LS",
    "_NS",
    "_OSA",
    "_SM",
    "_TIS",
    "_UCKey",
    "_WK",
    "_kAX",
    "_kCA",
    "_kCF",
    "_kCG",
    "_kCV",
    "_kIO",
    "_kLS",
    "_kTIS",
    "_nw_",
];

/// # Errors
/// When macOS would not start it as a program.
pub(super) fn read(bytes: &[u8]) -> Result<Program> {
    let number = |at: usize| -> Result<u32> {
        let four = bytes.get(at..at + 4).context("the file ends too soon")?;
        Ok(u32::from_le_bytes(four.try_into()?))
    };
    ensure!(number(0)? == MAGIC, "it isn't a Mach-O file of 64 bits");
    let processor = match number(4)? {
        0x0100_000c => "aarch64",
        0x0100_0007 => "x86_64",
        other => bail!("it is for the processor {other:#x}"),
    };
    ensure!(number(12)? == PROGRAM, "it is of kind {}, which isn't a program", number(12)?);
    ensure!(number(24)? & ANYWHERE != 0, "it wants to be loaded at a fixed address");
    let mut program = Program {
        processor,
        oldest: String::new(),
        libraries: Vec::new(),
        sought: Vec::new(),
        signature: None,
    };
    let (mut at, mut starts) = (32, false);
    for _ in 0..number(16)? {
        let (command, length) = (number(at)?, number(at + 4)? as usize);
        ensure!(length >= 8, "a load command of {length} bytes");
        match command {
            SYSTEM => {
                ensure!(number(at + 8)? == 1, "it is for the platform {}", number(at + 8)?);
                let version = number(at + 12)?;
                program.oldest = format!("{}.{}", version >> 16, version >> 8 & 0xff);
            }
            SIGNATURE => {
                let start = number(at + 8)? as usize;
                program.signature = Some(start..start + number(at + 12)? as usize);
            }
            START => starts = true,
            SYMBOLS => {
                let [table, count, names] =
                    [number(at + 8)?, number(at + 12)?, number(at + 16)?].map(|value| value as usize);
                program.sought = undefined_symbols(bytes, table, count, names)?;
            }
            _ if LIBRARY.contains(&command) => {
                let name = at + number(at + 8)? as usize;
                let name = bytes.get(name..at + length).context("a name outside its command")?;
                let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
                program.libraries.push(String::from_utf8_lossy(&name[..end]).into_owned());
            }
            _ => {}
        }
        at += length;
    }
    ensure!(starts, "it says nowhere where it starts");
    Ok(program)
}

/// The undefined symbols that belong to no library.
fn undefined_symbols(bytes: &[u8], table: usize, count: usize, names: usize) -> Result<Vec<String>> {
    const SIZE: usize = 16;
    const EXTERNAL: u8 = 1;
    /// One of these is set for a symbol that is defined or for debuggers.
    const DEFINED: u8 = 0xee;
    /// In place of the number of a library.
    const ANY: u8 = 0xfe;
    let mut sought = Vec::new();
    for number in 0..count {
        let at = table + number * SIZE;
        let entry = bytes.get(at..at + SIZE).context("the list of symbols ends too soon")?;
        let (kind, library) = (entry[4], entry[7]);
        if kind & EXTERNAL == 0 || kind & DEFINED != 0 || library != ANY {
            continue;
        }
        let name = names + u32::from_le_bytes(entry[..4].try_into()?) as usize;
        let name = bytes.get(name..).context("a symbol without a name")?;
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
        sought.push(String::from_utf8_lossy(&name[..end]).into_owned());
    }
    Ok(sought)
}

impl Program {
    /// # Errors
    /// When a Mac would refuse it: another processor, no signature, a library that the system does not have.
    pub(super) fn check(&self, bytes: &[u8], processor: &str, oldest: &str) -> Result<()> {
        ensure!(self.processor == processor, "it is for {} and not for {processor}", self.processor);
        ensure!(self.oldest == oldest, "it runs from macOS {} and not from {oldest}", self.oldest);
        let foreign =
            |path: &&String| !path.starts_with("/System/Library/") && !path.starts_with("/usr/lib/");
        if let Some(path) = self.libraries.iter().find(foreign) {
            bail!("it loads {path}, which no Mac has");
        }
        ensure!(!self.libraries.is_empty(), "it loads no library, not even the system's");
        let strange: Vec<&str> = self
            .sought
            .iter()
            .map(String::as_str)
            .filter(|name| !THEIRS.iter().any(|theirs| name.starts_with(theirs)))
            .collect();
        ensure!(strange.is_empty(), "nothing that it loads would have {}", strange.join(", "));
        let signature = self.signature.clone().context("it has no signature")?;
        let signature = bytes.get(signature).context("its signature is outside")?;
        ensure!(signature.starts_with(&[0xfa, 0xde, 0x0c, 0xc0]), "what should be its signature is none");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A head with these load commands.
    fn file(commands: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let length = commands.iter().map(Vec::len).sum::<usize>();
        let head = [MAGIC, 0x0100_000c, 0, PROGRAM, commands.len() as u32, length as u32, ANYWHERE, 0];
        bytes.extend(head.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(commands.concat());
        bytes
    }

    fn command(numbers: &[u32], text: &str) -> Vec<u8> {
        let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend(text.bytes());
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let length = bytes.len() as u32;
        bytes[4..8].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    fn library(path: &str) -> Vec<u8> {
        command(&[LIBRARY[0], 0, 24, 0, 0, 0], &format!("{path}\0"))
    }

    #[test]
    fn a_program_is_read() {
        let mut commands = vec![
            command(&[SYSTEM, 0, 1, 12 << 16, 0, 0], ""),
            command(&[START, 0, 0, 0, 0, 0], ""),
            library("/usr/lib/libSystem.B.dylib"),
        ];
        let unsigned = file(&commands);
        let program = read(&unsigned).unwrap();
        assert_eq!((program.processor, program.oldest.as_str()), ("aarch64", "12.0"));
        assert_eq!(program.libraries, ["/usr/lib/libSystem.B.dylib"]);
        assert!(
            program.check(&unsigned, "aarch64", "12.0").unwrap_err().to_string().contains("no signature")
        );

        let end = unsigned.len() as u32 + 16;
        commands.push(command(&[SIGNATURE, 0, end, 4], ""));
        let mut signed = file(&commands);
        signed.extend([0xfa, 0xde, 0x0c, 0xc0]);
        let program = read(&signed).unwrap();
        program.check(&signed, "aarch64", "12.0").unwrap();
        assert!(program.check(&signed, "x86_64", "12.0").is_err());
        assert!(program.check(&signed, "aarch64", "11.0").is_err());

        commands.push(library("/opt/local/lib/libz.dylib"));
        let foreign = file(&commands);
        assert!(
            read(&foreign)
                .unwrap()
                .check(&foreign, "aarch64", "12.0")
                .unwrap_err()
                .to_string()
                .contains("libz")
        );
    }

    /// With a list of one undefined symbol of no library, behind everything else.
    fn with_undefined_symbol(name: &str) -> Vec<u8> {
        let commands = |table: u32| {
            vec![
                command(&[SYSTEM, 0, 1, 12 << 16, 0, 0], ""),
                command(&[START, 0, 0, 0, 0, 0], ""),
                library("/usr/lib/libSystem.B.dylib"),
                command(&[SIGNATURE, 0, table + 16 + name.len() as u32 + 1, 4], ""),
                command(&[SYMBOLS, 0, table, 1, table + 16, name.len() as u32 + 1], ""),
            ]
        };
        let mut bytes = file(&commands(file(&commands(0)).len() as u32));
        bytes.extend([0, 0, 0, 0, 1, 0, 0, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(name.bytes().chain([0]));
        bytes.extend([0xfa, 0xde, 0x0c, 0xc0]);
        bytes
    }

    #[test]
    fn a_missing_framework_is_found_before_the_program_starts() {
        for (name, fine) in
            [("_OBJC_CLASS_$_NSArray", true), ("_CGMainDisplayID", true), ("___ubsan_handle", false)]
        {
            let bytes = with_undefined_symbol(name);
            let program = read(&bytes).unwrap();
            assert_eq!(program.sought, [name]);
            let checked = program.check(&bytes, "aarch64", "12.0");
            assert_eq!(checked.is_ok(), fine, "{checked:?}");
        }
    }

    #[test]
    fn a_file_that_is_not_a_program_is_an_error() {
        for bytes in [b"".as_slice(), b"\x7fELF and more", &file(&[])[..30]] {
            assert!(read(bytes).is_err());
        }
    }
}
