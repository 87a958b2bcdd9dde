//! The types of TypeScript and JavaScript, as far as they're followed. What takes long to read is only named by its place and read when
//! it's asked for.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;

/// A value that may be of more types is of an unknown one: they're compared with each other, and each is asked for its members.
pub(super) const MAX_UNION: usize = 400;
/// A value that is of more types at once is of an unknown one.
const MAX_INTERSECTION: usize = 60;
/// A type doesn't bind more parameters.
const MAX_BOUND: usize = 40;

/// A node, by which it's found again in its file's tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) file: usize,
    start: usize,
    end: usize,
    kind: u16,
}

impl Place {
    pub(super) fn of(s: &Source, node: Node<'_>) -> Place {
        Place { file: s.file, start: node.start_byte(), end: node.end_byte(), kind: node.kind_id() }
    }

    /// A part of a file's text that isn't a node.
    pub(super) fn in_text(s: &Source, start: usize, end: usize) -> Place {
        Place { file: s.file, start, end, kind: u16::MAX }
    }

    pub(super) fn start(&self) -> usize {
        self.start
    }

    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// The node, in the tree of its file.
    pub(super) fn node<'s>(&self, s: &'s Source) -> Option<Node<'s>> {
        let mut at = s.tree.root_node().descendant_for_byte_range(self.start, self.end)?;
        while at.kind_id() != self.kind || at.byte_range() != (self.start..self.end) {
            at = at.parent().filter(|around| around.byte_range() == (self.start..self.end))?;
        }
        Some(at)
    }
}

/// A parameter of a type or a function, by the file and the byte where it's declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Parameter {
    Declared(usize, usize),
    /// `this` as a type.
    This,
}

/// What parameters are bound to.
pub(super) type Bound = Rc<[(Parameter, Ty)]>;

/// What is known about a type. `Eq` lets shared parts be compared by where they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ty {
    /// Nothing is known.
    Unknown,
    /// `null`, `undefined`, `never`: adds nothing to what else a value may be.
    Nothing,
    /// From outside of the project, so that it has none of its members.
    Foreign,
    /// A value of the class or interface that these nodes declare, with the type's arguments.
    Instance(Rc<[Place]>, Rc<[Ty]>),
    /// A class, an enumeration or a namespace itself.
    Class(Place),
    /// All that a file exports.
    Module(usize),
    /// An object, by its literal or by the type that lists its members.
    Shape(Place, Bound),
    /// A function, by what declares it.
    Function(Place, Bound),
    /// A function that is given arguments of these types.
    Callback(Rc<[Ty]>),
    /// A list, or what else gives one after the other.
    Array(Rc<Ty>),
    /// One of each of these.
    Tuple(Rc<[Ty]>),
    /// A promise of this.
    Promise(Rc<Ty>),
    /// A map from this to that.
    Map(Rc<Ty>, Rc<Ty>),
    /// An object whose members, whatever they're called, are this.
    Record(Rc<Ty>),
    /// One of these.
    Union(Rc<[Ty]>),
    /// All of these at once.
    Intersection(Rc<[Ty]>),
    /// The members of another type that are called so, or else all but those.
    Part(Rc<Ty>, Rc<[String]>, bool),
    /// A parameter that isn't bound yet.
    Parameter(Parameter),
    /// The member of this name of a type whose parameters aren't bound yet.
    Member(Rc<Ty>, Rc<str>),
    /// The member of a type that a parameter names which isn't bound yet: `Events[K]`.
    Keyed(Rc<Ty>, Rc<Ty>),
    /// A conditional type that asks about what isn't bound yet, with what is.
    Conditional(Place, Bound),
    /// Those of several types that fit the second one, or else the others, while that isn't known: `Extract` and `Exclude`.
    Selected(Rc<Ty>, Rc<Ty>, bool),
    /// The text that such a parameter is bound to.
    Text(Rc<str>),
}

impl Ty {
    /// One of these. What isn't known says nothing beside what is.
    pub(super) fn one_of(parts: impl IntoIterator<Item = Ty>) -> Ty {
        let mut known: Vec<Ty> = Vec::new();
        let mut unknown = false;
        for part in parts {
            let inner = match part {
                Ty::Union(inner) => inner.to_vec(),
                other => vec![other],
            };
            for one in inner {
                match one {
                    Ty::Unknown => unknown = true,
                    Ty::Nothing => {}
                    one if known.len() > MAX_UNION || known.contains(&one) => {}
                    one => known.push(one),
                }
            }
        }
        match known.len() {
            0 if unknown => Ty::Unknown,
            0 => Ty::Nothing,
            1 => known.remove(0),
            count if count > MAX_UNION => Ty::Unknown,
            _ => Ty::Union(known.into()),
        }
    }

    /// All of these at once, each of them once: aliases that name each other in a ring would make one of millions. With one of several
    /// among them, it's one of several: of `(A | B) & C`, `A & C` or `B & C`.
    pub(super) fn all_of(parts: impl IntoIterator<Item = Ty>) -> Ty {
        let mut known: Vec<Ty> = Vec::new();
        for part in parts {
            let inner = match part {
                Ty::Intersection(inner) => inner.to_vec(),
                other => vec![other],
            };
            for one in inner {
                if one == Ty::Nothing || known.contains(&one) {
                    continue;
                }
                if known.len() == MAX_INTERSECTION {
                    return Ty::Unknown;
                }
                known.push(one);
            }
        }
        let count = known.iter().fold(1_usize, |count, one| count.saturating_mul(one.parts().len()));
        if known.len() > 1 && (2..=MAX_UNION).contains(&count) {
            let mut sides: Vec<Vec<Ty>> = vec![Vec::new()];
            for one in &known {
                let mut with_one = Vec::new();
                for side in &sides {
                    for part in one.parts() {
                        let mut with_part = side.clone();
                        with_part.push(part.clone());
                        with_one.push(with_part);
                    }
                }
                sides = with_one;
            }
            return Ty::one_of(sides.into_iter().map(Ty::all_of));
        }
        match known.len() {
            0 => Ty::Nothing,
            1 => known.remove(0),
            _ => Ty::Intersection(known.into()),
        }
    }

    /// Each of the types that a value may be.
    pub(super) fn parts(&self) -> &[Ty] {
        match self {
            Ty::Union(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// Whether two types have the same declarations, whatever these are bound to.
    pub(super) fn is_alike(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Instance(own, _), Ty::Instance(places, _)) => own == places,
            (Ty::Shape(own, _), Ty::Shape(place, _)) | (Ty::Function(own, _), Ty::Function(place, _)) => {
                own == place
            }
            (Ty::Array(own), Ty::Array(of)) | (Ty::Promise(own), Ty::Promise(of)) => own.is_alike(of),
            _ => self == other,
        }
    }

    pub(super) fn array(of: Ty) -> Ty {
        Ty::Array(Rc::new(of))
    }

    pub(super) fn promise(of: Ty) -> Ty {
        match of {
            Ty::Promise(_) => of,
            of => Ty::Promise(Rc::new(of)),
        }
    }

    /// What a promise gives; anything else is itself.
    pub(super) fn awaited(&self) -> Ty {
        Ty::one_of(self.parts().iter().map(|part| match part {
            Ty::Promise(of) => (**of).clone(),
            other => other.clone(),
        }))
    }

    /// What a list gives one after the other.
    pub(super) fn element(&self) -> Ty {
        Ty::one_of(self.parts().iter().map(|part| match part {
            Ty::Array(of) | Ty::Record(of) => (**of).clone(),
            Ty::Tuple(parts) => Ty::one_of(parts.iter().cloned()),
            Ty::Map(key, value) => Ty::Tuple([(**key).clone(), (**value).clone()].into()),
            _ => Ty::Unknown,
        }))
    }
}

/// What is bound to `inner` and then to `outer`: an inner binding is kept.
pub(super) fn joined(inner: Vec<(Parameter, Ty)>, outer: &[(Parameter, Ty)]) -> Bound {
    let mut out = inner;
    for (parameter, ty) in outer {
        if out.len() < MAX_BOUND && !out.iter().any(|(known, _)| known == parameter) {
            out.push((*parameter, ty.clone()));
        }
    }
    out.into()
}
