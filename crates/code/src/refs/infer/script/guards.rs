//! What functions tell of the type of their argument: `x is Cart`, `asserts x is Cart`, and the conditions that `filter` and `find` are
//! given.

use tree_sitter::Node;

use super::super::lookup::Source;
use super::narrowing::{Known, MAX_INNER};
use super::ty::Ty;
use super::{Script, children, given_back, is_function, only_child, parameters};

/// Libraries' functions that assert that their first argument is true.
const ASSERTING_TRUE: &[&str] = &["assert", "assert.ok", "invariant"];

impl Script<'_> {
    /// What a function says of its argument that it tells the type of: `x is Cart`.
    pub(super) fn guarded(&self, s: &Source, call: Node<'_>, text: &str) -> Option<Ty> {
        let Ty::Function(place, _) = self.value(s, call.child_by_field_name("function")?) else {
            return None;
        };
        let given = children(call.child_by_field_name("arguments")?);
        let asked = given.iter().position(|one| s.text_of(*one) == text)?;
        self.with_node(place, None, |s, node| {
            let told = only_child(node.child_by_field_name("return_type")?)?;
            (place_of_argument(s, node, told)? == asked).then(|| self.predicate_type(s, told)).flatten()
        })
    }

    /// Leaves of what a value may be what it can be behind a statement that asserts something.
    pub(super) fn suppose_asserted(
        &self,
        s: &Source,
        call: Node<'_>,
        text: &str,
        known: &mut Known,
        depth: u32,
    ) {
        let given = call.child_by_field_name("arguments").map(children).unwrap_or_default();
        let Some(function) = call.child_by_field_name("function") else { return };
        let Ty::Function(place, _) = self.value(s, function) else {
            let condition = given.first().filter(|_| ASSERTING_TRUE.contains(&s.text_of(function)));
            if let Some(condition) = condition {
                self.suppose(s, *condition, text, true, known, depth);
            }
            return;
        };
        // The argument that is asserted, and the type that it then has.
        let asserted = self.with_node(place, None, |s, node| {
            let written = node.child_by_field_name("return_type").and_then(only_child)?;
            let told = only_child(written).filter(|_| written.kind() == "asserts")?;
            Some((place_of_argument(s, node, told)?, self.predicate_type(s, told)))
        });
        let Some((at, of)) = asserted else { return };
        match (given.get(at), of) {
            (Some(value), Some(of)) if s.text_of(*value) == text => known.ty = of,
            (Some(condition), None) => self.suppose(s, *condition, text, true, known, depth),
            _ => {}
        }
    }

    /// The type that a predicate gives a value. `x is T` gives none that it doesn't have anyway.
    fn predicate_type(&self, s: &Source, told: Node<'_>) -> Option<Ty> {
        let of = told.child_by_field_name("type").filter(|_| told.kind() == "type_predicate")?;
        Some(self.written(s, of)).filter(|of| !matches!(of, Ty::Unknown | Ty::Parameter(_)))
    }

    /// What is left of a list's elements by the function that `filter` or `find` is given.
    pub(super) fn passing(&self, s: &Source, function: Option<&Node<'_>>, element: Ty) -> Ty {
        let Some(function) = function else { return element };
        if let Ty::Function(place, bound) = self.value(s, *function) {
            let told = self.with_node(place, None, |s, node| {
                self.predicate_type(s, only_child(node.child_by_field_name("return_type")?)?)
            });
            if let Some(told) = told {
                return self.filled(&told, &bound);
            }
        }
        // `x => x.kind === 'cart'`: what it's true for, if it's false for nothing of that.
        let is_inline = matches!(element, Ty::Union(_)) && is_function(function.kind());
        let condition = given_back(*function).filter(|_| is_inline);
        let parameter = function.child_by_field_name("parameter").or_else(|| {
            let list = parameters(function.child_by_field_name("parameters")?);
            list.first().map(|one| one.child_by_field_name("pattern").unwrap_or(*one))
        });
        let (Some(condition), Some(parameter)) = (condition, parameter) else { return element };
        let supposed = |truth: bool| {
            let mut known = Known { ty: element.clone(), open: false };
            self.suppose(s, condition, s.text_of(parameter), truth, &mut known, MAX_INNER);
            known
        };
        let (passes, fails) = (supposed(true), supposed(false));
        let is_told = !passes.open
            && !fails.open
            && !passes.ty.parts().iter().any(|part| fails.ty.parts().contains(part));
        if is_told { passes.ty } else { element }
    }
}

/// Which of a function's parameters a text about one of them names: `x is Cart`, or `x` alone.
fn place_of_argument(s: &Source, function: Node<'_>, told: Node<'_>) -> Option<usize> {
    let about = match told.kind() {
        "type_predicate" => told.child_by_field_name("name")?,
        "identifier" => told,
        _ => return None,
    };
    let list = parameters(function.child_by_field_name("parameters")?);
    list.iter().position(|one| {
        one.child_by_field_name("pattern").is_some_and(|pattern| s.text_of(pattern) == s.text_of(about))
    })
}
