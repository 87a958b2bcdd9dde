//! Which sentences count as a decision, a rule or a fact, and which only report, ask or quote.

use super::*;

/// The namespaces of what a prompt's sentences ask to be remembered.
pub(super) fn namespaces(prompt: &str) -> Vec<Namespace> {
    prompt_statements(prompt).into_iter().map(|(_, namespace)| namespace).collect()
}

#[test]
fn a_decision_is_a_choice_with_its_reason_or_with_what_was_not_chosen() {
    for prompt in [
        "Let's go with advisory locks rather than Redis, so that we need no other service.",
        "hmm scratch that. We'll go with Postgres after all because its connections can be shared",
        "Let's store amounts as decimals instead of floats because of the rounding.",
        "We picked opaque tokens over JWT since we need instant revocation.",
        "Let's use SQLite for the queue, Postgres is overkill.",
        "I talked to the team this morning and we decided to keep the monolith.",
        "We switched from Jest to Vitest, so don't add configs of Jest.",
        "Nein, nicht mit Flask. Wir nehmen FastAPI statt Flask, weil alles andere schon async ist.",
        "Wir haben uns gestern darauf geeinigt, dass Preise in Cent gespeichert werden.",
        "Wir haben uns für Keycloak entschieden.",
        "We're dropping the old routes at the end of the year, so nothing new goes there.",
        "Wir setzen ab dem nächsten Release auf OAuth statt auf Basic Auth.",
        "On a décidé de garder PHP 8.2 jusqu'en mars.",
        "Decidimos usar Mongo en lugar de Postgres.",
        "Redisではなくmemcachedを使うことにしました。",
    ] {
        assert_eq!(namespaces(prompt), [Namespace::Decisions], "{prompt}");
    }
    for prompt in [
        "Let's use a map here.",
        "let's do the header first instead of the footer",
        "we keep getting mails about that, not good",
        "I decided to have a coffee first",
        "We decided nothing yet about the queue.",
        "I have not decided yet between Vue and Svelte.",
        "maybe we should go with Kafka instead of NATS",
        "If we decided to use Kafka we would have to hire somebody.",
        "we'll use the blue one",
        "The app prints nothing when I use the filter instead of the search",
        "let's keep the old name because I like it",
        "/compact keep that we decided to use Bazel",
    ] {
        assert_eq!(namespaces(prompt), [], "{prompt}");
    }
}

#[test]
fn a_rule_outlives_its_task_and_reports_and_steps_are_not_rules() {
    for prompt in [
        "never use time.Sleep in tests, use the fake clock",
        "always exit with 2 on usage errors, that's our convention",
        "for money columns please always use bigint cents",
        "Please never touch ios/Podfile.lock by hand",
        "we never malloc after init in this firmware",
        "we never retry payments in this service",
        "All services talk over NATS, never over HTTP between services.",
        "also don't use default props, use destructuring defaults",
        "Use uv instead of pip for everything in this repo.",
        "Run the linter before every commit.",
        "I prefer named exports, please change that everywhere you touch",
        "No emojis in code comments ever.",
        "Please stop adding comments to every line.",
        "We use calver, not semver.",
        "no print statements in library code, use the logger",
        "Keine neuen Abhängigkeiten ohne Rücksprache mit dem Team.",
        "Schema changes always go through Flyway.",
        "ask before you run anything with terraform apply, always",
        "could you from now on write docstrings in Google style?",
        "From now on all exports use semicolons as separators, ok?",
        "Bitte nie direkt auf main pushen, immer über einen Merge Request.",
        "Die Dateien der Buchhaltung sind immer in Windows-1252 kodiert.",
        "À partir de maintenant, écris les tests avec pytest.",
        "A partir de ahora usa pnpm en vez de npm.",
        "今後はコミットメッセージを英語で書いてください。",
    ] {
        assert_eq!(namespaces(prompt), [Namespace::Patterns], "{prompt}");
    }
    for prompt in [
        "Use the existing helper in utils.py for this function",
        "don't touch the tests now, first the parser",
        "always print the value in this loop so I can see it",
        "no, use the second option",
        "make sure that the button is centered",
        "great, never saw that coming",
        "users never see the banner, find out why",
        "The page always shows the wrong total, please fix it",
        "we always get a 500 on logout",
        "I'll never understand webpack",
        "always nice to see green tests",
        "nie im Leben ist das richtig",
        "stop adding stuff I didn't ask for please",
        "all images are blurry on the start page",
        "we use the same component on two pages, extract it",
        "you always do this",
        "should we always use Arc?",
        "is it true that from now on cargo requires the 2024 edition?",
        "Suppose from now on every request had a tenant id.",
        "immer dieser Mist mit den Zertifikaten",
        "Would you remember to water my plants",
    ] {
        assert_eq!(namespaces(prompt), [], "{prompt}");
    }
}

#[test]
fn a_recent_fault_is_not_a_rule_but_a_rule_about_faults_is() {
    for prompt in [
        "from now on the tests fail",
        "From now on everything crashes.",
        "Hm, from today on the build for arm times out!",
        "ab jetzt schlagen die Tests fehl",
        "ab sofort stürzt die App ab.",
        "ab jetzt hängt der Server",
        "à partir de maintenant les tests échouent",
        "a partir de ahora las pruebas fallan",
    ] {
        assert_eq!(namespaces(prompt), [], "{prompt}");
    }
    for prompt in [
        "from now on fix tests that fail",
        "from now on let the worker crash",
        "from now on the build must fail on warnings",
        "from now on the linter makes the build fail",
        "from now on the pipeline fails when coverage drops",
        "from now on warnings break the build",
        "from now on never merge what fails",
        "ab jetzt muss der Build bei Warnungen fehlschlagen",
    ] {
        assert_eq!(namespaces(prompt), [Namespace::Patterns], "{prompt}");
    }
}

#[test]
fn findings_and_requirements_are_proposed_and_personal_remarks_are_not() {
    for (prompt, expected) in [
        ("turns out the service was renamed by the chart", Namespace::Learnings),
        ("Great! So the lesson: sccache helps only if incremental is off.", Namespace::Learnings),
        ("openocd only works with version 0.11 here", Namespace::Learnings),
        (
            "Textures have to be square because the build for the console breaks otherwise",
            Namespace::Learnings,
        ),
        ("Note: feature flags live in Unleash, not in env vars.", Namespace::Context),
        ("Achtung: das Feld user_id ist eine UUID, keine Zahl!", Namespace::Context),
        ("Important: invoice numbers must be gapless.", Namespace::Context),
        ("Merke: Releases werden nur donnerstags gemacht", Namespace::Context),
        ("Souviens-toi que la préprod est réinitialisée chaque nuit.", Namespace::Context),
        ("覚えておいて: 本番DBは読み取り専用レプリカを使う", Namespace::Context),
    ] {
        assert_eq!(namespaces(prompt), [expected], "{prompt}");
    }
    for prompt in [
        "note that I changed the file in the meantime",
        "fyi I'm in a meeting until 3",
        "important: do the header first",
        "turns out I was wrong, sorry",
        "it turned out fine, thanks",
        "I have to go because my train leaves",
    ] {
        assert_eq!(namespaces(prompt), [], "{prompt}");
    }
}

#[test]
fn the_plainest_requests_are_understood_in_other_languages() {
    for (prompt, expected) in [
        ("ricorda che il server di test usa la porta 8443", Namespace::Context),
        ("d'ora in poi usiamo pnpm", Namespace::Patterns),
        ("abbiamo deciso di usare PostgreSQL", Namespace::Decisions),
        ("onthoud dat de testserver op poort 8443 draait", Namespace::Context),
        ("vanaf nu schrijven we commits in het Engels", Namespace::Patterns),
        ("zapamiętaj, że serwer testowy działa na porcie 8443", Namespace::Context),
        ("od teraz piszemy commity po angielsku", Namespace::Patterns),
        ("Запомни, что тестовый сервер работает на порту 8443", Namespace::Context),
        ("С этого момента коммиты пишем на английском", Namespace::Patterns),
        ("Мы решили использовать PostgreSQL вместо MySQL", Namespace::Decisions),
        ("请记住测试数据库的端口是5433", Namespace::Context),
        ("从现在开始，提交信息都用英文写", Namespace::Patterns),
        ("好的，我们决定使用PostgreSQL而不是MySQL", Namespace::Decisions),
        ("不要忘记缓存键必须包含租户编号", Namespace::Context),
        ("앞으로는 커밋 메시지를 영어로 써 줘", Namespace::Patterns),
        ("테스트 서버 포트는 8443이야, 기억해 줘", Namespace::Context),
        ("테스트 서버 포트는 8443이야, 기억해 줘요.", Namespace::Context),
        ("👉 remember that the seed script needs Node 22", Namespace::Context),
        ("⚠️ ab jetzt nur noch signierte Commits", Namespace::Patterns),
    ] {
        assert_eq!(namespaces(prompt), [expected], "{prompt}");
    }
    for prompt in [
        "我们决定了什么",
        "你还记得我们决定用哪个数据库吗",
        "这个函数从现在开始报错",
        "把“请记住用户名”翻译成英文",
        "记住密码功能坏了",
        "Мы решили проблему с кэшем",
        "앞으로 이동하는 버튼을 추가해 줘",
        "로그인 상태를 기억해줘야 해",
        "사용자가 고른 언어를 기억해 줘야 합니다",
        "비밀번호 기억해줘 체크박스를 추가해 줘",
        "不要忘记更新测试文件",
        "登录失败，别忘了看日志文件",
        "別忘了先備份資料庫",
        "abbiamo deciso?",
    ] {
        assert_eq!(namespaces(prompt), [], "{prompt}");
    }
}

#[test]
fn program_output_is_not_a_statement_of_the_user() {
    for prompt in [
        "Error: cannot open the file because it is always locked by another process",
        "npm warn deprecated: this package is no longer supported, use foo instead of bar",
        "what does it mean?\n2026-11-01 10:00:00 WARN we never accept requests without a token",
    ] {
        assert_eq!(namespaces(prompt), [], "{prompt}");
    }
    let own = "Error: lock is held\nFrom now on only one worker opens the file.";
    assert_eq!(namespaces(own), [Namespace::Patterns]);
}

#[test]
fn texts_to_write_and_plans_for_tomorrow_are_not_statements() {
    for prompt in [
        "add a rule to the linter: never use console.log",
        "Please write a mail to the vendor: we decided to leave at the end of March",
        "schreib in die README: wir verwenden nur noch pnpm statt npm",
        "we decided to look at this tomorrow",
        "Wir haben beschlossen, das morgen zu machen.",
        "pour l'instant, on garde l'ancien code parce que la démo est demain",
        "yeah sure, let's just rewrite everything in COBOL instead of Rust because that always works",
        "the function must return early because the list is empty",
        "the user must see a message because otherwise he is confused",
        "everything must be green before I leave because my boss checks it",
        "every request returns 500 since the deploy",
        "Immer dasselbe mit diesem Build.",
    ] {
        assert_eq!(namespaces(prompt), [], "{prompt}");
    }
    for (prompt, expected) in [
        ("add to your memory: we never deploy on Fridays", Namespace::Patterns),
        ("we decided to use pnpm from tomorrow on", Namespace::Decisions),
        ("Every PR needs a label since the bot closes it otherwise", Namespace::Learnings),
    ] {
        assert_eq!(namespaces(prompt), [expected], "{prompt}");
    }
}

#[test]
fn a_correction_by_contrast_states_a_fact_and_one_of_the_task_does_not() {
    for prompt in [
        "no, the default branch is called trunk, not main",
        "wrong, the timezone of the reports is Europe/Vienna, not UTC",
        "Nope, tests go next to the source file, not in __tests__.",
        "Nein, falsch: Beträge werden in Cent gespeichert, nicht in Euro.",
    ] {
        assert_eq!(namespaces(prompt), [Namespace::Learnings], "{prompt}");
    }
    for prompt in [
        "no, the second one is better, not the first",
        "no, the button is on the left, not on the right",
        "no, the error is in the parser, not in the lexer",
        "no, I meant the parser is slow, not the lexer",
        "no, that's in the other file, not here",
        "no, rename the class, not the file",
        "no, the next step is the parser, not the lexer",
    ] {
        assert_eq!(namespaces(prompt), [], "{prompt}");
    }
}

#[test]
fn other_phrasings_of_decisions_and_rules() {
    for (prompt, expected) in [
        ("we standardized on OpenTelemetry, no more custom metrics clients", Namespace::Decisions),
        ("The team voted for Vue over React yesterday.", Namespace::Decisions),
        (
            "After the call: we go with server-side rendering for the shop, SEO was the reason.",
            Namespace::Decisions,
        ),
        ("On a choisi PostgreSQL plutôt que MySQL pour les index partiels.", Namespace::Decisions),
        ("Ab heute gilt: jede API-Änderung braucht ein ADR.", Namespace::Patterns),
        ("No, aquí usamos yarn, no npm.", Namespace::Patterns),
        ("Das machen wir hier anders: Controller rufen nie direkt Repositories auf.", Namespace::Patterns),
        ("That's not how we do it, we inject the clock through the constructor.", Namespace::Patterns),
        ("you keep forgetting this: run `make gen` after editing protos", Namespace::Patterns),
        ("For this repo: tabs not spaces, max 120 columns.", Namespace::Patterns),
        ("quick heads-up for later: the sandbox API resets its data at midnight UTC", Namespace::Context),
        ("Wichtig fürs nächste Mal: der Build braucht JAVA_HOME auf 21.", Namespace::Context),
        ("Just to be clear, production secrets only ever live in Vault.", Namespace::Patterns),
        ("The mobile team owns the push gateway, ask them before changing it.", Namespace::Context),
    ] {
        assert_eq!(namespaces(prompt), [expected], "{prompt}");
    }
    for prompt in [
        "that's not how we do it",
        "you keep forgetting",
        "heads up: I'm changing the parser in the meantime",
        "the team decided to look at it tomorrow",
        "for this repo: the build fails, have a look",
    ] {
        assert_eq!(namespaces(prompt), [], "{prompt}");
    }
}

#[test]
fn corrections_of_the_current_task_and_quotations_are_not_proposed() {
    for prompt in [
        "as I said, make it red",
        "like I said the second test is the important one",
        "I told you to not touch the lockfile, revert it",
        "that's wrong, the sum should be 42 for this input",
        "you're wrong, this returns a list of tuples",
        "actually, we can skip that",
        "turns out it works now",
        "it turned out that the file was missing, I restored it",
        "In der Mail steht: ab sofort gelten neue Preise.",
        "Nimm lieber eine Map statt einer Liste, das ist schneller.",
        "never ever do that again",
        "Das Feld muss required sein, sonst schlägt die Validierung fehl.",
    ] {
        assert_eq!(namespaces(prompt), [], "{prompt}");
    }
    for (prompt, expected) in [
        ("never ever push to main by hand", Namespace::Patterns),
        ("Nimm lieber uv statt pip, das ist schneller.", Namespace::Patterns),
        ("I say: from now on we use pnpm", Namespace::Patterns),
        ("as I said, in this repo we format with Biome", Namespace::Learnings),
    ] {
        assert_eq!(namespaces(prompt), [expected], "{prompt}");
    }
}

#[test]
fn a_password_in_plain_words_is_never_proposed() {
    for prompt in [
        "请记住密码是hunter2xy",
        "本番のパスワードはhunter2xyです、覚えておいて",
        "테스트 비밀번호는 hunter2xy, 기억해 줘",
        "Запомни, что пароль hunter2xy",
        "lembre-se de que a senha é hunter2xy",
        "onthoud dat het wachtwoord is: hunter2xy",
        "ricorda che la password è hunter2xy",
        "zapamiętaj, że hasło jest hunter2xy",
        // The secret first.
        "请记住hunter2xy是数据库密码",
        "hunter2xyが本番のパスワードです、覚えておいて",
        "Запомни, что hunter2xy это пароль от базы",
        "remember that hunter2!Xy is the password of the test user",
        "Merk dir: hunter2xy ist das Passwort der Testdatenbank",
    ] {
        assert_eq!(namespaces(prompt), [], "{prompt}");
    }
    for prompt in [
        "remember that the password of the test user is hunter2!Xy",
        "Remember the admin password is correcthorsebattery",
        "password for the db is hunter2!Xy, don't write it anywhere",
        "Merk dir: das Passwort lautet sesamoeffnedich",
        "From now on the token is abc123def and not the old one",
        "Remember: pw hunter2xy for the staging box",
        "remember that the admin login is admin/hunter2xy",
        "from now on use the password 'correct horse battery' for staging",
        "Our wifi password is sommerregen and never changes.",
        "We call the password sommerregen, never anything else.",
        "The staging password is called sommerregen.",
        "Merk dir, dass das Kennwort für den Tresor Sommerregen ist.",
        "Remember: the staging login is admin and Sommer2024.",
        "Remember that we log in with user shop and pass sommerregen.",
        "Remember that the test user logs in as qa@example.com / Passw0rd!",
        "Remember that the wifi key is sommerregen42.",
        "Merk dir: der Schlüssel für die Verschlüsselung ist ab12cd34ef56.",
        "Note that the master key is correct horse battery staple.",
        "Always use the API key 12345-abcde for staging.",
    ] {
        assert_eq!(namespaces(prompt), [], "{prompt}");
    }
    for prompt in [
        "Remember that the password is hashed with argon2 before it's stored.",
        "Note: a token is valid for 15 minutes.",
        "Remember that node22 is needed before the token can be read.",
        "Remember that the password field may be empty.",
        "Remember that the password reset takes an hour.",
        "Remember that we log in with OAuth2 at the gateway.",
        "Remember that the primary key is the number of the order.",
    ] {
        assert_eq!(namespaces(prompt), [Namespace::Context], "{prompt}");
    }
}

#[test]
fn a_pasted_document_is_no_statement_of_its_reader() {
    let guide = "Here is their guide, is ours alike?\n\nNever force-push to the main branch.\nWe use semantic versions for all packages.\n\
        Don't use abbreviations in names anywhere.\nWe only accept signed commits from members.\n\
        We always squash before merging a branch.\n";
    assert_eq!(namespaces(guide), []);
    assert_eq!(namespaces(&format!("{guide}From now on we do the same.")), [Namespace::Patterns]);
}
