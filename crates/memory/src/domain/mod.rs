//! The vocabulary of memories: their properties, namespaces, addresses and periods, and when two texts count as the
//! same. Pure: no database, no clock.

mod address;
mod decay;
mod duplicates;
mod memory;
mod namespace;
mod period;
mod project;
mod record;
mod spelling;
mod unknown_name;
mod word_lines;

pub use address::{Address, AddressError, OLDER_SCHEME};
pub use decay::{STALE_BELOW, confidence, half_life_days};
pub use duplicates::{Meaning, NEAR_DUPLICATE, hash, similarity, word_set};
pub use memory::{Domain, Link, LinkKind, Memory, SCHEME, Status, Trust, is_from_web};
pub use namespace::{NAMESPACES, Namespace, NamespaceInfo};
pub use period::{DAY_MS, InvalidPeriod, iso, last_moment, moment, period_ms, range_end};
pub use project::{former_keys, named_project, normalised_remote, project_key, redacted_key};
pub use record::{Record, RecordKind, is_shared_project, record_scope};
pub(crate) use spelling::{composed, other_spellings};
pub use unknown_name::UnknownName;
pub(crate) use unknown_name::quoted_beginning;
pub(crate) use word_lines::line_with;
