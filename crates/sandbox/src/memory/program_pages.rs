//! The pages of the program's own file and of the libraries that it's linked with. Starting maps many of them that nothing
//! needs afterwards (relocations, constructors, what is next to them in the file), and Linux keeps them mapped until
//! memory is short. Unmapping them loses nothing: they are clean copies of a file, in the system's cache, and the next access
//! maps them again.
//!
//! Only mappings from before `main` are touched. A library that is loaded later is being relocated for a moment, when
//! what it wrote would be lost.

use std::ops::Range;
use std::sync::OnceLock;

/// What is mapped from files, and not written to, when the program starts.
static AT_START: OnceLock<Vec<Range<usize>>> = OnceLock::new();

/// Remembers what the program is linked with. To be called before anything can load a library.
pub(super) fn note() {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let _ = AT_START.set(maps.lines().filter_map(file_mapping).collect());
}

/// Unmaps the pages that are as they are in their files. Does nothing if [`note`] wasn't called or the system doesn't say
/// which these are.
pub(super) fn release() {
    let Some(at_start) = AT_START.get() else { return };
    let smaps = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
    for range in clean(&smaps).into_iter().filter(|range| at_start.contains(range)) {
        let start = std::ptr::with_exposed_provenance_mut(range.start);
        // SAFETY: a private mapping of a file that exists since before `main` and could never be written to: nothing is lost,
        // and whoever reads it next gets the same bytes.
        let done = unsafe { rustix::mm::madvise(start, range.len(), rustix::mm::Advice::LinuxDontNeed) };
        if let Err(error) = done {
            log::debug!("pages of the program stay mapped: {error}");
        }
    }
}

/// The addresses of a private mapping of a file that nothing writes to, from a line of `/proc/PID/maps`:
/// `5580e000-5580f000 r--p 00000000 fe:00 123 /path`.
fn file_mapping(line: &str) -> Option<Range<usize>> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let (start, end) = (usize::from_str_radix(start, 16).ok()?, usize::from_str_radix(end, 16).ok()?);
    let unwritten = matches!(words.next()?, "r--p" | "r-xp");
    let inode = words.nth(2)?;
    let path = words.next()?;
    (unwritten && inode != "0" && path.starts_with('/')).then_some(start..end)
}

/// The mappings of files in `/proc/PID/smaps` that nothing can have changed. The system reserves memory for writing (`ac`)
/// to what the loader relocates before it makes it read-only, and goes on doing so. That no page is the process's own, as a
/// debugger's breakpoints are, isn't enough: such pages may be in the swap, where they aren't counted as anonymous.
fn clean(smaps: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut current = None;
    let (mut none_resident, mut none_swapped) = (false, false);
    for line in smaps.lines() {
        if is_heading(line) {
            current = file_mapping(line);
            (none_resident, none_swapped) = (false, false);
            continue;
        }
        let Some((name, value)) = line.split_once(':') else { continue };
        match name {
            "Anonymous" => none_resident = value.trim() == "0 kB",
            "Swap" => none_swapped = value.trim() == "0 kB",
            // The last line of a mapping.
            "VmFlags" if none_resident && none_swapped => {
                let was_writable = value.split_ascii_whitespace().any(|flag| flag == "ac");
                found.extend(current.take().filter(|_| !was_writable));
            }
            _ => {}
        }
    }
    found
}

/// Whether a line of `smaps` begins a mapping. The others begin with a name and a colon.
fn is_heading(line: &str) -> bool {
    line.split_ascii_whitespace().next().is_some_and(|word| word.contains('-') && !word.ends_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMAPS: &str = "\
55d000000000-55d000100000 r--p 00000000 fe:00 1058                       /usr/bin/a program
Size:               1024 kB
Rss:                 900 kB
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd mr mw me
55d000100000-55d000300000 r-xp 00100000 fe:00 1058                       /usr/bin/a program
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd ex mr mw me
55d000300000-55d000310000 r--p 00300000 fe:00 1058                       /usr/bin/a program
Anonymous:            64 kB
Swap:                  0 kB
VmFlags: rd mr mw me ac
55d000310000-55d000320000 rw-p 00310000 fe:00 1058                       /usr/bin/a program
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd wr mr mw me ac
55d001000000-55d001021000 rw-p 00000000 00:00 0                          [heap]
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd wr mr mw me ac
7f0000000000-7f0000010000 r--s 00000000 fe:00 77                         /usr/share/shared.cache
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd mr me ms
7f0000020000-7f0000030000 r--p 00000000 00:00 0
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd mr mw me
7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0                          [vdso]
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd ex mr mw me de
";

    #[test]
    fn only_what_is_mapped_privately_and_as_in_its_file_is_released() {
        let expected = [0x55d0_0000_0000..0x55d0_0010_0000, 0x55d0_0010_0000..0x55d0_0030_0000];
        assert_eq!(clean(SMAPS), expected);
    }

    /// What was relocated at the start is lost if it's released, and then the program jumps to where nothing is.
    #[test]
    fn what_was_written_to_stays_wherever_it_is_now() {
        let relocated = |anonymous: u32, swap: u32, flags: &str| {
            format!(
                "55d000300000-55d000310000 r--p 00300000 fe:00 1058 /usr/bin/a\n\
                 Anonymous: {anonymous} kB\nSwap: {swap} kB\nSwapPss: 0 kB\nVmFlags: {flags} \n"
            )
        };
        assert_eq!(clean(&relocated(0, 0, "rd mr mw me")).len(), 1);
        for (anonymous, swap, flags) in [
            (64, 0, "rd mr mw me ac"),
            // On a machine that is short of memory everything is in the swap.
            (0, 64, "rd mr mw me ac"),
            (32, 32, "rd mr mw me"),
            (0, 64, "rd mr mw me"),
            // Where a system counts neither.
            (0, 0, "rd mr mw me ac"),
        ] {
            assert_eq!(clean(&relocated(anonymous, swap, flags)), [], "{anonymous} {swap} {flags}");
        }
    }

    #[test]
    fn what_the_system_does_not_say_is_not_released() {
        for odd in [
            "",
            "\n",
            "Anonymous: 0 kB\n",
            "x-y r--p 0 fe:00 1 /a\nAnonymous: 0 kB\n",
            "1-2 r--p\nAnonymous: 0 kB",
        ] {
            assert_eq!(clean(odd), [], "{odd:?}");
        }
        for counted in ["Anonymous:", "Swap:", "VmFlags:"] {
            let without = SMAPS.replace(counted, "Other:");
            assert_eq!(clean(&without), [], "a system that doesn't tell {counted}");
        }
    }

    #[test]
    fn a_process_goes_on_with_less_memory() {
        note();
        let before = resident();
        release();
        let after = resident();
        assert!(after < before, "{after} of {before} kB");
        // Code and data that were unmapped are still there.
        assert_eq!(format!("{:?}", clean(SMAPS).len()), "2");
        assert!(std::fs::read_dir("/").is_ok_and(|mut entries| entries.next().is_some()));
    }

    /// What is resident of the mappings that were there at the start, in kilobytes. The sums in `/proc/self/status` are off by
    /// more than that on machines with many cores.
    fn resident() -> u64 {
        let smaps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let (mut is_counted, mut sum) = (false, 0);
        for line in smaps.lines() {
            if is_heading(line) {
                is_counted = file_mapping(line).is_some_and(|range| AT_START.get().unwrap().contains(&range));
            } else if is_counted && let Some(size) = line.strip_prefix("Rss:") {
                sum += size.trim().trim_end_matches(" kB").parse::<u64>().unwrap();
            }
        }
        sum
    }
}
