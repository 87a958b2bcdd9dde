//! How the program is started, which every hook waits for.

use std::io::Read as _;

/// The kind of a program in the header of an ELF file that is loaded where it was linked to; one that is loaded anywhere
/// has 3.
const FIXED: u16 = 2;

#[test]
fn the_loader_has_no_addresses_to_write() {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return;
    }
    let mut header = [0; 18];
    std::fs::File::open(env!("CARGO_BIN_EXE_plimsoll")).unwrap().read_exact(&mut header).unwrap();
    assert_eq!(&header[..4], b"\x7fELF");
    assert_eq!(u16::from_ne_bytes([header[16], header[17]]), FIXED);
}
