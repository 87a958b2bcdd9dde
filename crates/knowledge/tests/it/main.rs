//! The tests of the knowledge base from outside, in one program so that it is linked once.

mod common;
mod garbage;
mod purge;
mod search;
mod size;
