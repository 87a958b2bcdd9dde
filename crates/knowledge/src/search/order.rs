//! Orders hits: ranks the pool, cuts it to the requested page, and reads the page's texts.

use rusqlite::OptionalExtension;

use super::matches::{Matches, pool};
use super::{Hit, SearchRequest, Sort};
use crate::error::Result;
use crate::file_text;
use crate::source_kind::SourceKind;
use crate::store::Store;
use crate::subject::subject;
use ranking::Query;
use ranking::{Candidate, Ranker};

pub(super) struct Row {
    pub(super) hit: Hit,
    pub(super) text: String,
}

impl Store {
    /// Ranks the pool, cuts it to the requested page, and reads its texts.
    pub(super) fn order(&self, found: Matches, query: &Query, request: &SearchRequest) -> Result<Vec<Row>> {
        let page = request.offset..request.offset.saturating_add(request.limit);
        if request.sort == Sort::Time {
            let ids = found.ids.into_iter().skip(page.start).take(request.limit);
            return ids.map(|(id, _)| self.row(id)).filter_map(Result::transpose).collect();
        }
        // The pool doesn't depend on the offset, so that pages neither repeat nor lose a hit.
        let pool = if found.sample { found.ids.len() } else { pool(request).min(found.ids.len()) };
        let ranker = Ranker::new(query);
        let mut ranked = Vec::with_capacity(pool);
        if page.start < pool {
            for &(id, base) in &found.ids[..pool] {
                let Some(mut row) = self.row(id)? else { continue };
                let hit = &row.hit;
                let title = subject(hit.source_kind, &hit.source, &hit.title, hit.lines);
                row.hit.score =
                    ranker.score(&Candidate { base, title: &title, text: &row.text, code: hit.code });
                ranked.push(row);
            }
            ranked.sort_by(|a, b| {
                b.hit.score.total_cmp(&a.hit.score).then(b.hit.chunk_id.cmp(&a.hit.chunk_id))
            });
        }
        let mut rows: Vec<Row> = ranked.into_iter().skip(page.start).take(request.limit).collect();
        if page.end > pool {
            for &(id, base) in found.ids.iter().take(page.end).skip(pool.max(page.start)) {
                if let Some(mut row) = self.row(id)? {
                    row.hit.score = base;
                    rows.push(row);
                }
            }
        }
        Ok(rows)
    }

    fn row(&self, id: i64) -> Result<Option<Row>> {
        self.read(|db| {
            db.prepare_cached(
                "SELECT c.title, c.text, c.code, c.start_line, c.end_line, s.id, s.label, s.kind, s.indexed_ms,
                        s.origin
                 FROM chunks c CROSS JOIN sources s ON s.id = c.source WHERE c.id = ?1",
            )?
            .query_row([id], |r| {
                let origin = r.get_ref(9)?.as_str_or_null()?.unwrap_or_default();
                let other_lines = r.get_ref(7)?.as_str()? == "file" && file_text::has_other_lines(origin);
                Ok(Row {
                    text: r.get(1)?,
                    hit: Hit {
                        chunk_id: id,
                        source_id: r.get(5)?,
                        source: r.get(6)?,
                        source_kind: SourceKind::from_stored(r.get_ref(7)?.as_str()?),
                        title: r.get(0)?,
                        snippet: String::new(),
                        shortened: false,
                        code: r.get(2)?,
                        lines: (r.get(3)?, r.get(4)?),
                        other_lines,
                        indexed_ms: r.get(8)?,
                        score: 0.0,
                    },
                })
            })
            .optional()
        })
    }
}
