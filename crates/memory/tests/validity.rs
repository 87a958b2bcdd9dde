//! Relations that were so for a time: what has ended is listed with its dates and leads nowhere.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{NOW, Place, noted};
use plimsoll_memory::actions::{
    ActionContext, EntityArgs, GraphArgs, Import, RelationArgs, create_entity, create_relation, import,
    list_relations, neighbors, path, visualize,
};
use plimsoll_memory::domain::RecordKind;
use plimsoll_memory::store::{Actor, SqliteStore, Store};
use serde_json::{Value, json};

fn related(
    context: &ActionContext,
    to: &str,
    since: Option<&str>,
    until: Option<&str>,
) -> Result<Value, String> {
    let given = RelationArgs {
        from: Some("Shop".into()),
        to: Some(to.into()),
        relationship_type: Some("Uses".into()),
        since: since.map(str::to_owned),
        until: until.map(str::to_owned),
        ..RelationArgs::default()
    };
    create_relation(context, &given).map_err(|failure| failure.message)
}

fn around(context: &ActionContext) -> Vec<String> {
    let asked = GraphArgs { entity: Some("Shop".into()), ..GraphArgs::default() };
    let found = neighbors(context, &asked).unwrap();
    found["neighbors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap().to_owned())
        .collect()
}

fn is_reached(context: &ActionContext, to: &str) -> bool {
    let asked = GraphArgs { from: Some("Shop".into()), to: Some(to.into()), ..GraphArgs::default() };
    path(context, &asked).unwrap()["found"].as_bool().unwrap()
}

fn place() -> (Place, ActionContext) {
    let place = Place::new();
    let context = place.context();
    for (name, kind) in [("Shop", "Concept"), ("Heron", "Technology"), ("Egret", "Technology")] {
        let given =
            EntityArgs { name: Some(name.into()), entity_type: Some(kind.into()), ..EntityArgs::default() };
        create_entity(&context, &given).unwrap();
    }
    (place, context)
}

#[test]
fn what_has_ended_leads_nowhere_and_is_listed_with_its_dates() {
    let (place, context) = place();
    let past = related(&context, "Heron", Some("2020-01-01"), Some("2024-06-30T12:00")).unwrap();
    assert_eq!(
        (&past["since"], &past["until"]),
        (&json!("2020-01-01T00:00:00Z"), &json!("2024-06-30T12:00:00Z"))
    );
    related(&context, "Egret", Some("2024-06-30"), None).unwrap();
    assert_eq!(around(&context), ["Egret"]);
    assert!(is_reached(&context, "Egret") && !is_reached(&context, "Heron"));
    let drawn = visualize(&context, &GraphArgs::default()).unwrap();
    assert_eq!((&drawn["nodes"], &drawn["edges"]), (&json!(3), &json!(1)));
    let all = list_relations(&context, &RelationArgs::default()).unwrap();
    let dates = |all: &Value| -> Vec<String> {
        let all = all["relationships"].as_array().unwrap();
        let mut all: Vec<String> =
            all.iter().map(|one| format!("{} {}", one["since"], one["until"])).collect();
        all.sort();
        all
    };
    let expected = [
        "\"2020-01-01T00:00:00Z\" \"2024-06-30T12:00:00Z\"".to_owned(),
        "\"2024-06-30T00:00:00Z\" null".to_owned(),
    ];
    assert_eq!(dates(&all), expected);

    // Colleagues are given the dates, too.
    let here = SqliteStore::open(&place.path("memory.db")).unwrap();
    let other = ActionContext { database: place.path("other.db"), ..context.clone() };
    let mut there = SqliteStore::open(&other.database).unwrap();
    for kind in [RecordKind::Entity, RecordKind::Relation] {
        there.put_records(&here.records("github.com/zircote/subcog", kind).unwrap()).unwrap();
    }
    drop((here, there));
    assert_eq!(around(&other), ["Egret"]);
    assert_eq!(dates(&list_relations(&other, &RelationArgs::default()).unwrap()), expected);

    // An end can be set later, and who says that it's so again takes it back.
    related(&context, "Egret", None, Some("1d")).unwrap();
    assert_eq!(around(&context), Vec::<String>::new());
    related(&context, "Egret", None, None).unwrap();
    assert_eq!(around(&context), ["Egret"]);
    let all = list_relations(&context, &RelationArgs::default()).unwrap();
    assert_eq!(dates(&all), expected, "its beginning is as before");
}

#[test]
fn what_has_ended_does_not_begin_after_its_end() {
    let (_place, context) = place();
    related(&context, "Heron", None, Some("2020-01-01")).unwrap();
    let listed = || list_relations(&context, &RelationArgs::default()).unwrap()["relationships"][0].clone();
    assert_eq!((&listed()["since"], &listed()["until"]), (&Value::Null, &json!("2020-01-01T23:59:59Z")));
    // Its beginning may be stated later.
    related(&context, "Heron", Some("2019-01-01"), Some("2020-01-01")).unwrap();
    assert_eq!(listed()["since"], "2019-01-01T00:00:00Z");
}

/// As `until:` in a filter, and what ends on a day is so on that day.
#[test]
fn a_date_without_a_time_includes_its_day() {
    let (_place, context) = place();
    for (until, is_so) in [
        ("2027-01-14", false),
        ("2027-01-15", true),
        ("2027-01-15T07:59", false),
        ("2027-01-15T08:01", true),
        ("1d", false),
    ] {
        related(&context, "Heron", Some("2020-01-01"), Some(until)).unwrap();
        assert_eq!(is_reached(&context, "Heron"), is_so, "{until}");
    }
    related(&context, "Egret", Some("2027-01-15"), Some("2027-01-15")).unwrap();
    assert!(is_reached(&context, "Egret"));
}

#[test]
fn dates_that_cannot_be_are_errors_and_change_nothing() {
    let (_place, context) = place();
    let error = related(&context, "Heron", Some("2024-01-01"), Some("2023-01-01")).unwrap_err();
    assert!(error.contains("until is before since"), "{error}");
    let error = related(&context, "Heron", Some("in spring"), None).unwrap_err();
    assert!(error.contains("in spring"), "{error}");
    assert_eq!(list_relations(&context, &RelationArgs::default()).unwrap()["total"], 0);
}

#[test]
fn an_end_is_compared_with_the_beginning_that_was_stated_earlier() {
    let (_place, context) = place();
    let until = || {
        let all = list_relations(&context, &RelationArgs::default()).unwrap();
        all["relationships"].as_array().unwrap().iter().map(|one| one["until"].clone()).collect::<Vec<_>>()
    };
    related(&context, "Heron", Some("2024-01-31T18:00"), None).unwrap();
    let error = related(&context, "Heron", None, Some("2020-01-01")).unwrap_err();
    assert!(error.contains("2024-01-31T18:00:00Z") && error.contains("give since as well"), "{error}");
    assert_eq!(until(), [Value::Null]);
    related(&context, "Heron", Some("2019-01-01"), Some("2020-01-01")).unwrap();
    assert_eq!(until(), ["2020-01-01T23:59:59Z"]);
    // Nobody stated when this one began.
    let who = Actor { at_ms: NOW + 1_234, ..context.who.clone() };
    let later = ActionContext { who, ..context.clone() };
    related(&later, "Egret", None, None).unwrap();
    related(&later, "Egret", None, Some("2020-01-01")).unwrap();
    related(&later, "Egret", Some("7d"), None).unwrap();
    let error = related(&later, "Egret", None, Some("30d")).unwrap_err();
    assert!(error.contains("give since as well"), "{error}");
}

#[test]
fn an_empty_date_is_refused_where_it_was_typed() {
    let (_place, agent) = place();
    let user = ActionContext { who: Actor { client: None, ..agent.who.clone() }, ..agent.clone() };
    for (since, until) in [(Some(" "), None), (None, Some(""))] {
        let error = related(&user, "Heron", since, until).unwrap_err();
        assert!(error.contains("isn't a period or date"), "{error}");
        related(&agent, "Egret", since, until).unwrap();
    }
}

#[test]
fn a_text_or_a_file_that_names_what_has_ended_does_not_take_the_end_back() {
    let (place, context) = place();
    noted(&context, "PostgreSQL and Redis run in one cluster", "decisions");
    let given = RelationArgs {
        from: Some("PostgreSQL".into()),
        to: Some("Redis".into()),
        relationship_type: Some("Uses".into()),
        since: Some("2020-01-01".into()),
        until: Some("2024-01-01".into()),
        ..RelationArgs::default()
    };
    create_relation(&context, &given).unwrap();
    noted(&context, "PostgreSQL uses Redis as its cache", "learnings");
    let until =
        || list_relations(&context, &RelationArgs::default()).unwrap()["relationships"][0]["until"].clone();
    assert_eq!(until(), "2024-01-01T23:59:59Z");
    let line = json!({"type": "relation", "from": "PostgreSQL", "to": "Redis", "relationType": "uses"});
    let path = place.write("graph.jsonl", &format!("{line}\n"));
    let taken = import(&context, &Import { path, ..Import::default() }).unwrap();
    assert_eq!((&taken["relationships"], until()), (&json!(1), json!("2024-01-01T23:59:59Z")));
    create_relation(&context, &RelationArgs { since: None, until: None, ..given }).unwrap();
    assert_eq!(until(), Value::Null);
}
