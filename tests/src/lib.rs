//! Harness shared by the end-to-end tests.
