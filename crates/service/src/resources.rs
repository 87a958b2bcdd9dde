//! What has an address: `plimsoll://source/<id>` and `plimsoll://task/<id>`.

use contract::{Error, ErrorCode};

use crate::{Service, output};

/// What reading an address returns at most, in bytes.
const MOST: usize = 1024 * 1024;

/// One thing with an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceItem {
    /// The address.
    pub uri: String,
    /// Its short name.
    pub name: String,
    /// In a few words.
    pub description: Option<String>,
    /// Its size.
    pub bytes: Option<u64>,
}

impl ResourceItem {
    /// About what it takes where it is listed, with the keys and quotes around it.
    fn taken(&self) -> usize {
        const FRAME: usize = 160;
        let escaped = |text: &str| text.len() + text.matches(['"', '\\', '\n']).count();
        FRAME + self.uri.len() + escaped(&self.name) + self.description.as_deref().map_or(0, escaped)
    }
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    /// What is on it.
    pub items: Vec<T>,
    /// Where the next page starts.
    pub next: Option<usize>,
}

impl Service {
    /// Everything of the project that has an address, newest first: at most `limit` of them, and no more than `most` bytes of
    /// names, so that whoever lists them for a model can show the page whole.
    ///
    /// # Errors
    /// When the knowledge base cannot be read.
    pub async fn resources(
        &self,
        offset: usize,
        limit: usize,
        most: usize,
    ) -> Result<Listed<ResourceItem>, Error> {
        let found = self.with_existing_knowledge(move |store| store.sources(offset, limit)).await?;
        let (sources, total) = found.map_or((Vec::new(), 0), |found| (found.sources, found.total));
        // Tasks are few and stand on the first page.
        let tasks = if offset == 0 { self.listed_tasks() } else { Vec::new() };
        let tasks = tasks.into_iter().take(limit).map(|task| ResourceItem {
            uri: format!("plimsoll://task/{}", task.id),
            name: task.label,
            description: Some("background task".into()),
            bytes: Some(task.output_bytes),
        });
        let sources = sources.into_iter().map(|source| ResourceItem {
            uri: format!("plimsoll://source/{}", source.id),
            name: source.label,
            description: Some(format!("{}, {} sections", source.kind.as_str(), source.chunks)),
            bytes: Some(source.bytes),
        });
        let mut room = most;
        let mut fits = |item: &ResourceItem| {
            let taken = item.taken();
            let fits = taken <= room;
            room = room.saturating_sub(taken);
            fits
        };
        let mut items: Vec<ResourceItem> = tasks.take_while(&mut fits).collect();
        let mut shown = offset;
        for source in sources {
            // A page without any would be the end of the list.
            if !fits(&source) && shown > offset {
                break;
            }
            items.push(source);
            shown += 1;
        }
        let next = (shown > offset && (shown as u64) < total).then_some(shown);
        Ok(Listed { items, next })
    }

    /// The whole text of a source of this project, by number or name, for a person.
    ///
    /// # Errors
    /// When nothing is stored under that name.
    pub async fn source_text(&self, name: &str) -> Result<String, Error> {
        let wanted = crate::search::source_name(name).to_owned();
        let found = self.with_existing_knowledge(move |store| store.source_text(&wanted)).await?;
        let nothing = || {
            Error::new(
                ErrorCode::NotFound,
                format!("nothing is stored in this project, so no source {name} either"),
            )
        };
        found.map(|source| source.text).ok_or_else(nothing)
    }

    /// The text behind an address, its middle cut out when it is very long.
    ///
    /// # Errors
    /// When there is nothing at that address.
    pub async fn read_resource(&self, uri: &str) -> Result<String, Error> {
        let nothing = || {
            Error::new(
                ErrorCode::NotFound,
                format!("nothing is at {uri}; addresses are plimsoll://source/<id> and plimsoll://task/<id>"),
            )
        };
        if let Some(id) = uri.strip_prefix("plimsoll://source/") {
            let id = id.to_owned();
            let now_ms = self.now_ms();
            let read = move |store: &mut knowledge::Store| {
                store.source_text(&id).inspect(|found| store.mark_used(&[found.info.id], now_ms))
            };
            let found = self.with_existing_knowledge(read).await?;
            let text = found.ok_or_else(nothing)?.text;
            return Ok(bounded(text));
        }
        if let Some(id) = uri.strip_prefix("plimsoll://task/") {
            return self.task_text(id).await.map(bounded);
        }
        Err(nothing())
    }
}

fn bounded(text: String) -> String {
    if text.len() <= MOST {
        return text;
    }
    let size = output::size(text.len() as u64);
    format!("{}\n({size} in all; search finds the rest)", text::cut_middle(&text, MOST, 60))
}
