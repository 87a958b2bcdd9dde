//! The sidecar binary. Dispatches to its three faces and knows nothing of how anything is done.
fn main() {}
