//! Which requests still wait for their answers, and which of them came in one array, whose answers go back in one array.
//! A client may use the ID of a request that it cancelled for another one, while the work for the first still ends; so
//! each request is passed on under an ID of its own. Doesn't know what a message asks for.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use rmcp::model::RequestId;

/// The requests that aren't answered yet. `own` is an ID under which one was passed on, `id` one of the client's.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    /// The own IDs by the client's.
    own_ids: HashMap<RequestId, RequestId>,
    /// The client's IDs by the own ones.
    client_ids: HashMap<RequestId, RequestId>,
    /// The newest own ID.
    newest: i64,
    batches: Vec<Batch>,
}

/// The requests of one array, by their own IDs.
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
    /// Notes a request and returns the ID to pass it on under; `None` if another one with this ID isn't answered yet.
    pub(super) fn begin(&mut self, id: &RequestId) -> Option<RequestId> {
        let Entry::Vacant(free) = self.own_ids.entry(id.clone()) else { return None };
        self.newest += 1;
        let own = RequestId::Number(self.newest);
        free.insert(own.clone());
        self.client_ids.insert(own.clone(), id.clone());
        Some(own)
    }

    /// Notes which requests came in one array, with the answers that are there already. Returns the text to send if
    /// nothing is waited for, as for a request that the array itself cancels.
    pub(super) fn open_batch(&mut self, own: Vec<RequestId>, answers: Vec<Vec<u8>>) -> Option<Vec<u8>> {
        let waiting = own.into_iter().filter(|own| self.client_ids.contains_key(own)).collect();
        let batch = Batch { waiting, answers };
        if batch.waiting.is_empty() {
            return batch.text();
        }
        self.batches.push(batch);
        None
    }

    /// Notes that a request has its answer, and returns the client's ID; `None` if the client doesn't wait for it.
    pub(super) fn end(&mut self, own: &RequestId) -> Option<RequestId> {
        let id = self.client_ids.remove(own)?;
        self.own_ids.remove(&id);
        Some(id)
    }

    /// The text to send for the answer to a request: itself, the array that it completes, or nothing while its array isn't
    /// complete.
    pub(super) fn deliver(&mut self, own: &RequestId, answer: Vec<u8>) -> Option<Vec<u8>> {
        let Some(at) = self.batch_of(own) else { return Some(answer) };
        self.leave(at, own, Some(answer))
    }

    /// Notes that a request won't be answered. Returns the ID that it was passed on under, if it's still waited for, and the
    /// text to send if its array is complete without it.
    pub(super) fn cancel(&mut self, id: &RequestId) -> (Option<RequestId>, Option<Vec<u8>>) {
        let Some(own) = self.own_ids.remove(id) else { return (None, None) };
        self.client_ids.remove(&own);
        let text = self.batch_of(&own).and_then(|at| self.leave(at, &own, None));
        (Some(own), text)
    }

    fn batch_of(&self, own: &RequestId) -> Option<usize> {
        self.batches.iter().position(|batch| batch.waiting.contains(own))
    }

    fn leave(&mut self, at: usize, own: &RequestId, answer: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let batch = self.batches.get_mut(at)?;
        batch.waiting.remove(own);
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

    /// The own IDs of requests that have these IDs.
    fn begun<const N: usize>(flight: &mut InFlight, ids: [i64; N]) -> [RequestId; N] {
        ids.map(|number| flight.begin(&id(number)).unwrap())
    }

    /// Returns what to send when the answer to this request arrives.
    fn answered(flight: &mut InFlight, own: &RequestId, answer: &str) -> Option<String> {
        flight.end(own)?;
        text(flight.deliver(own, answer.into()))
    }

    #[test]
    fn an_array_is_answered_by_an_array_once_all_is_there() {
        let mut flight = InFlight::default();
        let [one, two, three, four] = begun(&mut flight, [1, 2, 3, 4]);
        assert_eq!(flight.begin(&id(1)), None, "it's in flight");
        let array = vec![one.clone(), two.clone(), three];
        assert_eq!(text(flight.open_batch(array, vec![b"e".to_vec()])), None);
        assert_eq!(answered(&mut flight, &two, "b"), None);
        assert_eq!(answered(&mut flight, &four, "d").as_deref(), Some("d"), "it's in no array");
        assert_eq!(text(flight.cancel(&id(3)).1), None);
        assert_eq!(answered(&mut flight, &one, "a").as_deref(), Some("[e,b,a]"));
        assert!(flight.begin(&id(1)).is_some(), "it was answered");
        assert!(flight.batches.is_empty());
    }

    #[test]
    fn what_is_cancelled_is_not_waited_for() {
        let mut flight = InFlight::default();
        let [one, two] = begun(&mut flight, [1, 2]);
        assert_eq!(text(flight.open_batch(vec![one.clone(), two.clone()], Vec::new())), None);
        assert_eq!(answered(&mut flight, &one, "a"), None);
        let (own, sent) = flight.cancel(&id(2));
        assert_eq!((own, text(sent).as_deref()), (Some(two), Some("[a]")));
        // Nothing at all is sent for an array of which everything was cancelled, or of notifications.
        let [one] = begun(&mut flight, [1]);
        assert_eq!(text(flight.open_batch(vec![one], Vec::new())), None);
        assert_eq!(text(flight.cancel(&id(1)).1), None);
        assert_eq!(text(flight.open_batch(Vec::new(), Vec::new())), None);
        assert_eq!(text(flight.open_batch(Vec::new(), vec![b"e".to_vec()])).as_deref(), Some("[e]"));
        // An array may cancel one of its own requests, and use its ID once more.
        let [first] = begun(&mut flight, [1]);
        assert_eq!(flight.cancel(&id(1)).0.as_ref(), Some(&first));
        let [second] = begun(&mut flight, [1]);
        assert_eq!(text(flight.open_batch(vec![first, second.clone()], Vec::new())), None);
        assert_eq!(answered(&mut flight, &second, "b").as_deref(), Some("[b]"));
    }

    #[test]
    fn an_answer_belongs_to_its_own_request_although_the_id_is_used_again() {
        let mut flight = InFlight::default();
        let [first] = begun(&mut flight, [1]);
        assert_eq!(flight.cancel(&id(1)), (Some(first.clone()), None));
        let [second] = begun(&mut flight, [1]);
        assert_ne!(first, second);
        assert_eq!(flight.end(&first), None, "nobody waits for it");
        assert_eq!(flight.end(&second), Some(id(1)));
        // A request that nobody waits for can't be cancelled, whatever its ID is here.
        let [third] = begun(&mut flight, [7]);
        assert_eq!(flight.cancel(&third), (None, None));
        assert_eq!(flight.end(&third), Some(id(7)));
    }

    #[test]
    fn a_long_array_takes_no_longer_than_its_length() {
        let ids: Vec<RequestId> = (0..100_000).map(id).collect();
        let mut flight = InFlight::default();
        let own: Vec<RequestId> = ids.iter().filter_map(|id| flight.begin(id)).collect();
        assert_eq!(own.len(), ids.len());
        let started = std::time::Instant::now();
        assert_eq!(text(flight.open_batch(own.clone(), Vec::new())), None);
        let sent: Vec<String> = own.iter().rev().filter_map(|own| answered(&mut flight, own, "a")).collect();
        assert_eq!(sent.len(), 1);
        assert_eq!(sent[0].len(), 2 * ids.len() + 1);
        assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
    }
}
