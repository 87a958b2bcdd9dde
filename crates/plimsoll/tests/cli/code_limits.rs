//! What `plimsoll code search` says of the answers that it doesn't look through.

use super::desk::Desk;

#[test]
fn the_last_page_says_that_there_may_be_more() {
    let desk = Desk::new();
    let root = desk.beside("ship");
    std::fs::create_dir_all(root.join("src")).unwrap();
    for n in 0..130 {
        let text = format!("export function berth{n}(value: number) {{ return value + {n}; }}\n");
        std::fs::write(root.join(format!("src/berth{n}.ts")), text).unwrap();
    }
    let search = |more: &[&str]| {
        let args: Vec<&str> = ["code", "search", "value", "--json"].iter().chain(more).copied().collect();
        let found = desk.run_in(&root, &args).ended(0).json();
        let hint = found["searchQuality"]["hint"].as_str().unwrap_or_default().to_owned();
        (found["results"].as_array().unwrap().len(), hint, found["nextOffset"].as_u64())
    };
    // A page with a next one needs no hint.
    assert_eq!(search(&["--limit", "5"]), (5, String::new(), Some(5)));
    let (count, hint, next) = search(&["--limit", "100"]);
    assert_eq!((count, next), (100, None));
    assert!(hint.contains("only the 100 best answers are looked through"), "{hint}");
    // With fewer answers than the limit, all are listed and no hint is needed.
    for n in 60..130 {
        std::fs::remove_file(root.join(format!("src/berth{n}.ts"))).unwrap();
    }
    desk.run_in(&root, &["code", "reindex"]).ended(0);
    assert_eq!(search(&["--limit", "100"]), (60, String::new(), None));
    // A page past the last answer says so; it doesn't say that nothing was found.
    let past = "offset 60 is past the last answer (number 60)";
    assert_eq!(search(&["--offset", "60"]), (0, past.to_owned(), None));
    let typed = |words: &[&str]| desk.run_in(&root, words).ended(0).out;
    assert_eq!(typed(&["code", "search", "value", "--offset", "60"]).trim(), format!("({past})"));
    assert!(desk.run_in(&root, &["code", "search", "nowhere"]).ended(3).out.contains("nothing answers"));
    assert!(
        desk.run_in(&root, &["code", "refs", "nowhere"]).ended(3).out.contains("nothing is called nowhere")
    );
    // The same where uses are counted.
    let past = "offset 50 is past the last answer (number 1)";
    assert_eq!(typed(&["code", "refs", "berth7", "--offset", "50"]).trim(), format!("({past})"));
    for question in ["--callers", "--callees", "--implementations"] {
        let told = desk.run_in(&root, &["code", "refs", "nowhere", question]).ended(3).out;
        assert!(told.contains("nothing is called nowhere"), "{question}: {told}");
    }
    // What a package defines is called so here, too.
    let dock = "import { Pier } from 'harbour';\nexport class Dock extends Pier {}\n";
    std::fs::write(root.join("src/dock.ts"), dock).unwrap();
    desk.run_in(&root, &["code", "reindex"]).ended(0);
    let told = desk.run_in(&root, &["code", "refs", "Pier", "--callers"]).ended(3).out;
    let places = "nothing here defines Pier; its references list the places that have the word";
    assert!(told.contains(places), "{told}");
}
