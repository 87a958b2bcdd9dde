//! Tables and lines that take less room, and text that stays unchanged.

use super::{compact, compact_within};

#[test]
fn columns_are_as_wide_as_their_cells() {
    let text: String = (0..8)
        .map(|n| format!("{:>8}: {n:016x} {:>9} FUNC    GLOBAL  name_{n}\n", n * 7, n * n * 100))
        .collect();
    let short = compact(&text).unwrap();
    assert!(
        short.starts_with("0: 0000000000000000 0 FUNC GLOBAL name_0\n7: 0000000000000001 100 FUNC"),
        "{short}"
    );
}

#[test]
fn what_all_rows_share_is_printed_once() {
    let row = |n: usize| format!("-rw-r--r-- 0/0 {:>9} 2006-07-24 01:21 tokio/src/part{n}.rs\n", n * 99);
    let text: String = (0..30).map(row).collect();
    let short = compact(&text).unwrap();
    assert!(
        short.starts_with("-rw-r--r-- 0/0 … 2006-07-24 01:21 …  [×30]\n0 tokio/src/part0.rs\n99 tokio"),
        "{short}"
    );
}

#[test]
fn rows_that_are_all_equal_are_one_line_with_their_number() {
    let frames = "\tfrom -e:1:in `step'\n".repeat(40);
    let text = format!("undefined method `cents' for nil\n\n{frames}\tfrom -e:1:in `<main>'\n");
    let short = compact(&text).unwrap();
    assert!(!short.contains("\n\n\n"), "{short}");
    assert!(short.contains("from -e:1:in `step'  [×40]\n"), "{short}");
    assert!(short.ends_with("from -e:1:in `<main>'\n"), "{short}");
}

#[test]
fn columns_stay_aligned_after_an_empty_cell() {
    let text: String = (0..8)
        .map(|n| {
            format!("{:>9}          {:>6} {:>9}          call_{n}\n", n, n * 3, if n == 4 { "1" } else { "" })
        })
        .collect();
    let short = compact(&text).unwrap();
    let ends: Vec<_> = short.lines().map(|line| line.find("call_").unwrap()).collect();
    assert!(ends.windows(2).all(|pair| pair[0] == pair[1]), "{short}");
    assert!(short.len() * 10 < text.len() * 7, "{short}");
}

#[test]
fn changed_files_are_listed_by_folder() {
    let text: String = (0..30)
        .map(|n| format!("{}\tcrates/filters/src/part{n}.rs\n", if n % 10 < 8 { "M" } else { "A" }))
        .collect();
    let short = compact(&format!("{text}R100\tcrates/a.rs\tcrates/b.rs\n")).unwrap();
    assert!(short.contains("\ncrates/filters/src/: M part0.rs part1.rs "), "{short}");
    assert!(short.contains(" part7.rs A part8.rs part9.rs M part10.rs"), "{short}");
    assert!(short.ends_with(" part29.rs\nR100\tcrates/a.rs\tcrates/b.rs\n"), "{short}");
}

#[test]
fn a_list_of_changed_files_is_counted_whole() {
    let each = |n: usize| format!("M\tsrc/part_{n}/file_{n}.rs\n");
    let alone: String = (0..40).map(each).collect();
    let together: String = (0..14).map(|n| format!("M\tsrc/part_40/file_{n}.rs\n")).collect();
    for text in [format!("{alone}{together}"), format!("{together}{alone}")] {
        let short = compact(&text).unwrap_or_else(|| text.clone());
        for line in short.lines().filter(|line| line.contains("changed files by folder")) {
            assert_eq!(line, "54 changed files by folder:", "{short}");
        }
    }
    // Neither a moved file nor a name with blanks ends the list.
    let moved = "R097\tsrc/a.rs\tsrc/b.rs\nM\tsrc/a file.rs\n";
    let short = compact(&format!("{together}{moved}{together}done\n")).unwrap();
    assert!(short.starts_with("30 changed files by folder:\nsrc/part_40/: M file_0.rs "), "{short}");
    assert!(short.contains(&format!(" file_13.rs\n{moved}src/part_40/: M file_0.rs ")), "{short}");
    assert!(short.ends_with(" file_13.rs\ndone\n") && short.lines().count() == 6, "{short}");
    let (short, text) = (compact(&together).unwrap(), format!("A\n{together}"));
    assert!(short.starts_with("14 changed files by folder:\n"), "{short}");
    assert!(compact(&text).unwrap().starts_with("A\n14 changed files by folder:\n"));
}

#[test]
fn tabs_are_tab_stops() {
    let text: String =
        (0..8).map(|n| format!("  -falign-{n}{} \t\t[enabled]\n", " ".repeat(12 + n % 2))).collect();
    let short = compact(&text).unwrap();
    assert!(short.starts_with("-falign-0 [enabled]\n-falign-1 [enabled]\n"), "{short}");
}

#[test]
fn text_that_is_not_a_table_stays() {
    let code: String =
        (0..20).map(|n| format!("{}if a_{n} {{  call(n) }}\n", "    ".repeat(n % 4))).collect();
    let prose = "a text  with two gaps\n\nand another\n".repeat(9);
    let tree = "root\n├── a\n│   └── b\n".repeat(6);
    for text in [code, prose, tree] {
        assert_eq!(compact(&text), None, "{text}");
    }
}

#[test]
fn lines_that_differ_in_a_word_are_printed_once() {
    let text: String = (0..30).map(|n| format!("  Depends: libpart{n}\n")).collect();
    let short = compact(&format!("libreoffice-core\n{text}  Conflicts: other\n")).unwrap();
    assert!(short.starts_with("libreoffice-core\n  Depends: …  [×30]\n    libpart0 libpart1 "), "{short}");
    assert!(short.ends_with(" libpart29\n  Conflicts: other\n"), "{short}");
    // A failure keeps its line.
    let failed: String = (0..30).map(|n| format!("error: part{n} cannot be read\n")).collect();
    assert_eq!(compact(&failed), None);
}

#[test]
fn a_list_that_nearly_fits_says_how_many_of_its_words_are_left_out() {
    let text: String = (0..400).map(|n| format!("  Unpacking libname{n}-dev\n")).collect();
    let whole = compact(&text).unwrap();
    let room = whole.len() - 700;
    let short = compact_within(&text, room).unwrap();
    assert!(short.len() <= room && short.starts_with("  Unpacking …  [×400]\n"), "{short}");
    let shown = short.lines().filter(|line| !line.contains('…')).flat_map(str::split_whitespace).count();
    assert!(short.contains(&format!("  … {} left out …\n", 400 - shown)), "{shown} of 400: {short}");
    assert!(short.contains(" libname0-dev ") && short.trim_end().ends_with(" libname399-dev"), "{short}");
    // For a list that is much too long, a sample is more useful.
    assert_eq!(compact_within(&text, whole.len() / 4), None);
}

#[test]
fn indentation_within_a_column_stays() {
    let code = [
        "def total(lines):",
        "    out = 0",
        "    for line in lines:",
        "        if line.active:",
        "            out += line.price",
        "            if line.tax:",
        "                out += line.tax",
        "        else:",
        "            continue",
        "    return out",
    ];
    let numbered: String =
        code.iter().enumerate().map(|(at, line)| format!("{:6}  {line}\n", at + 1)).collect();
    let tree: String = ["sda", "|-sda1", "| `-luks", "|   |-root", "|   `-swap", "`-sda2", "sr0"]
        .iter()
        .enumerate()
        .map(|(at, name)| format!("{name:<14}   8:{at}    0  {:>6}M  0 part\n", at * 512))
        .collect();
    for text in [numbered, tree] {
        let Some(short) = compact(&text) else { continue };
        let depth = |line: &str, word: &str| {
            line.find(word).unwrap() as i64 - line.find(|c: char| c != ' ').unwrap() as i64
        };
        for (before, after) in text.lines().zip(short.lines()) {
            let words: Vec<&str> = before.split_whitespace().collect();
            // Nothing but the width of the column before may change.
            let gap = |line: &str| line.find(words[1]).map(|_| depth(line, words[1])).unwrap_or_default();
            let number = words[0].len() as i64;
            assert!(gap(after) - number >= 1, "{short}");
        }
        let indents = |text: &str| -> Vec<usize> {
            text.lines()
                .map(|line| {
                    let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
                    rest.len() - rest.trim_start().len()
                })
                .collect()
        };
        let (before, after) = (indents(&text), indents(&short));
        let order = |all: &[usize]| -> Vec<std::cmp::Ordering> {
            all.windows(2).map(|pair| pair[0].cmp(&pair[1])).collect()
        };
        assert_eq!(order(&before), order(&after), "{short}");
    }
}

#[test]
fn not_everything_that_begins_with_a_letter_is_a_changed_file() {
    let grades: String = (0..40).map(|n| format!("{}\tname{n}\n", ["A", "C", "D"][n % 3])).collect();
    assert!(!compact(&grades).unwrap_or_default().contains("changed files"));
}

/// As scripts and pytest-benchmark draw them.
#[test]
fn rulers_around_a_table_do_not_keep_it_wide() {
    let ruler = "-".repeat(90);
    let rows: String = (0..12)
        .map(|n| format!("test_part{n:<20}{:>12}.{:02} (1.{n:02}){:>20}\n", n * 37 + 1, n, n * 1_001 + 7))
        .collect();
    let heading = format!("{:-^90}", " benchmark: 12 tests ");
    let text = format!(
        "{heading}\n{:<29}{:>12}{:>30}\n{ruler}\n{rows}{ruler}\n\nLegend: one line\n",
        "Name", "Min", "Rounds"
    );
    let short = compact(&text).unwrap();
    assert!(short.len() * 3 < text.len() * 2 && !short.contains(&ruler), "{short}");
    assert!(
        short.starts_with("-- benchmark: 12 tests --\nName ") && short.ends_with("\n\nLegend: one line\n"),
        "{short}"
    );
    for word in text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)) {
        assert!(short.contains(word), "{word}: {short}");
    }
    // Between groups of rows it says where one ends.
    let group = |name: &str| -> String { (0..9).map(|n| format!("{name}{n:<40}{:<40}\n", n * 7)).collect() };
    let groups = format!("{}{ruler}\n{}", group("paid"), group("open"));
    assert!(compact(&groups).is_none_or(|short| short.contains(&ruler)));
    // Below a heading there is no table.
    assert_eq!(compact("Changes of this year\n====================\nNone that matters\n"), None);
}
