//! The type of what a type gives by a name of its own, as the head of that says it: `Cart.shared`. Reads the index alone.

use super::resolution::FileContext;
use super::syntactic_types::field_type;

impl FileContext<'_> {
    /// The type of a receiver that names a value of a type: `Cart.shared`, `shop.Cart.shared`.
    pub(super) fn type_of_static(&self, receiver: &str) -> Option<String> {
        if !matches!(self.language(), "csharp" | "java" | "kotlin" | "scala" | "swift") {
            return None;
        }
        let (owner, field) = receiver.rsplit_once('.')?;
        let owner = owner.rsplit('.').next().filter(|owner| owner.starts_with(char::is_uppercase))?;
        let all = self.types.value_signatures(field);
        let own = all.iter().filter(|(container, _)| container.rsplit('.').next() == Some(owner));
        let mut types = own.filter_map(|(_, signature)| field_type(signature, field));
        let of = types.next()?;
        types.all(|other| other == of).then_some(of)
    }
}
