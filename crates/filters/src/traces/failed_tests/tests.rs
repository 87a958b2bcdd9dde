//! Lists of failed tests in more and less room: what stays in each.

use super::{Failed, list, name_function_once, own_words};

#[test]
fn a_tests_own_words_are_those_missing_from_the_legend() {
    let shown = "AssertionError: expected 2 to be 3 // Object.is equality";
    for (text, own) in [
        (shown, "with the values of b"),
        ("AssertionError: expected 2 to be 7 // Object.is equality", "… 7 // Object.is equality"),
        ("AssertionError: expected 2 to be", "AssertionError: expected 2 to be"),
        ("Error: 4", "Error: 4"),
    ] {
        assert_eq!(own_words(text, ("b", shown), 120), own);
    }
}

#[test]
fn every_place_comes_before_names_and_rare_messages_before_frequent_ones() {
    let names: Vec<String> =
        (0..60).map(|n| format!("should do the {n}th thing as it is asked to")).collect();
    let places: Vec<String> = (0..60).map(|n| format!("{}:7", n * 9 + 1)).collect();
    let failed: Vec<Failed<'_>> = (0..60)
        .map(|n| Failed {
            file: if n % 2 == 0 { "test/a.js" } else { "test/b.js" },
            at: &places[n],
            suites: vec!["shop", if n < 30 { "cart" } else { "till" }],
            name: &names[n],
            wording: if n == 41 { "TypeError: no price".into() } else { "Error: expected 4".into() },
            ..Failed::default()
        })
        .collect();
    let whole = list(&failed, 9_000).unwrap();
    assert!(whole.contains("  a ×59: Error: expected 4\n  b: TypeError: no price\ntest/a.js\n shop\n  cart\n   1:7 a should do the 0th thing"), "{whole}");
    for room in [whole.len() - 1, 1_900] {
        let part = list(&failed, room).unwrap();
        assert!(part.len() <= room && !part.contains("cart"), "{part}");
        assert!(places.iter().all(|place| part.contains(&format!(" {place} "))), "{part}");
        assert!(part.contains("370:7 b should do the 41th thing"), "{part}");
        assert_eq!(part.contains("names of tests not shown"), room == 1_900, "{part}");
    }
    assert_eq!(list(&failed, 300), None);
}

/// Two tests have each message, and more than a third of the room is for messages.
#[test]
fn messages_use_the_room_left_by_rows() {
    let says = |n: usize| format!("TypeError: the total of the {n}th cart in the shop is not a number");
    let names: Vec<String> = (100..162).map(|n| format!("adds {n}")).collect();
    let failed: Vec<Failed<'_>> = (0..62)
        .map(|n| Failed { file: "a.js", at: "7", name: &names[n], wording: says(n / 2), ..Failed::default() })
        .collect();
    let whole = list(&failed, 4_000).unwrap();
    assert!(whole.len() <= 4_000 && (0..31).all(|n| whole.contains(&says(n))), "{whole}");
    for room in (800..4_000).step_by(50) {
        let part = list(&failed, room);
        assert!(part.as_ref().is_none_or(|part| part.len() <= room), "{room}: {part:?}");
    }
}

/// 40 messages, each of two tests with different values; the legend has room for some.
#[test]
fn words_continue_only_after_text_in_the_legend() {
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap());
    let kind = |n: usize| {
        let word = format!("{}{}", letter(n / 26), letter(n));
        format!("TypeError: the total of {word} isn't what it was in the shop before the sale of last autumn")
    };
    let names: Vec<String> = (100..180).map(|n| format!("adds {n}")).collect();
    let failed: Vec<Failed<'_>> = (0..80)
        .map(|n| Failed {
            file: "a.js",
            at: "7",
            name: &names[n],
            wording: format!("{}: {n} rather than 7", kind(n / 2)),
            ..Failed::default()
        })
        .collect();
    let mut any = false;
    for room in (1_500..9_000).step_by(250) {
        let Some(part) = list(&failed, room) else { continue };
        assert!(part.len() <= room, "{room}: {part}");
        let (legend, _) = part.split_once("a.js\n").unwrap();
        for (n, name) in names.iter().enumerate() {
            let goes_on =
                ["… ", "with the values of "].iter().any(|with| part.contains(&format!("{name} {with}")));
            any |= goes_on;
            assert!(!goes_on || legend.contains(&kind(n / 2)), "{room} {name}: {part}");
        }
    }
    assert!(any);
}

/// A test fails as often as its loop runs.
#[test]
fn a_test_that_failed_several_times_is_named_and_counted_once() {
    let names: Vec<String> = (100..160).map(|n| format!("Cart.TotalsOfManyGoods{n}")).collect();
    let places: Vec<String> = (100..160).map(|n| format!("{n}7")).collect();
    let failed: Vec<Failed<'_>> = (0..180)
        .map(|n| Failed {
            file: "cart_test.cc",
            at: &places[n / 3],
            name: &names[n / 3],
            wording: "Value of: is_empty(); Actual: false".into(),
            ..Failed::default()
        })
        .collect();
    let whole = list(&failed, 9_000).unwrap();
    assert!(whole.contains("\n 1007 a ×3 Cart.TotalsOfManyGoods100\n"), "{whole}");
    let part = list(&failed, 1_400).unwrap();
    let shown = names.iter().filter(|name| part.contains(name.as_str())).count();
    let hidden = 60 - shown;
    assert!(
        shown < 60 && part.ends_with(&format!("\n… {hidden} names of tests not shown\n")),
        "{shown}: {part}"
    );
}

#[test]
fn messages_that_differ_in_values_are_of_one_kind_and_every_name_stays() {
    let names: Vec<String> = (0..200).map(|n| format!("test_url[case{n}]")).collect();
    let failed: Vec<Failed<'_>> = (0..200)
        .map(|n| Failed {
            file: "tests/test_url.py",
            at: if n == 77 { "91" } else { "50" },
            suites: Vec::new(),
            name: &names[n],
            wording: match n {
                77 => "KeyError: 'port'".into(),
                _ => format!("AssertionError: assert '/p{n}/x' == '/p{n}'"),
            },
            ..Failed::default()
        })
        .collect();
    let whole = list(&failed, 20_000).unwrap();
    let own = " 50 a test_url[case3] AssertionError: assert '/p3/x' == '/p3'\n";
    assert!(whole.contains(own) && whole.len() <= 20_000, "{whole}");
    assert!(whole.contains("test_url[case0] with the values of a\n"), "{whole}");
    let joined = list(&failed, 5_000).unwrap();
    assert!(
        joined.contains("  a ×199, other values than: AssertionError: assert '/p0/x' == '/p0'\n"),
        "{joined}"
    );
    assert!(names.iter().all(|name| joined.contains(name.as_str())) && joined.len() <= 5_000, "{joined}");
    assert!(joined.contains(" 91 b test_url[case77]\n"), "{joined}");
    for room in (500..2_200).step_by(100) {
        let part = list(&failed, room).unwrap();
        let names = part.contains("test_url[case77]") && part.contains(" names of tests not shown\n");
        assert!(names && part.len() <= room, "{room}: {part}");
    }
    // Every case has its values, and the function is named where one of its cases is the first at a place.
    let once = list(&failed, 2_500).unwrap();
    assert!((0..200).all(|n| once.contains(&format!("[case{n}]"))) && once.len() <= 2_500, "{once}");
    assert!(
        once.contains(" 91 b test_url[case77]\n") && once.contains("test_url[case0]; [case1]; [case2]; "),
        "{once}"
    );
}

/// Where names don't all fit, none of them is shown in full and another not at all.
#[test]
fn cases_of_one_function_name_it_once() {
    let names: Vec<String> = (0..90)
        .map(|n| {
            format!(
                "test_{}[value{n}-{n} days ago]",
                ["naturaltime_with_months", "naturaldelta_in_days"][n / 45]
            )
        })
        .collect();
    let failed: Vec<Failed<'_>> = (0..90)
        .map(|n| Failed {
            file: "tests/test_time.py",
            at: if n < 45 { "136" } else { "187" },
            name: &names[n],
            wording: if n % 3 == 0 {
                "ValueError: no precision".into()
            } else {
                format!("KeyError: {}", n % 2)
            },
            ..Failed::default()
        })
        .collect();
    let whole = list(&failed, 9_000).unwrap();
    assert!(names.iter().all(|name| whole.contains(name.as_str())), "{whole}");
    let short = list(&failed, 3_200).unwrap();
    assert!(short.len() <= 3_200 && !short.contains("not shown"), "{short}");
    for (n, name) in names.iter().enumerate() {
        let (function, case) = name.split_at(name.find('[').unwrap());
        assert!(short.contains(case), "{case}: {short}");
        if n % 45 == 0 {
            assert!(short.contains(name.as_str()) && short.matches(function).count() == 1, "{name}: {short}");
        }
    }
}

#[test]
fn a_function_is_left_out_only_where_it_is_the_one_above() {
    let mut above = None;
    for (name, at, shown) in [
        ("test_total[2]", "7", "test_total[2]"),
        ("test_total[3-a day]", "7", "[3-a day]"),
        ("test_total[3]", "9", "test_total[3]"),
        ("test_tax[3]", "9", "test_tax[3]"),
        ("test_tax", "9", "test_tax"),
        ("test_tax[4]", "9", "test_tax[4]"),
        ("returns [a]", "9", "returns [a]"),
        ("returns [b]", "9", "returns [b]"),
    ] {
        let mut called = name.to_owned();
        name_function_once(&mut called, ("t.py", at), &mut above);
        assert_eq!(called, shown, "{name} at {at}");
    }
}
