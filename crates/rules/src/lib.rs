//! Permission rules: parsing them, taking shell commands apart, and matching.
