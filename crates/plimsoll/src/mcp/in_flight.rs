//! Which requests still wait for their answers, and which of them came in one array, whose answers go back in one array.
//! Doesn't know what a message asks for.

use std::collections::HashSet;

use rmcp::model::RequestId;

/// The requests that aren't answered yet.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    waiting: HashSet<RequestId>,
    batches: Vec<Batch>,
}

/// The requests of one array.
#[derive(Debug)]
struct Batch {
    waiting: HashSet<RequestId>,
    answers: Vec<Vec<u8>>,
}

impl Batch {
    /// The answers in an array; `None` while one is missing, or if there are none.
    fn text(&self) -> Option<Vec<u8>> {
        if !self.waiting.is_empty() || self.answers.is_empty() {
            return None;
        }
        let mut text = vec![b'['];
        text.extend(self.answers.join(&b','));
        text.push(b']');
        Some(text)
    }
}

impl InFlight {
    /// Notes a request; `false` if another one with this ID isn't answered yet.
    pub(super) fn begin(&mut self, id: &RequestId) -> bool {
        self.waiting.insert(id.clone())
    }

    /// Notes which requests came in one array, with the answers that are there already. Returns the text to send if
    /// nothing is waited for.
    pub(super) fn open_batch(&mut self, waiting: Vec<RequestId>, answers: Vec<Vec<u8>>) -> Option<Vec<u8>> {
        let batch = Batch { waiting: waiting.into_iter().collect(), answers };
        if batch.waiting.is_empty() {
            return batch.text();
        }
        self.batches.push(batch);
        None
    }

    /// Notes the answer to a request and returns the text to send for it: itself, the array that it completes, or nothing
    /// while its array isn't complete.
    pub(super) fn end(&mut self, id: &RequestId, answer: Vec<u8>) -> Option<Vec<u8>> {
        self.waiting.remove(id);
        let Some(at) = self.batch_of(id) else { return Some(answer) };
        self.leave(at, id, Some(answer))
    }

    /// Notes that a request won't be answered, and returns the text to send if its array is complete without it.
    pub(super) fn cancel(&mut self, id: &RequestId) -> Option<Vec<u8>> {
        self.waiting.remove(id);
        let at = self.batch_of(id)?;
        self.leave(at, id, None)
    }

    fn batch_of(&self, id: &RequestId) -> Option<usize> {
        self.batches.iter().position(|batch| batch.waiting.contains(id))
    }

    fn leave(&mut self, at: usize, id: &RequestId, answer: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let batch = self.batches.get_mut(at)?;
        batch.waiting.remove(id);
        batch.answers.extend(answer);
        if !batch.waiting.is_empty() {
            return None;
        }
        self.batches.swap_remove(at).text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: i64) -> RequestId {
        RequestId::Number(number)
    }

    fn text(sent: Option<Vec<u8>>) -> Option<String> {
        sent.map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn an_array_is_answered_by_an_array_once_all_is_there() {
        let mut flight = InFlight::default();
        assert!(flight.begin(&id(1)) && flight.begin(&id(2)) && flight.begin(&id(3)) && flight.begin(&id(4)));
        assert!(!flight.begin(&id(1)), "it's in flight");
        assert_eq!(text(flight.open_batch(vec![id(1), id(2), id(3)], vec![b"e".to_vec()])), None);
        assert_eq!(text(flight.end(&id(2), b"b".to_vec())), None);
        assert_eq!(text(flight.end(&id(4), b"d".to_vec())).as_deref(), Some("d"), "it's in no array");
        assert_eq!(text(flight.cancel(&id(3))), None);
        assert_eq!(text(flight.end(&id(1), b"a".to_vec())).as_deref(), Some("[e,b,a]"));
        assert!(flight.begin(&id(1)), "it was answered");
        assert!(flight.batches.is_empty());
    }

    #[test]
    fn what_is_cancelled_is_not_waited_for() {
        let mut flight = InFlight::default();
        assert!(flight.begin(&id(1)) && flight.begin(&id(2)));
        assert_eq!(text(flight.open_batch(vec![id(1), id(2)], Vec::new())), None);
        assert_eq!(text(flight.end(&id(1), b"a".to_vec())), None);
        assert_eq!(text(flight.cancel(&id(2))).as_deref(), Some("[a]"));
        // Nothing at all is sent for an array of which everything was cancelled, or of notifications.
        assert!(flight.begin(&id(1)));
        assert_eq!(text(flight.open_batch(vec![id(1)], Vec::new())), None);
        assert_eq!(text(flight.cancel(&id(1))), None);
        assert_eq!(text(flight.open_batch(Vec::new(), Vec::new())), None);
        assert_eq!(text(flight.open_batch(Vec::new(), vec![b"e".to_vec()])).as_deref(), Some("[e]"));
    }

    #[test]
    fn a_long_array_takes_no_longer_than_its_length() {
        let ids: Vec<RequestId> = (0..100_000).map(id).collect();
        let mut flight = InFlight::default();
        assert!(ids.iter().all(|id| flight.begin(id)));
        let started = std::time::Instant::now();
        assert_eq!(text(flight.open_batch(ids.clone(), Vec::new())), None);
        let sent: Vec<Vec<u8>> = ids.iter().rev().filter_map(|id| flight.end(id, b"a".to_vec())).collect();
        assert_eq!(sent.len(), 1);
        assert_eq!(sent[0].len(), 2 * ids.len() + 1);
        assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
    }
}
