//! The values of a statement with their types. Statements are sent with their types named and without a name of their own:
//! nothing of them stays in the connection, which a pooler may hand to somebody else after each transaction.

use tokio_postgres::types::{ToSql, Type};

/// Values, in the order of their places `$1`, `$2`, ….
#[derive(Default)]
pub(super) struct Values(Vec<(Box<dyn ToSql + Sync + Send>, Type)>);

impl Values {
    fn add(&mut self, value: impl ToSql + Sync + Send + 'static, of: Type) -> String {
        self.0.push((Box::new(value), of));
        format!("${}", self.0.len())
    }

    /// A text's place.
    pub(super) fn text(&mut self, value: &str) -> String {
        self.add(bare(value), Type::TEXT)
    }

    /// A text's place, or nothing's.
    pub(super) fn maybe(&mut self, value: Option<&str>) -> String {
        self.add(value.map(bare), Type::TEXT)
    }

    /// The place of a list of texts.
    pub(super) fn texts(&mut self, value: Vec<String>) -> String {
        self.add(value.iter().map(|one| bare(one)).collect::<Vec<_>>(), Type::TEXT_ARRAY)
    }

    /// A number's place.
    pub(super) fn number(&mut self, value: i64) -> String {
        self.add(value, Type::INT8)
    }

    /// A number's place, or nothing's.
    pub(super) fn maybe_number(&mut self, value: Option<i64>) -> String {
        self.add(value, Type::INT8)
    }

    /// The place of a list of numbers.
    pub(super) fn numbers(&mut self, value: Vec<i64>) -> String {
        self.add(value, Type::INT8_ARRAY)
    }

    /// A yes or no, or nothing.
    pub(super) fn maybe_switch(&mut self, value: Option<bool>) -> String {
        self.add(value, Type::BOOL)
    }

    /// The place of bytes.
    pub(super) fn bytes(&mut self, value: &[u8]) -> String {
        self.add(value.to_vec(), Type::BYTEA)
    }

    /// As the client takes them.
    pub(super) fn list(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        self.0.iter().map(|(value, of)| (value.as_ref() as &(dyn ToSql + Sync), of.clone())).collect()
    }
}

/// PostgreSQL keeps no character 0 in a text.
fn bare(text: &str) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text.to_owned() }
}
