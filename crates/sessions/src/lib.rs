//! Sessions: recorded events, the ledger, live servers.
