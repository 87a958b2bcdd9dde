//! The operations a person or an agent can ask for.
