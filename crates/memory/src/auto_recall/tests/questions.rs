//! Which prompts are answered: questions about the project, prompts with everyday words in them, and those without spaces.

use super::test_world::World;

/// Asks each prompt in a session of its own: what is told, or nothing where nothing is expected.
fn asked(texts: &[&str], prompts: &[(&str, Option<&str>)]) {
    let world = World::new();
    for text in texts {
        world.capture(text, |_| {});
    }
    for (at, (prompt, expected)) in prompts.iter().enumerate() {
        let told = world.prompt(&format!("asked {at}"), prompt);
        match expected {
            Some(expected) => {
                let told = told.unwrap_or_default();
                let is_one = told.matches("plimsoll://memory/").count() == 1;
                assert!(told.contains(expected) && is_one, "{prompt}: {told}");
            }
            None => assert_eq!(told, None, "{prompt}"),
        }
    }
}

/// *make* and *doesn't work* are in prompts of every kind, and no memory says so.
#[test]
fn everyday_words_do_not_make_a_memory_say_less_of_a_prompt() {
    asked(
        &[
            "No names of real patients in fixtures, the generator in tools/people has others",
            "Docker Desktop on a mac eats file events below services/board, so hot reload is dead there",
            "The rate limit of the API is 50 requests per second and token",
            "Shifts are stored in UTC",
            "Rosters are printed on A3",
            "The kiosk scans badges",
        ],
        &[
            ("how do I make fake patients for fixtures", Some("real patients")),
            ("hot reload doesn't work on mac", Some("Docker Desktop")),
            // The work that is given counts.
            ("add a rate limiter to the crawler", None),
            ("make the fixtures smaller and run it again", None),
        ],
    );
}

/// A product is in many prompts, and with everyday words alone it's the product that they are about.
#[test]
fn a_product_beside_everyday_words_is_no_subject_of_the_project() {
    asked(
        &[
            "Bed occupancy is polled instead of being pushed by websockets",
            "Go 1.24.1, Node 24.2",
            "Production runs on three nodes in the basement",
            "RabbitMQ keeps its messages for a day",
            "Rosters are printed on A3",
            "The kiosk scans badges",
        ],
        &[
            ("how do websockets work", None),
            ("how does RabbitMQ work?", None),
            ("when did we last update node", None),
            ("how long does RabbitMQ keep messages", Some("for a day")),
            ("why don't we use RabbitMQ", Some("for a day")),
        ],
    );
}

/// What people ask about their own project has one subject; the only memory with it answers.
#[test]
fn a_question_about_the_project_is_answered_by_the_only_memory_with_its_subject() {
    // A long prompt is about what it begins with.
    let pasted = format!("why did we leave Jenkins?{}this is the log", "\n".repeat(10_000));
    asked(
        &[
            "CI moved from Jenkins to GitLab",
            "GraphQL is out, the API stays REST",
            "Releases go out on Wednesdays at 14:00",
            "The cache holds rosters for an hour",
            "The cache of people was removed",
            "Commit messages begin with the ticket number",
            "The importer covers 2022 and later",
            "Feature branches begin with shop/",
            "The listener replaced Mirth Connect",
            "Never Enzyme: components are tested with Playwright",
        ],
        &[
            ("why did we leave Jenkins?", Some("GitLab")),
            (pasted.as_str(), Some("GitLab")),
            ("did we reject graphql", Some("stays REST")),
            ("why don't we use enzyme", Some("Never Enzyme")),
            ("why dont we use enzyme anymore", Some("Never Enzyme")),
            ("warum nehmen wir kein Enzyme", Some("Never Enzyme")),
            ("how long is an enzyme", None),
            // Two have it.
            ("why did we drop the cache", None),
            ("should we commit now", None),
            ("do we need this importer", None),
            ("why do we need this importer", None),
            ("why does one leave Jenkins", None),
            // Words of every project.
            ("which branch are we on", None),
            ("did we close the connection", None),
            ("what should we do next", None),
        ],
    );
}

/// What is pasted has words of everything, and the user's own question is beside it.
#[test]
fn a_question_beside_a_paste_is_answered() {
    let paste: String =
        (0..120).map(|n| format!("  at line {n} in module {}: unexpected token\n", n * 3)).collect();
    let behind = format!("error: something happened\n{paste}\nwho owns the checkout service?");
    let in_front = format!("who owns the checkout service?\n\n{paste}");
    let order = format!("{paste}\nfix the checkout of the last release");
    asked(
        &[
            "The checkout service is owned by Marta",
            "Feature flags live in flags.toml and are read at startup",
            "Rosters are printed on A3",
            "Shifts are stored in UTC",
            "The kiosk scans badges",
        ],
        &[
            ("who owns the checkout service?", Some("Marta")),
            (behind.as_str(), Some("Marta")),
            (in_front.as_str(), Some("Marta")),
            (order.as_str(), None),
        ],
    );
}

/// A memory has the number of a version, and seldom the word.
#[test]
fn a_question_for_the_projects_version_is_answered_by_the_number_behind_the_name() {
    asked(
        &[
            "The portal is written in React 18 with TypeScript",
            "CI moved from Jenkins to GitLab",
            "Rosters are printed on A3",
            "Shifts are stored in UTC",
            "The kiosk scans badges",
        ],
        &[
            ("which React version do we use?", Some("React 18")),
            ("what version of React do we use", Some("React 18")),
            ("which Jenkins version do we use?", None),
            ("which version do we use?", None),
        ],
    );
}

/// Two words that are one thing in every project aren't two words of a prompt's own.
#[test]
fn an_everyday_pair_is_no_subject() {
    asked(
        &[
            "Pull requests have less than 400 lines",
            "Errors for the staff never contain a stack trace",
            "Rosters are printed on A3",
            "The kiosk scans badges",
        ],
        &[
            ("open a pull request", None),
            ("explain the stack trace", None),
            ("may errors for the staff contain a stack trace?", Some("never contain")),
        ],
    );
}

#[test]
fn a_prompt_without_spaces_has_words_too() {
    asked(
        &[
            "東京の分院の担当は佐藤さんです",
            "勤務表の印刷はA3横にする",
            "バックアップは毎晩二時に取得する",
            "コードの説明は日本語で書く",
            "支付超时是三十秒",
        ],
        &[
            ("東京の担当は誰", Some("佐藤")),
            ("勤務表の印刷サイズ", Some("A3横")),
            ("このコードを説明してください", None),
            ("今日の天気は", None),
            ("请解释支付的代码", None),
        ],
    );
}

/// A number with its unit, a weekday and a language's file ending are in two texts by chance, and what products are like in general
/// isn't in any memory.
#[test]
fn quantities_weekdays_and_comparisons_are_no_subject() {
    asked(
        &[
            "The parachute opens at 12 m/s descent",
            "The log buffer has 512 KB because the SD card stalls",
            "Search runs on Meilisearch instead of Elasticsearch since one 2 GB server is enough",
            "Release trains leave every second Wednesday",
            "tools/gen_unicode.py writes crates/lexer/src/tables.rs",
            "The pilot app is Flutter, not React Native, because of offline charts",
            "The terminal says visit, the code says port call",
            "The kiosk needs 5G because the 4G modem drops",
            "The kiosk scans badges",
        ],
        &[
            ("convert 12 m/s to km/h", None),
            ("how many bytes are 512 KB", None),
            ("2 GB of RAM is not enough for my IDE", None),
            ("write a portable cron expression for every second Wednesday", None),
            ("write an async function in Python", None),
            ("what's the difference between Flutter and React Native", None),
            ("at what descent does the parachute open?", Some("12 m/s")),
            ("why is the log buffer 512 KB?", Some("SD card")),
            ("on which Wednesday do release trains leave", Some("every second")),
            ("why is the pilot app Flutter and not React Native", Some("offline charts")),
            ("why was Flutter chosen vs React Native for the pilot app", Some("offline charts")),
            ("does the kiosk use 5G", Some("4G modem")),
            ("what's the difference between a visit and a port call in the code", Some("port call")),
        ],
    );
}

/// A number of something, a time of day, a version and the kind of what has a name are in two texts by chance: neither they nor a
/// name with them are a second sign.
#[test]
fn amounts_moments_and_kinds_are_no_second_sign() {
    asked(
        &[
            "The meeting room in Leipzig has 17 chairs and no projector",
            "The daily call is at 14:00 UTC, its minutes go to the wiki",
            "The kiosk is written in Vue 3, the portal in React",
            "Source code is published under the MIT license, artwork under CC BY-SA",
            "The move to Java 21 waits for the barcode library",
            "The target is the last two Safari releases, and support of others was dropped",
            "Der Hafen von Nice schließt den Steg im November für Bauarbeiten",
            "The gateway answers on port 8080 behind the proxy",
            "The kiosk scans badges",
        ],
        &[
            ("order 17 chairs for the kitchen", None),
            ("is the dentist free at 14:00 UTC?", None),
            ("put the party on the calendar for 14:00 UTC", None),
            ("does Vue 3 run in an old browser?", None),
            ("add an MIT license header to the script", None),
            ("explain the MIT license", None),
            ("is Java 21 an LTS release?", None),
            ("which Safari version has container queries", None),
            ("wie ist das Wetter in Nice im November?", None),
            ("how many chairs are in the meeting room?", Some("17 chairs")),
            ("when is the daily call", Some("14:00 UTC")),
            ("is the kiosk written in Vue 3 or in React", Some("Vue 3")),
            ("is our source code under the MIT license?", Some("CC BY-SA")),
            ("what does the move to Java 21 wait for?", Some("barcode")),
            ("warum schließt der Hafen von Nice den Steg?", Some("Bauarbeiten")),
            ("who answers on port 8080", Some("proxy")),
        ],
    );
}

/// What a language's grammar needs isn't what a question is about, also where English has a word like it.
#[test]
fn function_words_of_its_language_do_not_make_a_memory_say_less_of_a_question() {
    asked(
        &[
            "Le courtier bloque la file quand un message dépasse la limite de 256 ko",
            "Les journaux d'accès sont gardés six mois",
            "Der Zahlungsabgleich war falsch, weil Erstattungen doppelt gebucht wurden",
            "La borne de Toulon est fermée en hiver",
            "The kiosk scans badges",
            "Rosters are printed on A3",
        ],
        &[
            ("pourquoi le courtier bloque-t-il la file ?", Some("256 ko")),
            ("combien de mois l'accès aux journaux est-il gardé ?", Some("six mois")),
            ("was war denn an dem Zahlungsabgleich falsch", Some("doppelt")),
            ("welche Erstattung war falsch", Some("doppelt")),
            ("où est la salle de bain de la maison", None),
            ("le chat de la voisine est en vacances", None),
            ("um wen geht es hier denn", None),
        ],
    );
}
