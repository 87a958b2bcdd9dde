//! Remembers what was found out, once for each place. What is asked for again while it's looked for isn't known there; what came out with
//! that in it counts only until the outer answer is known, so that no answer depends on which one was asked for first.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::super::{Depth, MAX_DEPTH};
use super::Script;
use super::ty::{Place, Ty};

/// So many expressions and types are read for one name; after that nothing more is known.
const MAX_STEPS: u32 = 400_000;

/// What is asked of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum About {
    /// The type of an expression, or of what a node declares.
    Value,
    /// What a function gives.
    Result,
    /// The type that is expected of an expression.
    Expected,
    /// What a type is another name of.
    Alias,
}

enum Answer {
    Known(Ty),
    /// What it is while that other one isn't known.
    Assumed(Ty, usize),
    /// Still looked for, with its place among those.
    Open(usize),
}

/// The answers to one question and those before it.
#[derive(Default)]
pub(super) struct Memo {
    answers: RefCell<HashMap<(About, Place), Answer>>,
    /// Those that are assumed.
    assumed: RefCell<Vec<(About, Place)>>,
    /// How many answers are looked for, one for the other.
    open: Cell<usize>,
    /// The outermost of these that the innermost depends on.
    outermost: Cell<Option<usize>>,
    depth: Depth,
    steps: Cell<u32>,
}

impl Memo {
    /// Takes a step, and tells whether that is too deep or one too many.
    fn is_at_limit(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        let is_at_limit = self.depth.0.get() >= MAX_DEPTH || self.steps.get() > MAX_STEPS;
        if is_at_limit {
            self.reaches_limit();
        }
        is_at_limit
    }

    /// What is looked for now isn't known because of a limit: asked for another time, it may be.
    pub(super) fn reaches_limit(&self) {
        self.depends_on(0);
    }

    fn depends_on(&self, answer: usize) {
        self.outermost.set(Some(self.outermost.get().map_or(answer, |known| known.min(answer))));
    }
}

impl Script<'_> {
    /// Starts the search for a new name, for which as many steps may be taken and as much be read.
    pub(in crate::refs) fn begin(&self) {
        self.memo.steps.set(0);
        self.imports.borrow_mut().clear();
        self.exports.borrow_mut().clear();
    }

    /// Forgets what is only assumed: after a question nothing is looked for.
    pub(super) fn end(&self) {
        for key in self.memo.assumed.borrow_mut().drain(..) {
            self.memo.answers.borrow_mut().remove(&key);
        }
        self.memo.outermost.set(None);
    }

    /// Runs `work` for a node unless that goes too deep or took too long.
    pub(super) fn limited(&self, work: impl FnOnce() -> Ty) -> Ty {
        if self.memo.is_at_limit() { Ty::Unknown } else { self.memo.depth.limited(Ty::Unknown, work) }
    }

    /// What `work` gives for a place, once.
    pub(super) fn once(&self, about: About, place: Place, work: impl FnOnce() -> Ty) -> Ty {
        let (memo, key) = (&self.memo, (about, place));
        match memo.answers.borrow().get(&key) {
            Some(Answer::Known(ty)) => return ty.clone(),
            Some(Answer::Assumed(ty, answer)) => {
                memo.depends_on(*answer);
                return ty.clone();
            }
            Some(Answer::Open(answer)) => {
                memo.depends_on(*answer);
                return Ty::Unknown;
            }
            None => {}
        }
        if memo.is_at_limit() {
            return Ty::Unknown;
        }
        // They count from 1: 0 means a limit, which is reached elsewhere if it's asked from elsewhere.
        let own = memo.open.get() + 1;
        memo.open.set(own);
        memo.answers.borrow_mut().insert(key, Answer::Open(own));
        let around = memo.outermost.replace(None);
        let assumed = memo.assumed.borrow().len();
        let ty = memo.depth.limited(Ty::Unknown, work);
        memo.open.set(own - 1);
        let outer = memo.outermost.get().filter(|answer| *answer < own);
        memo.outermost.set(around);
        let answer = match outer {
            Some(outer) => {
                memo.depends_on(outer);
                let mut answers = memo.answers.borrow_mut();
                // What depended on this one depends on what this one does.
                for inner in &memo.assumed.borrow()[assumed..] {
                    if let Some(Answer::Assumed(_, answer)) = answers.get_mut(inner) {
                        *answer = outer.min(*answer);
                    }
                }
                memo.assumed.borrow_mut().push(key);
                Answer::Assumed(ty.clone(), outer)
            }
            None => {
                let mut answers = memo.answers.borrow_mut();
                for inner in memo.assumed.borrow_mut().drain(assumed..) {
                    answers.remove(&inner);
                }
                Answer::Known(ty.clone())
            }
        };
        memo.answers.borrow_mut().insert(key, answer);
        ty
    }
}
