//! The parameters of a statement with their types. Statements name the types and are unnamed themselves, so nothing
//! remains in the connection, which a pooler may hand to somebody else after each transaction.

use tokio_postgres::types::{ToSql, Type};

/// Parameters, in the order of their placeholders `$1`, `$2`, ….
#[derive(Default)]
pub(super) struct Values(Vec<(Box<dyn ToSql + Sync + Send>, Type)>);

impl Values {
    fn add(&mut self, value: impl ToSql + Sync + Send + 'static, of: Type) -> String {
        self.0.push((Box::new(value), of));
        format!("${}", self.0.len())
    }

    /// The placeholder of a text.
    pub(super) fn text(&mut self, value: &str) -> String {
        self.add(bare(value), Type::TEXT)
    }

    /// The placeholder of an optional text.
    pub(super) fn maybe(&mut self, value: Option<&str>) -> String {
        self.add(value.map(bare), Type::TEXT)
    }

    /// The placeholder of a list of texts.
    pub(super) fn texts(&mut self, value: Vec<String>) -> String {
        self.add(value.iter().map(|one| bare(one)).collect::<Vec<_>>(), Type::TEXT_ARRAY)
    }

    /// The placeholder of a number.
    pub(super) fn number(&mut self, value: i64) -> String {
        self.add(value, Type::INT8)
    }

    /// The placeholder of an optional number.
    pub(super) fn maybe_number(&mut self, value: Option<i64>) -> String {
        self.add(value, Type::INT8)
    }

    /// The placeholder of a list of numbers.
    pub(super) fn numbers(&mut self, value: Vec<i64>) -> String {
        self.add(value, Type::INT8_ARRAY)
    }

    /// The placeholder of a list of real numbers.
    pub(super) fn floats(&mut self, value: Vec<f32>) -> String {
        self.add(value, Type::FLOAT4_ARRAY)
    }

    /// The placeholder of an optional boolean.
    pub(super) fn maybe_switch(&mut self, value: Option<bool>) -> String {
        self.add(value, Type::BOOL)
    }

    /// The placeholder of bytes.
    pub(super) fn bytes(&mut self, value: &[u8]) -> String {
        self.add(value.to_vec(), Type::BYTEA)
    }

    /// The parameters as the client takes them.
    pub(super) fn list(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        self.0.iter().map(|(value, of)| (value.as_ref() as &(dyn ToSql + Sync), of.clone())).collect()
    }
}

/// PostgreSQL stores no NUL character in a text.
fn bare(text: &str) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text.to_owned() }
}
