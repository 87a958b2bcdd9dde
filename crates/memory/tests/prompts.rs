//! Prompts and templates: saving, the cascade of domains, versions, running, rendering.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{Place, noted};
use plimsoll_memory::actions::{
    ActionContext, PromptArgs, delete_prompt, get_prompt, list_prompts, render_template, restore_prompt,
    run_prompt, save_prompt,
};
use plimsoll_memory::domain::{Domain, RecordKind};
use plimsoll_memory::prompts::{Kind, Template, Variable};
use plimsoll_memory::store::{SqliteStore, Store};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn args_for(name: &str) -> PromptArgs {
    PromptArgs { name: name.into(), ..PromptArgs::default() }
}

fn text(name: &str, content: &str) -> PromptArgs {
    PromptArgs { content: Some(content.into()), ..args_for(name) }
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// The specification's example of `subcog_prompts`.
fn review() -> PromptArgs {
    PromptArgs {
        description: Some("Comprehensive code review".into()),
        domain: Some("project".into()),
        tags: vec!["review".into(), "quality".into()],
        ..text("code-review", "Review {{file}} for:\n- {{issue_type}} issues\n- Best practices")
    }
}

#[test]
fn the_examples_of_the_specification() {
    let place = Place::new();
    let context = place.context();
    let saved = save_prompt(&context, Kind::Prompt, &review()).unwrap();
    assert_eq!(
        saved,
        json!({"name": "code-review", "domain": "project", "version": 1, "variables": ["file", "issue_type"]})
    );
    let variables = map(json!({"file": "src/main.rs", "issue_type": "security"}));
    let run = run_prompt(&context, &PromptArgs { variables, ..args_for("code-review") }).unwrap();
    assert_eq!(run["content"], "Review src/main.rs for:\n- security issues\n- Best practices");

    noted(&context, "authentication patterns: tokens live an hour", "security");
    noted(&place.desk_in("s2"), "unrelated walrus", "context");
    let template = PromptArgs {
        description: Some("Format search results for display".into()),
        domain: Some("user".into()),
        ..text(
            "search-results",
            "# {{title}}\n\n{{#each memories}}\n- **{{memory.namespace}}**: {{memory.content}}\n{{/each}}",
        )
    };
    save_prompt(&context, Kind::Template, &template).unwrap();
    let asked = PromptArgs {
        query: Some("authentication patterns".into()),
        limit: Some(10),
        variables: map(json!({"title": "Auth Patterns"})),
        ..args_for("search-results")
    };
    let rendered = render_template(&context, &asked).unwrap();
    assert_eq!(
        rendered["content"],
        "# Auth Patterns\n\n- **security**: authentication patterns: tokens live an hour\n"
    );
    assert_eq!(rendered["format"], "markdown");
    // A score has as many digits as in a recall.
    let scores = text("scores", "{{#each memories}}{{memory.score}} {{/each}}");
    save_prompt(&context, Kind::Template, &scores).unwrap();
    let asked = PromptArgs { query: Some("authentication patterns lighthouse".into()), ..args_for("scores") };
    let scores = render_template(&context, &asked).unwrap()["content"].as_str().unwrap().to_owned();
    assert!(!scores.trim().is_empty() && scores.split(' ').all(|score| score.len() <= 4), "{scores}");
}

#[test]
fn a_missing_or_unknown_value_is_named_and_defaults_apply() {
    let place = Place::new();
    let context = place.context();
    let optional = |name: &str, default: Option<&str>| Variable {
        name: name.into(),
        default: default.map(str::to_owned),
        ..Variable::default()
    };
    let variables_def = vec![optional("tone", Some("kind")), optional("extra", None)];
    let given = PromptArgs { variables_def, ..text("ask", "{{who}}, be {{tone}}.{{extra}}") };
    save_prompt(&context, Kind::Prompt, &given).unwrap();
    let run =
        |variables: Value| run_prompt(&context, &PromptArgs { variables: map(variables), ..args_for("ask") });
    let error = run(json!({})).unwrap_err();
    assert!(
        error.number == -32608 && error.message.contains("who") && !error.message.contains("tone"),
        "{error}"
    );
    assert_eq!(run(json!({"who": "Ana"})).unwrap()["content"], "Ana, be kind.");
    assert_eq!(
        run(json!({"who": "{{tone}}", "tone": 3, "extra": " !"})).unwrap()["content"],
        "{{tone}}, be 3. !"
    );
    assert!(run(json!({"who": "Ana", "colour": 1})).unwrap_err().message.contains("who, tone, extra"));
    assert_eq!(run_prompt(&context, &args_for("nobody")).unwrap_err().number, -32607);
    let wrong = PromptArgs { variables_def: vec![optional("other", None)], ..text("ask", "{{who}}") };
    assert!(save_prompt(&context, Kind::Prompt, &wrong).unwrap_err().message.contains("other"));
}

/// A template's automatic values are ordinary placeholders in a prompt; otherwise nothing would ever fill them.
#[test]
fn a_prompt_has_no_automatic_values() {
    let place = Place::new();
    let context = place.context();
    let content = "{{statistics}}, {{total_count}}:{{#each memories}} {{memory.content}}{{/each}}";
    let saved = save_prompt(&context, Kind::Prompt, &text("sum", content)).unwrap();
    assert_eq!(saved["variables"], json!(["statistics", "total_count", "memories"]));
    assert!(run_prompt(&context, &args_for("sum")).unwrap_err().message.contains("statistics"));
    let variables =
        map(json!({"statistics": "S", "total_count": 2, "memories": [{"content": "a"}, {"content": "b"}]}));
    let run = run_prompt(&context, &PromptArgs { variables, ..args_for("sum") }).unwrap();
    assert_eq!(run["content"], "S, 2: a b");
    let saved = save_prompt(&context, Kind::Template, &text("sum", content)).unwrap();
    assert_eq!(saved["variables"], json!([]));
    assert_eq!(
        render_template(&context, &args_for("sum")).unwrap()["content"],
        "{\"total_count\":0,\"namespace_counts\":{}}, 0:"
    );
}

/// An agent's own prompts and a terminal give only texts, and the window's preview takes them apart as well.
#[test]
fn a_text_for_a_loop_is_a_list_with_commas() {
    let place = Place::new();
    let context = place.context();
    let files = Variable { name: "files".into(), default: Some("a.rs, b.rs".into()), ..Variable::default() };
    let given = PromptArgs {
        variables_def: vec![files],
        ..text("check", "{{tone}}:{{#each files}} <{{this}}>{{/each}}")
    };
    save_prompt(&context, Kind::Prompt, &given).unwrap();
    for (files, expected) in [
        (json!("a.rs, b.rs"), "<a.rs> <b.rs>"),
        (json!(["a.rs", "b, c.rs"]), "<a.rs> <b, c.rs>"),
        (json!("a.rs"), "<a.rs>"),
        (json!(5), "<5>"),
        (Value::Null, "<a.rs> <b.rs>"),
    ] {
        let variables = map(json!({"tone": "kind, short", "files": files}));
        let run = run_prompt(&context, &PromptArgs { variables, ..args_for("check") }).unwrap();
        assert_eq!(run["content"], format!("kind, short: {expected}"), "{files}");
    }
}

#[test]
fn of_one_name_the_projects_counts_then_yours() {
    let place = Place::new();
    let (here, there) = (place.context(), place.elsewhere());
    let outside = ActionContext { root: None, project: None, branch: None, ..here.clone() };
    let save = |context: &ActionContext, domain: &str, content: &str| {
        save_prompt(
            context,
            Kind::Prompt,
            &PromptArgs { domain: Some(domain.into()), ..text("hello", content) },
        )
        .unwrap()
    };
    save(&here, "user", "mine");
    save(&here, "project", "of the project");
    let content =
        |context: &ActionContext| run_prompt(context, &args_for("hello")).unwrap()["content"].clone();
    assert_eq!(
        (content(&here), content(&there), content(&outside)),
        (json!("of the project"), json!("mine"), json!("mine"))
    );
    let listed = list_prompts(&here, Kind::Prompt, &PromptArgs::default()).unwrap();
    assert_eq!((&listed["total"], &listed["prompts"][0]["domain"]), (&json!(2), &json!("project")));
    assert!(delete_prompt(&here, Kind::Prompt, &args_for("hello")).unwrap_err().message.contains("domain"));
    let of = |domain: &str| PromptArgs { domain: Some(domain.into()), ..args_for("hello") };
    assert_eq!(delete_prompt(&there, Kind::Prompt, &of("project")).unwrap_err().number, -32607);
    assert_eq!(delete_prompt(&here, Kind::Prompt, &of("project")).unwrap()["status"], "deleted");
    assert_eq!(content(&here), "mine");
    // A template of that name is another thing.
    assert_eq!(get_prompt(&here, Kind::Template, &args_for("hello")).unwrap_err().number, -32607);
    let wrong = PromptArgs { domain: Some("project".into()), ..text("hello", "x") };
    assert!(save_prompt(&outside, Kind::Prompt, &wrong).unwrap_err().message.contains("domain \"user\""));
}

#[test]
fn every_version_is_kept_and_an_unchanged_text_adds_none() {
    let place = Place::new();
    let context = place.context();
    for (content, version) in [("one", 1), ("one", 1), ("two", 2), ("one", 3)] {
        assert_eq!(save_prompt(&context, Kind::Template, &text("t", content)).unwrap()["version"], version);
    }
    let get = |version| get_prompt(&context, Kind::Template, &PromptArgs { version, ..args_for("t") });
    assert_eq!(get(Some(2)).unwrap()["content"], "two");
    assert_eq!((&get(None).unwrap()["version"], &get(None).unwrap()["content"]), (&json!(3), &json!("one")));
    assert!(get(Some(9)).unwrap_err().message.contains("version 9"));
    assert_eq!(list_prompts(&context, Kind::Template, &PromptArgs::default()).unwrap()["total"], 1);
}

/// A remote that was renamed begins no second history: what is saved goes on from what was, and is deleted with it.
#[test]
fn an_earlier_keys_prompts_belong_to_the_same_history() {
    let place = Place::new();
    let (old, new) = ("github.com/acme/before", "github.com/acme/now");
    let at = |project: &str, earlier: &[&str]| ActionContext {
        project: Some(project.to_owned()),
        earlier: earlier.iter().map(|key| (*key).to_owned()).collect(),
        tree: None,
        ..place.context()
    };
    let (before, now, clone) = (at(old, &[]), at(new, &[old]), at(old, &[new]));
    let save = |context: &ActionContext, content: &str| {
        save_prompt(context, Kind::Prompt, &text("t", content)).unwrap()["version"].clone()
    };
    let versions = |context: &ActionContext| -> Vec<String> {
        let get = |version| get_prompt(context, Kind::Prompt, &PromptArgs { version, ..args_for("t") });
        (1..).map_while(|n| Some(get(Some(n)).ok()?["content"].as_str().unwrap().to_owned())).collect()
    };
    assert_eq!([save(&before, "one"), save(&before, "two")], [1, 2]);
    assert_eq!([save(&now, "three"), save(&now, "three"), save(&now, "four")], [3, 3, 4]);
    assert_eq!(versions(&now), ["one", "two", "three", "four"]);
    assert_eq!(get_prompt(&now, Kind::Prompt, &args_for("t")).unwrap()["content"], "four");
    let listed = list_prompts(&now, Kind::Prompt, &PromptArgs::default()).unwrap();
    assert_eq!((&listed["total"], &listed["prompts"][0]["version"]), (&json!(1), &json!(4)));
    // Another clone that still has the earlier key: what is saved there is the newest.
    assert_eq!(save(&clone, "five"), 5);
    for context in [&now, &clone] {
        assert_eq!(versions(context), ["one", "two", "three", "four", "five"]);
        assert_eq!(get_prompt(context, Kind::Prompt, &args_for("t")).unwrap()["version"], 5);
    }
    // Others who have the project by its current key get what is saved again, also unchanged.
    assert_eq!(
        (save(&clone, "five"), save(&now, "five"), save(&now, "five")),
        (json!(5), json!(6), json!(6))
    );
    // Another project has nothing of that, and once it's deleted nothing is left.
    let other = at("github.com/acme/other", &[]);
    assert_eq!((versions(&other).len(), save(&other, "x")), (0, json!(1)));
    let of_project = PromptArgs { domain: Some("project".into()), ..args_for("t") };
    delete_prompt(&now, Kind::Prompt, &of_project).unwrap();
    for context in [&before, &now, &clone] {
        assert!(versions(context).is_empty());
        assert_eq!(delete_prompt(context, Kind::Prompt, &of_project).unwrap_err().number, -32607);
    }
    assert_eq!(versions(&other), ["x"]);
}

/// Others have a text by the key that it had, and are told of what is brought back by the same one.
#[test]
fn what_is_brought_back_has_the_keys_from_before() {
    let place = Place::new();
    let at = |project: &str, earlier: &[&str]| ActionContext {
        project: Some(project.to_owned()),
        earlier: earlier.iter().map(|key| (*key).to_owned()).collect(),
        tree: None,
        ..place.context()
    };
    let (old, new) = ("github.com/acme/before", "github.com/acme/now");
    let (before, now) = (at(old, &[]), at(new, &[old]));
    for (context, content) in [(&before, "one"), (&now, "two"), (&now, "three")] {
        save_prompt(context, Kind::Prompt, &text("t", content)).unwrap();
    }
    let store = || SqliteStore::open_read_only(&place.context().database).unwrap().unwrap();
    let versions = |context: &ActionContext| {
        store().prompt_versions(&context.scope(), (Kind::Prompt, "t"), Domain::Project).unwrap()
    };
    let records = || {
        [old, new].map(|key| {
            let bodies =
                store().records(key, RecordKind::Prompt).unwrap().into_iter().map(|one| (one.key, one.body));
            bodies.collect::<Vec<_>>()
        })
    };
    let (all, recorded) = (versions(&now), records());
    assert_eq!((all.len(), recorded[0].len(), recorded[1].len()), (3, 1, 2));
    let of_project = PromptArgs { domain: Some("project".into()), ..args_for("t") };
    delete_prompt(&now, Kind::Prompt, &of_project).unwrap();
    assert!(records().iter().flatten().all(|(_, body)| body.is_none()));
    restore_prompt(&now, all.clone()).unwrap();
    assert_eq!((versions(&now), records()), (all, recorded));
    assert_eq!(versions(&before).len(), 1);
    assert!(restore_prompt(&before, versions(&now)).is_err(), "the name is taken");
}

#[test]
fn prompts_that_cannot_be_saved_are_reported() {
    let place = Place::new();
    let context = place.context();
    for name in ["", "Code Review", "a_b", "-a", "a-", "a--b", &"x".repeat(65)] {
        assert_eq!(
            save_prompt(&context, Kind::Prompt, &text(name, "x")).unwrap_err().number,
            -32608,
            "{name}"
        );
    }
    let open = save_prompt(&context, Kind::Prompt, &text("x", "a\n{{#each memories}}")).unwrap_err();
    assert!(open.message.contains("line 2") && open.number == -32608, "{open}");
    assert!(save_prompt(&context, Kind::Prompt, &args_for("x")).unwrap_err().message.contains("content"));
    let token = concat!("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    save_prompt(&context, Kind::Prompt, &text("x", &format!("use {token}"))).unwrap();
    assert!(!get_prompt(&context, Kind::Prompt, &args_for("x")).unwrap().to_string().contains(token));
}

#[test]
fn lists_are_filtered_by_all_tags_name_and_domain() {
    let place = Place::new();
    let context = place.context();
    save_prompt(&context, Kind::Prompt, &review()).unwrap();
    save_prompt(&context, Kind::Prompt, &PromptArgs { tags: vec!["review".into()], ..text("other", "x") })
        .unwrap();
    let list = |given: PromptArgs| list_prompts(&context, Kind::Prompt, &given).unwrap()["total"].clone();
    let tags = |tags: &[&str]| PromptArgs {
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..PromptArgs::default()
    };
    assert_eq!(list(tags(&["review"])), 2);
    assert_eq!(list(tags(&["review", "quality"])), 1);
    assert_eq!(list(args_for("code-*")), 1);
    assert_eq!(list(PromptArgs { domain: Some("user".into()), ..PromptArgs::default() }), 0);
}

#[test]
fn a_template_is_rendered_as_markdown_json_and_xml() {
    let place = Place::new();
    let context = place.context();
    noted(&context, "a < b & \"c\"", "apis");
    let content =
        "{{total_count}} {{namespace_counts}}\n{{#each memories}}{{memory.content}}|{{memory.tags}}{{/each}}";
    save_prompt(&context, Kind::Template, &text("t", content)).unwrap();
    let rendered = |format: &str| {
        let asked = PromptArgs { format: Some(format.into()), ..args_for("t") };
        render_template(&context, &asked).map(|reply| reply["content"].as_str().unwrap().to_owned())
    };
    assert_eq!(rendered("markdown").unwrap(), "1 {\"apis\":1}\na < b & \"c\"|");
    let xml = rendered("xml").unwrap();
    assert!(
        xml.contains("a &lt; b &amp; &quot;c&quot;") && xml.starts_with("<context template=\"t\">"),
        "{xml}"
    );
    let data: Value = serde_json::from_str(&rendered("json").unwrap()).unwrap();
    assert_eq!(data["memories"][0]["namespace"], "apis");
    assert!(rendered("pdf").unwrap_err().message.contains("markdown, json, xml"));
}

proptest! {
    #[test]
    fn any_text_is_a_template_or_an_error_with_its_line(content in "(\\PC|\\{\\{|\\}\\}|#each |/each|memories|name|\n|```|\\\\){0,40}") {
        match Template::parse(&content) {
            Ok(template) => {
                prop_assert!(template.fill(&Map::new(), plimsoll_memory::prompts::Output::Plain).is_ok());
            }
            Err(error) => prop_assert!(error.line >= 1 && error.line <= content.matches('\n').count() + 1),
        }
    }
}
