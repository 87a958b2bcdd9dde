//! The operations on memories for you and for agents: each with its arguments and a reply as the specification
//! defines it. Doesn't know how arguments are written or how replies are shown.

mod branches;
mod consolidate;
mod desk;
mod enrich;
mod entities;
mod failure;
mod files;
mod gc;
mod git;
mod graph;
mod look;
mod models;
mod organisation;
mod prompts;
mod renames;
mod review;
mod shapes;
mod templates;
mod vectors;
mod write;

pub use branches::{branches, current};
pub use consolidate::{Consolidate, consolidate};
pub use desk::Desk;
pub use enrich::{Enrich, enrich};
pub use entities::{
    OfEntity, OfRelation, create_entity, create_relation, delete_entity, delete_relation, extract_entities,
    get_entity, get_relation, infer_relations, list_entities, list_relations, merge_entities,
};
pub use failure::Failure;
pub use files::{
    Import, Sharing, SourceKind, Spot, export, import, read_shared, refresh_shared, share, shared_file,
    sharing, spots, unshare,
};
pub use gc::{Gc, gc};
pub use graph::{LookAround, graph_stats, neighbors, path, visualize};
pub use look::{Recollect, answers, get, history, namespaces, recollect, status};
pub(crate) use organisation::{Asked, check_server, manage};
pub use prompts::{
    OfPrompt, delete_prompt, get_prompt, list_prompts, prompts_here, restore_prompt, run_prompt, save_prompt,
};
pub use renames::follow_renames;
pub use review::{decide, review};
pub use templates::{Preview, preview_template, render_template};
pub use write::{Capture, DeleteAll, Update, capture, delete, delete_all, reindex, restore, update};

/// A reply: JSON as the specification defines it.
pub type Reply = Result<serde_json::Value, Failure>;
