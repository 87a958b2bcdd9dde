//! The operations on memories for you and for agents: each with its arguments and a reply as the specification
//! defines it. Doesn't know how arguments are written or how replies are shown.

mod consolidate;
mod context;
mod damaged_copies;
mod dry_run;
mod enrich;
mod entities;
mod failure;
mod file_renames;
mod files;
mod gc;
mod git;
mod git_branches;
mod graph;
mod identity;
mod infer;
mod models;
mod org;
mod prompts;
mod read;
mod related;
mod replaced;
mod reply_json;
mod review;
mod shared_folder;
mod status;
mod templates;
mod validity;
mod vectors;
mod write;

pub use consolidate::{Consolidate, consolidate, preview_everywhere};
pub use context::ActionContext;
pub use damaged_copies::with_damaged_copies;
pub use dry_run::{Writes, previewed};
pub use enrich::{Enrich, enrich};
pub use entities::{
    EntityArgs, RelationArgs, create_entity, create_relation, delete_entity, delete_relation,
    extract_entities, get_entity, get_relation, list_entities, list_relations, merge_entities,
};
pub use failure::{Failure, INVALID_PARAMETERS};
pub use file_renames::{follow_renames, follow_renames_once};
pub use files::{
    Import, ImportSource, SharedStatus, SourceKind, export, find_import_sources, import, read_shared,
    read_text, refresh_shared, share, shared_file, shared_problems, shared_status, unshare,
};
pub(crate) use files::{purge_for_good, text_mark, unread_shared};
pub use gc::{Gc, gc};
pub use git_branches::{Branches, branches, current};
pub use graph::{GraphArgs, graph_stats, neighbors, path, visualize};
pub use identity::{identity, join, separate};
pub use infer::infer_relations;
pub(crate) use org::{OrgRequest, check_server, run_org_request};
pub use prompts::{
    PromptArgs, delete_prompt, get_prompt, list_prompts, prompts_here, restore_prompt, run_prompt,
    save_prompt,
};
pub use read::{RecallArgs, get, history, namespaces, recall_memories, search_answers};
pub use related::related;
pub use review::{decide_review, review};
pub use shared_folder::SharedRules;
pub(crate) use shared_folder::{FOLDER as SHARED_FOLDER, is_from_file};
pub use status::status;
pub use templates::{Preview, preview_template, render_template};
pub use write::{Capture, DeleteAll, Update, capture, delete, delete_all, reindex, restore, update};

/// A reply: JSON as the specification defines it.
pub type Reply = Result<serde_json::Value, Failure>;
