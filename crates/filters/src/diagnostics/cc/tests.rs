//! What of the messages of gcc and clang is one finding, a note or a repetition, on captures in three languages.

use super::{Kind, c_frames, kind};

#[test]
fn lines_are_distinguished() {
    for (line, next, wanted) in [
        ("src/a.cpp:3:9: error: no", None, Kind::Head),
        ("/usr/include/c++/12/map:3:9: note: candidate: x", None, Kind::Note),
        ("src/a.cpp:3:9:   required from here", None, Kind::Required),
        ("src/a.cpp: In function ‘void f()’:", None, Kind::Chain),
        ("In file included from src/a.cpp:1:", None, Kind::Chain),
        ("src/a.c:14:12: Fehler: »rate« nicht deklariert", None, Kind::Head),
        ("src/a.c:3:10: schwerwiegender Fehler: a.h: Datei nicht gefunden", None, Kind::Head),
        ("src/a.c:20:9: Warnung: Variable »x« wird nicht verwendet [-Wunused-variable]", None, Kind::Head),
        ("src/a.c:2:5: Anmerkung: hier deklariert", None, Kind::Note),
        ("src/a.c: In Funktion »total«:", None, Kind::Chain),
        ("src/a.c:14:12: erreur: « rate » non déclaré", None, Kind::Head),
        ("src/a.c:20:9: attention\u{a0}: variable « x » inutilisée", None, Kind::Head),
        ("src/a.c: Dans la fonction « total »:", None, Kind::Chain),
        ("src/a.c:9: errors: 3", None, Kind::Other),
        ("   12 |     f(x);", None, Kind::Source),
        ("    f(x);", Some("    ^~~"), Kind::Source),
        ("make: *** [Makefile:3: all] Error 1", None, Kind::Other),
        ("/usr/bin/ld: a.o: in function `main':", None, Kind::Other),
    ] {
        assert_eq!(kind(line, next), wanted, "{line}");
    }
}

#[test]
fn a_report_is_as_short_in_another_language() {
    let one = |n: usize, level: &str, says: &str| {
        format!("src/a.c:{n}:9: {level}: {says}\n{n:5} |     total += rate;\n      |              ^~~~\n")
    };
    let text = |chain: &str, error: &str, warning: &str| -> String {
        let both = |n: usize| one(n, error, "rate") + &one(n, warning, "x");
        (10..60).map(|n| format!("src/a.c: {chain} f{n}:\n{}", both(n))).collect()
    };
    let (english, left_out) = c_frames(&text("In function", "error", "warning")).unwrap();
    assert!(english.contains("src/a.c:59:9: error: rate\n    total += rate;\n"), "{english}");
    for (chain, error, warning) in
        [("In Funktion", "Fehler", "Warnung"), ("Dans la fonction", "erreur", "attention ")]
    {
        let (short, counts) = c_frames(&text(chain, error, warning)).unwrap();
        let translated = english.replace("error", error).replace("warning", warning);
        assert_eq!((short, &counts), (translated, &left_out));
    }
}

#[test]
fn what_led_to_a_note_is_not_above_the_next_line() {
    let notes: String = (0..30)
        .map(|n| {
            format!("In file included from /usr/include/c++/12/base.h:64:\n/usr/include/c++/12/pair:{n}:5: note: candidate: operator<\n   {n} | operator<\n      | ^~~\n")
        })
        .collect();
    let text = format!(
        "src/a.cpp:9:11: error: no match for ‘operator<’\n    9 |     a < b;\n      |     ^\n{notes}src/b.cpp:20:3: error: no ‘x’\n   20 |   x();\n      |   ^\n"
    );
    let (short, _) = c_frames(&text).unwrap();
    assert_eq!(
        short,
        "src/a.cpp:9:11: error: no match for ‘operator<’\n    a < b;\n  … 30 notes not shown\nsrc/b.cpp:20:3: error: no ‘x’\n    x();\n… 92 lines of source, chains and candidates not shown\n"
    );
}

#[test]
fn the_reason_why_a_constraint_is_not_met_stays() {
    let candidates: String = (0..30)
        .map(|n| {
            format!("/usr/include/c++/12/pair:{n}:5: note: candidate: twice\n   {n} | twice\n      | ^~~\n")
        })
        .collect();
    let text = format!(
        "c.cpp:7:18: error: no matching function for call to ‘twice(double)’\n    7 | twice(2.5);\n      | ~~~~~^~~~~\n{candidates}In file included from c.cpp:1:\n/usr/include/c++/12/concepts: In substitution of ‘T twice(T) [with T = double]’:\nc.cpp:7:18:   required from here\n/usr/include/c++/12/concepts:100:24: note: the expression ‘is_integral_v<_Tp>’ evaluated to ‘false’\n  100 |     concept integral = is_integral_v<_Tp>;\n      |                        ^~~~~~~~~~~~~~~~~~\nc.cpp:8:9: error: no ‘x’\n"
    );
    let (short, _) = c_frames(&text).unwrap();
    assert_eq!(
        short,
        "c.cpp:7:18: error: no matching function for call to ‘twice(double)’\n    twice(2.5);\n/usr/include/c++/12/concepts:100:24: note: the expression ‘is_integral_v<_Tp>’ evaluated to ‘false’\n  … 30 notes not shown\nc.cpp:8:9: error: no ‘x’\n… 66 lines of source, chains and candidates not shown\n"
    );
}

#[test]
fn one_error_in_many_headers_is_reported_once_with_its_include_path() {
    let one = |line: usize| {
        let candidates: String = (0..40)
            .map(|n| format!("/usr/include/c++/12/pair:{n}:5: note: candidate: operator<\n   {n} | operator<\n      | ^~~\n"))
            .collect();
        format!(
            "/usr/include/c++/12/ops.h: In instantiation of ‘f’:\n/usr/include/c++/12/algo.h:7:1:   required from ‘g’\nsrc/a.h:31:14:   required from ‘sorted’\nsrc/a.cpp:9:11:   required from here\n/usr/include/c++/12/ops.h:{line}:23: error: no match for ‘operator<’\n   {line} | a < b\n      | ^\n{candidates}"
        )
    };
    let text = format!("{}{}src/a.cpp:20:3: error: no ‘x’\nmake: *** [all] Error 1\n", one(45), one(98));
    let (short, _) = c_frames(&text).unwrap();
    assert_eq!(
        short,
        "src/a.h:31:14:   required from ‘sorted’
src/a.cpp:9:11:   required from here
/usr/include/c++/12/ops.h:45:23: error: no match for ‘operator<’  [×2, places in headers differ]
  … 40 notes not shown
src/a.cpp:20:3: error: no ‘x’
make: *** [all] Error 1
… 210 lines of source, chains and candidates not shown
"
    );
}
