//! The outside of a disk image as macOS attaches it: a volume's sectors, compressed in runs, then a list of the runs,
//! then a block that says where the list is. Knows nothing of what is on the volume. Apple has not written the format
//! down; its fields are those that the tools which read such images agree on, and one of them reads this image back
//! ([`super::macos`]).

use std::io::Write;

use anyhow::{Context, Result, ensure};
use flate2::{Compression, Crc, write::ZlibEncoder};

const SECTOR: usize = 512;
/// Sectors in a run: a reader unpacks one as a whole.
const RUN: usize = 512;

const ZERO: u32 = 0;
const RAW: u32 = 1;
const ZLIB: u32 = 0x8000_0005;
const END: u32 = 0xffff_ffff;

/// Both checksums are CRC-32, which this number names; it has 32 bits.
const CRC32: [u32; 2] = [2, 32];
/// The list is about the whole disk, not about one partition.
const WHOLE: u32 = 0xffff_fffe;

/// The image of the disk `volume`, whose length is filled up to whole sectors.
pub(super) fn image(mut volume: Vec<u8>) -> Result<Vec<u8>> {
    volume.resize(volume.len().next_multiple_of(SECTOR), 0);
    let sectors = volume.len() / SECTOR;
    let mut out = Vec::new();
    let mut runs = Vec::new();
    for (number, bytes) in volume.chunks(RUN * SECTOR).enumerate() {
        let start = out.len();
        let kind = if bytes.iter().all(|byte| *byte == 0) {
            ZERO
        } else {
            let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
            packed.write_all(bytes)?;
            let packed = packed.finish()?;
            let (kind, stored) =
                if packed.len() < bytes.len() { (ZLIB, packed.as_slice()) } else { (RAW, bytes) };
            out.extend(stored);
            kind
        };
        run(&mut runs, kind, number * RUN, bytes.len() / SECTOR, start, out.len() - start)?;
    }
    run(&mut runs, END, sectors, 0, out.len(), 0)?;

    let whole = crc(&volume);
    let list = property_list(&run_table(sectors, &whole, &runs)?);
    let data = out.len();
    let stored = crc(&out);
    out.extend(list.as_bytes());
    let trailer = trailer(sectors, data, list.len(), &stored, &whole)?;
    out.extend(trailer);
    Ok(out)
}

fn run(runs: &mut Vec<u8>, kind: u32, sector: usize, sectors: usize, at: usize, length: usize) -> Result<()> {
    push_numbers(runs, &[kind, 0]);
    for number in [sector, sectors, at, length] {
        runs.extend(long(number)?);
    }
    Ok(())
}

/// The table of runs with its head.
fn run_table(sectors: usize, checksum: &[u8; 4], runs: &[u8]) -> Result<Vec<u8>> {
    let mut table = b"mish".to_vec();
    push_numbers(&mut table, &[1]);
    for number in [0, sectors, 0] {
        table.extend(long(number)?);
    }
    // The buffer that a reader needs: a run, and a little more.
    push_numbers(&mut table, &[u32::try_from(RUN)? + 8, WHOLE, 0, 0, 0, 0, 0, 0]);
    sum(&mut table, checksum);
    push_numbers(&mut table, &[u32::try_from(runs.len() / 40)?]);
    table.extend(runs);
    Ok(table)
}

/// The list as macOS keeps it: resources by kind, here of one kind.
fn property_list(table: &[u8]) -> String {
    let name = "whole disk (unknown partition : 0)";
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n<key>resource-fork</key>\n<dict>\n<key>blkx</key>\n<array>\n<dict>\n\
         <key>Attributes</key>\n<string>0x0050</string>\n<key>CFName</key>\n<string>{name}</string>\n\
         <key>Data</key>\n<data>\n{}\n</data>\n<key>ID</key>\n<string>0</string>\n<key>Name</key>\n<string>{name}</string>\n\
         </dict>\n</array>\n</dict>\n</dict>\n</plist>\n",
        base64(table)
    )
}

/// The last 512 bytes, which a reader looks at first.
fn trailer(sectors: usize, data: usize, list: usize, stored: &[u8; 4], whole: &[u8; 4]) -> Result<Vec<u8>> {
    let mut block = b"koly".to_vec();
    // Version, its own length, "flattened".
    push_numbers(&mut block, &[4, 512, 1]);
    for number in [0, 0, data, 0, 0] {
        block.extend(long(number)?);
    }
    // One segment, the first of one; its id says which segments belong together.
    push_numbers(&mut block, &[1, 1]);
    block.extend([stored.as_slice(), whole, stored, whole].concat());
    sum(&mut block, stored);
    for number in [data, list] {
        block.extend(long(number)?);
    }
    block.extend([0; 120]);
    // Of the checksums of all tables, of which there is one.
    sum(&mut block, &crc(whole));
    // The image of a device.
    push_numbers(&mut block, &[1]);
    block.extend(long(sectors)?);
    block.extend([0; 12]);
    ensure!(block.len() == 512, "the last block has {} bytes", block.len());
    Ok(block)
}

/// A checksum in the room of 128 bytes that one has.
fn sum(out: &mut Vec<u8>, checksum: &[u8; 4]) {
    push_numbers(out, &CRC32);
    out.extend(checksum);
    out.extend([0; 124]);
}

fn push_numbers(out: &mut Vec<u8>, numbers: &[u32]) {
    for number in numbers {
        out.extend(number.to_be_bytes());
    }
}

fn long(number: usize) -> Result<[u8; 8]> {
    Ok(u64::try_from(number).context("a disk has fewer bytes")?.to_be_bytes())
}

fn crc(bytes: &[u8]) -> [u8; 4] {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum().to_be_bytes()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = LETTERS.get((bits >> (18 - 6 * place) & 63) as usize).copied().unwrap_or(b'=');
            out.push(if place > three.len() { '=' } else { char::from(letter) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn number(bytes: &[u8], at: usize) -> usize {
        usize::try_from(u64::from_be_bytes(bytes[at..at + 8].try_into().unwrap())).unwrap()
    }

    /// Follows the trailer to the list and the list to the runs, as a reader does.
    #[test]
    fn the_image_gives_back_what_went_in() {
        // Text, holes, and noise that does not shrink.
        let mut volume = "Plimsoll ".repeat(60_000).into_bytes();
        volume.extend(vec![0; RUN * SECTOR * 2]);
        let mut seed = 7_u32;
        volume.extend((0..RUN * SECTOR + 100).map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            u8::try_from(seed >> 24).unwrap()
        }));
        let image = image(volume.clone()).unwrap();
        let trailer = &image[image.len() - 512..];
        assert_eq!(&trailer[..4], b"koly");
        let (data, list) = (number(trailer, 32), &image[number(trailer, 216)..][..number(trailer, 224)]);
        assert_eq!(number(trailer, 216), data);
        let list = std::str::from_utf8(list).unwrap();
        let table = list.split("<data>").nth(1).unwrap().split("</data>").next().unwrap().trim();
        let table = unbase64(table);
        assert_eq!(&table[..4], b"mish");
        let count = u32::from_be_bytes(table[200..204].try_into().unwrap()) as usize;
        let mut read = Vec::new();
        for run in table[204..].chunks(40).take(count - 1) {
            let kind = u32::from_be_bytes(run[..4].try_into().unwrap());
            assert_eq!(number(run, 8) * SECTOR, read.len());
            let stored = &image[number(run, 24)..][..number(run, 32)];
            let length = number(run, 16) * SECTOR;
            match kind {
                ZERO => read.extend(vec![0; length]),
                RAW => read.extend(stored),
                ZLIB => drop(flate2::read::ZlibDecoder::new(stored).read_to_end(&mut read).unwrap()),
                other => panic!("{other:x}"),
            }
        }
        assert_eq!(table[204 + 40 * (count - 1)..][..4], END.to_be_bytes());
        assert_eq!(number(trailer, 492) * SECTOR, read.len());
        volume.resize(read.len(), 0);
        assert!(read == volume);
        assert_eq!(crc(&volume), table[72..76]);
    }

    fn unbase64(text: &str) -> Vec<u8> {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut out = Vec::new();
        for four in text.as_bytes().chunks(4) {
            let bits = four
                .iter()
                .fold(0, |bits, letter| bits << 6 | letters.find(char::from(*letter)).unwrap_or_default());
            let count = 3 - four.iter().filter(|letter| **letter == b'=').count();
            out.extend(&u32::try_from(bits).unwrap().to_be_bytes()[1..=count]);
        }
        out
    }
}
