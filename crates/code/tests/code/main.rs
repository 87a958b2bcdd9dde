//! Tests of the index through its public API: languages, update and search properties, references, bad input.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod asked;
mod bad_input;
mod callbacks;
mod circles;
mod class_types;
mod common;
mod controlled;
mod defaults;
mod evidence;
mod global_usings;
mod health;
mod hubs;
mod languages;
mod large;
mod locals;
mod mentions;
mod namesakes;
mod own_files;
mod programs;
mod properties;
mod python_names;
mod reached;
mod receiver_types;
mod references;
mod relations;
mod rust_names;
mod script_types;
mod search;
mod styles;
mod this_repository;
mod visibility;
mod ways;
