//! A capture: the same text counts once, and what the new memory replaces is superseded, in one transaction of the caller's.

use super::connect::Server;
use super::links::supersede;
use super::rows::Db;
use super::write::{Outcome, by_id, by_row, confirm, found, insert, same, update};
use crate::domain::Memory;
use crate::store::org_error::OrgError;
use crate::store::sqlite::{fresh_id, thread};
use crate::store::{Actor, NewMemory};

pub(super) async fn capture(
    db: &Db<'_>,
    server: &Server,
    new: &NewMemory,
    who: &Actor,
) -> Result<Outcome<(Memory, bool)>, OrgError> {
    let draft = new.draft();
    let mut replaced = Vec::new();
    for id in &draft.supersedes {
        replaced.push(found!(by_id(db, server, id).await?));
    }
    if let Some(row) = same(db, server, new.hash(), &of_draft(new, who), who.at_ms).await? {
        let known = found!(by_row(db, server, row).await?);
        found!(confirm(db, server, &known, draft, who).await?);
        if let Some(longer) = new.prolongs(&known, who.at_ms) {
            found!(update(db, server, &known.id, &longer, who).await?);
        }
        for old in replaced.iter().filter(|old| old.row != row) {
            found!(supersede(db, server, row, old, who).await?);
        }
        let memory = found!(by_row(db, server, row).await?);
        return Ok(Outcome::Done((memory, true)));
    }
    let mut memory = of_draft(new, who);
    memory.id = fresh_id(new, who.at_ms);
    let thread = draft.session.as_deref().map(|session| thread(draft, session));
    let row = insert(db, server, &memory, thread, who).await?;
    for old in &replaced {
        found!(supersede(db, server, row, old, who).await?);
    }
    Ok(Outcome::Done((found!(by_row(db, server, row).await?), false)))
}

/// The memory for a draft, without an id.
fn of_draft(new: &NewMemory, who: &Actor) -> Memory {
    let draft = new.draft();
    Memory {
        id: String::new(),
        content: draft.content.clone(),
        namespace: draft.namespace,
        domain: draft.domain,
        project: draft.project.clone(),
        branch: draft.branch.clone(),
        file: draft.file.clone(),
        source: draft.source.clone(),
        tags: draft.tags.clone(),
        author: draft.author.clone(),
        client: draft.client.clone(),
        session: draft.session.clone(),
        trust: draft.trust,
        status: draft.status,
        version: 1,
        created_ms: who.at_ms,
        updated_ms: who.at_ms,
        expires_ms: draft.ttl_ms.filter(|ttl| *ttl > 0).map(|ttl| who.at_ms.saturating_add(ttl)),
        tombstoned_ms: None,
    }
}
