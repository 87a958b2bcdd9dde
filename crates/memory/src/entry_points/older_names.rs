//! The specification's names of tools, each with the arguments that it names. They run the tools of today; only a listing with the
//! older names shows them.

use system::LegacyTool;

const fn older(
    name: &'static str,
    tool: &'static str,
    description: &'static str,
    arguments: &'static [&'static str],
    required: &'static [&'static str],
    reads: bool,
) -> LegacyTool {
    LegacyTool { name, tool, description, arguments, unlisted: "", required, actions: &[], reads }
}

/// The same for one whose actions aren't the tool's.
const fn older_with_actions(
    name: &'static str,
    tool: &'static str,
    description: &'static str,
    arguments: &'static [&'static str],
    unlisted: &'static str,
    actions: &'static [&'static str],
) -> LegacyTool {
    LegacyTool { name, tool, description, arguments, unlisted, required: &["action"], actions, reads: false }
}

/// The same for one that does one thing and takes nothing: a schema has to name something, so it names that.
const fn older_without_arguments(
    name: &'static str,
    description: &'static str,
    action: &'static [&'static str],
) -> LegacyTool {
    LegacyTool { actions: action, ..older(name, "memory", description, &["action"], &[], true) }
}

/// None of the tool's own arguments; an empty list would be all of them.
const NO_OWN: &[&str] = &[""];

/// Memories about the code, in the terms of the codebase specification.
const OF_CODE: &str = r#"{
    "type": {"type": "string", "enum": ["convention", "decision", "gotcha", "failure"]},
    "category": {"type": "string"},
    "memory": {"type": "string"},
    "reason": {"type": "string"}
}"#;
/// The query for memories about the code.
const KIND_OF_CODE: &str = r#"{
    "type": {"type": "string", "enum": ["convention", "decision", "gotcha", "failure"]},
    "category": {"type": "string"}
}"#;
/// How to recall.
const OF_RECALL: &str = r#"{
    "mode": {"type": "string", "enum": ["hybrid", "vector", "text"]},
    "user_id": {"type": "string"},
    "agent_id": {"type": "string"}
}"#;
/// What to collect.
const OF_GC: &str = r#"{
    "branch": {"type": "string"},
    "purge": {"type": "boolean"},
    "older_than": {"type": "string", "description": "such as 30d"}
}"#;
/// How to bring together.
const OF_CONSOLIDATE: &str = r#"{
    "strategy": {"type": "string", "enum": ["merge", "summarize", "dedupe"]}
}"#;
/// What to enrich, and with what.
const OF_ENRICH: &str = r#"{
    "memory_id": {"type": "string"},
    "enrich_tags": {"type": "boolean"},
    "enrich_structure": {"type": "boolean"},
    "add_context": {"type": "boolean"}
}"#;
/// Which repository; one index has them all.
const OF_REINDEX: &str = r#"{"repo_path": {"type": "string"}}"#;
/// Which way; there is nothing to exchange.
const OF_SYNC: &str = r#"{"direction": {"type": "string", "enum": ["push", "fetch", "full"]}}"#;
/// What a saved text is good for, and how to list some.
const OF_SAVED: &str = r#"{
    "description": {"type": "string"},
    "tags": {"type": "array", "items": {"type": "string"}},
    "limit": {"type": "integer"}
}"#;
/// The same for templates, which have a format besides.
const OF_TEMPLATES: &str = r#"{
    "description": {"type": "string"},
    "tags": {"type": "array", "items": {"type": "string"}},
    "limit": {"type": "integer"},
    "format": {"type": "string", "enum": ["markdown", "json", "xml"]}
}"#;
/// What to save beside a prompt's text.
const OF_PROMPT: &str = r#"{
    "description": {"type": "string"},
    "tags": {"type": "array", "items": {"type": "string"}}
}"#;
/// How to list prompts.
const OF_PROMPTS: &str = r#"{
    "tags": {"type": "array", "items": {"type": "string"}},
    "limit": {"type": "integer"}
}"#;
/// Operations on the graph.
const OF_GRAPH: &str = r#"{
    "operation": {"type": "string", "enum": ["neighbors", "path", "stats", "visualize"]},
    "entity_id": {"type": "string", "description": "name or id"},
    "relationship_types": {"type": "array", "items": {"type": "string"}},
    "from_entity": {"type": "string"},
    "to_entity": {"type": "string"},
    "max_hops": {"type": "integer"},
    "entity_types": {"type": "array", "items": {"type": "string"}},
    "limit": {"type": "integer"}
}"#;
/// Who and what there is.
const OF_ENTITIES: &str = r#"{
    "name": {"type": "string"},
    "entity_id": {"type": "string"},
    "entity_type": {"type": "string", "enum": ["Person", "Organization", "Technology", "Concept", "File"]},
    "properties": {"type": "object", "properties": {}},
    "limit": {"type": "integer"},
    "min_confidence": {"type": "number"},
    "entity_ids": {"type": "array", "items": {"type": "string"}},
    "canonical_name": {"type": "string"},
    "dry_run": {"type": "boolean"}
}"#;
/// How they hang together.
const OF_RELATIONSHIPS: &str = r#"{
    "relationship_id": {"type": "string"},
    "from_entity": {"type": "string"},
    "to_entity": {"type": "string"},
    "relationship_type": {"type": "string", "enum": [
        "WorksAt", "Created", "Uses", "Implements", "PartOf", "RelatesTo", "MentionedIn", "Supersedes", "ConflictsWith"
    ]},
    "properties": {"type": "object", "properties": {}},
    "limit": {"type": "integer"},
    "entity_ids": {"type": "array", "items": {"type": "string"}},
    "min_confidence": {"type": "number"}
}"#;

/// Tool names of an older product.
pub(crate) static OLDER: &[LegacyTool] = &[
    older(
        "capture",
        "memory",
        "Remember something.",
        &["content", "namespace", "tags", "source", "domain"],
        &["content", "namespace"],
        false,
    ),
    LegacyTool {
        unlisted: OF_RECALL,
        ..older(
            "recall",
            "memory",
            "Find memories, or list them without a query.",
            &["query", "filter", "namespace", "detail", "limit", "offset"],
            &[],
            true,
        )
    },
    LegacyTool {
        unlisted: OF_CODE,
        ..older(
            "remember",
            "memory",
            "Remember something of the code.",
            &["tags", "source"],
            &["type", "category", "memory", "reason"],
            false,
        )
    },
    LegacyTool {
        unlisted: KIND_OF_CODE,
        ..older(
            "get_memory",
            "memory",
            "Find memories of the code.",
            &["query", "limit", "offset"],
            &[],
            true,
        )
    },
    older("list", "memory", "List memories.", &["filter", "limit", "offset"], &[], true),
    older("get", "memory", "One memory, whole.", &["id"], &["id"], true),
    older("update", "memory", "Change a memory.", &["id", "content", "tags"], &["id"], false),
    older("delete", "memory", "Delete a memory; it can be restored.", &["id"], &["id"], false),
    older("delete_all", "memory", "Delete what a filter finds.", &["filter", "dry_run"], &[], false),
    older("restore", "memory", "Bring a deleted memory back.", &["id"], &["id"], false),
    older("history", "memory", "What was done to a memory.", &["id", "limit"], &["id"], true),
    older_without_arguments("status", "What is remembered here.", &["status"]),
    older_without_arguments("namespaces", "What can be remembered.", &["namespaces"]),
    LegacyTool {
        unlisted: OF_GC,
        ..older("gc", "memory", "Collect memories of branches that are gone.", &["dry_run"], &[], false)
    },
    LegacyTool {
        unlisted: OF_CONSOLIDATE,
        ..older(
            "consolidate",
            "memory",
            "Bring together what says nearly the same.",
            &["namespace", "query", "dry_run"],
            &["namespace"],
            false,
        )
    },
    LegacyTool {
        unlisted: OF_ENRICH,
        ..older(
            "enrich",
            "memory",
            "Add tags, form and context to a memory.",
            &["dry_run"],
            &["memory_id"],
            false,
        )
    },
    LegacyTool {
        unlisted: OF_REINDEX,
        ..older("reindex", "memory", "Build the search index again.", &["dry_run"], &[], false)
    },
    LegacyTool {
        unlisted: OF_SYNC,
        ..older("sync", "memory", "Nothing: kept for older callers.", NO_OWN, &[], true)
    },
    // `graph` itself is the tool of today, so this is listed with the prefix only.
    LegacyTool {
        unlisted: OF_GRAPH,
        ..older(
            "graph",
            "graph",
            "The graph: neighbors, path, stats, visualize.",
            &["depth", "format"],
            &["operation"],
            true,
        )
    },
    older_with_actions(
        "entities",
        "graph",
        "Entities: create, get, list, delete, extract, merge.",
        &["action", "entity", "type", "entities", "content", "store"],
        OF_ENTITIES,
        &["create", "get", "list", "delete", "extract", "merge"],
    ),
    older_with_actions(
        "relationships",
        "graph",
        "Relationships: create, get, list, delete, infer.",
        &["action", "entity", "to", "type", "entities", "store"],
        OF_RELATIONSHIPS,
        &["create", "get", "list", "delete", "infer"],
    ),
    older_with_actions(
        "prompts",
        "prompt",
        "Saved prompts.",
        &["action", "name", "content", "variables", "domain"],
        OF_SAVED,
        &["save", "list", "get", "run", "delete"],
    ),
    older_with_actions(
        "templates",
        "prompt",
        "Templates that show memories.",
        &["action", "name", "content", "variables", "query", "domain"],
        OF_TEMPLATES,
        &["save", "list", "get", "render", "delete"],
    ),
    LegacyTool {
        unlisted: OF_PROMPT,
        ..older(
            "prompt_save",
            "prompt",
            "Save a prompt.",
            &["name", "content", "domain"],
            &["name", "content"],
            false,
        )
    },
    LegacyTool {
        unlisted: OF_PROMPTS,
        ..older("prompt_list", "prompt", "List saved prompts.", &["domain"], &[], true)
    },
    older("prompt_get", "prompt", "One saved prompt.", &["name", "domain"], &["name"], true),
    older("prompt_run", "prompt", "Fill a saved prompt.", &["name", "variables", "domain"], &["name"], true),
    older(
        "prompt_delete",
        "prompt",
        "Delete a saved prompt.",
        &["name", "domain"],
        &["name", "domain"],
        false,
    ),
];
