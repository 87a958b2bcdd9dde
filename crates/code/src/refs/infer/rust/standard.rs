//! The table of common standard-library types: their type parameters and what their methods return. Doesn't know which
//! types a project defines.

use super::super::Ty;

/// A type without anything of the project.
pub(super) fn basic() -> Ty {
    Ty::Foreign("value".to_owned())
}

/// A foreign type with its type arguments: lists and maps as such, because their content matters.
pub(super) fn generic(name: &str, mut of: Vec<Ty>) -> Ty {
    let count = of.len();
    match (name, count) {
        (
            "Vec"
            | "VecDeque"
            | "HashSet"
            | "BTreeSet"
            | "IndexSet"
            | "BinaryHeap"
            | "LinkedList"
            | "SmallVec"
            | "ArrayVec"
            | "Iterator"
            | "IntoIterator"
            | "DoubleEndedIterator"
            | "ExactSizeIterator"
            | "Peekable"
            | "IntoIter",
            1..,
        ) => Ty::List(Box::new(of.remove(0))),
        ("HashMap" | "BTreeMap" | "IndexMap", 2..) => {
            let value = of.swap_remove(1);
            Ty::Map(Box::new(of.remove(0)), Box::new(value))
        }
        ("Pin", 1) | ("Cow" | "Saturating" | "Wrapping" | "PhantomData", 1) => of.remove(0),
        (_, 0) if !is_pointer(name) && name != "Vec" && name != "HashMap" => Ty::Foreign(name.to_owned()),
        ("Vec" | "VecDeque", 0) => Ty::List(Box::new(Ty::Unknown)),
        _ => Ty::Holder(name.to_owned(), of),
    }
}

/// The name of a foreign type.
pub(super) fn name_of(ty: &Ty) -> &str {
    match ty {
        Ty::Foreign(name) | Ty::Holder(name, _) => name,
        Ty::ProjectType(own) => &own.name,
        Ty::List(_) => "Vec",
        Ty::Map(..) => "HashMap",
        _ => "",
    }
}

/// Types that dereference to their content.
pub(super) fn is_pointer(name: &str) -> bool {
    matches!(
        name,
        "Box"
            | "Rc"
            | "Arc"
            | "Ref"
            | "RefMut"
            | "MutexGuard"
            | "RwLockReadGuard"
            | "RwLockWriteGuard"
            | "ManuallyDrop"
            | "Guard"
            | "Lazy"
            | "LazyLock"
    )
}

/// The type of `*value`.
pub(super) fn deref(ty: &Ty) -> Ty {
    match ty {
        Ty::Holder(name, of) if is_pointer(name) => of.first().cloned().unwrap_or(Ty::Unknown),
        other => other.clone(),
    }
}

/// The type behind all pointers.
pub(super) fn deref_all(ty: &Ty) -> Ty {
    let mut at = ty.clone();
    for _ in 0..4 {
        let next = deref(&at);
        if next == at {
            break;
        }
        at = next;
    }
    at
}

/// The type of `value?`.
pub(super) fn question_mark_type(ty: &Ty) -> Ty {
    match ty {
        Ty::Holder(name, of) if matches!(name.as_str(), "Option" | "Result" | "Poll") => {
            of.first().cloned().unwrap_or(Ty::Unknown)
        }
        Ty::Holder(name, of) if name == "Future" => of.first().map_or(Ty::Unknown, question_mark_type),
        _ => Ty::Unknown,
    }
}

/// The element type of an iteration.
pub(super) fn element(ty: &Ty) -> Ty {
    match deref_all(ty) {
        Ty::List(of) => *of,
        Ty::Map(key, value) => Ty::Tuple(vec![*key, *value]),
        Ty::Holder(name, mut of) if name == "Option" && !of.is_empty() => of.remove(0),
        _ => Ty::Unknown,
    }
}

/// The type of `Type::name(…)` for a foreign type, or for one of the project that derives `Default`.
pub(super) fn constructed_type(of: &Ty, name: &str) -> Ty {
    let makes = name == "new" || name == "default" || name.starts_with("with_") || name.starts_with("from");
    match of {
        _ if !makes => Ty::Unknown,
        Ty::ProjectType(_) if name != "default" => Ty::Unknown,
        other => other.clone(),
    }
}

/// The result type of a foreign type's method; `argument` tells the type of its first argument, of a closure that of
/// what it gives.
pub(super) fn method(of: &Ty, name: &str, argument: impl FnOnce() -> Ty) -> Ty {
    let option = |of: Ty| Ty::Holder("Option".to_owned(), vec![of]);
    let list = |of: Ty| Ty::List(Box::new(of));
    let given = |argument: Ty| match argument {
        Ty::Function(of) => *of,
        _ => Ty::Unknown,
    };
    if matches!(
        name,
        "clone"
            | "to_owned"
            | "by_ref"
            | "as_ref"
            | "as_mut"
            | "borrow"
            | "borrow_mut"
            | "into_inner"
            | "unwrap_or_clone"
    ) && !matches!(of, Ty::Holder(holder, _) if matches!(holder.as_str(), "RefCell" | "Mutex" | "RwLock" | "Cell"))
    {
        return of.clone();
    }
    match of {
        Ty::Holder(holder, all) => {
            let first = || all.first().cloned().unwrap_or(Ty::Unknown);
            match (holder.as_str(), name) {
                (
                    "Option" | "Result",
                    "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else"
                    | "unwrap_unchecked" | "get_or_insert_with" | "insert" | "get_or_insert",
                ) => first(),
                ("Result", "ok") => option(first()),
                ("Result", "err" | "unwrap_err" | "expect_err") => match (name, all.get(1).cloned()) {
                    ("err", Some(of)) => option(of),
                    (_, Some(of)) => of,
                    _ => Ty::Unknown,
                },
                ("Option", "ok_or" | "ok_or_else") => Ty::Holder("Result".to_owned(), vec![first()]),
                ("Option" | "Result", "as_deref" | "as_deref_mut") => {
                    Ty::Holder(holder.clone(), vec![deref(&first())])
                }
                (
                    "Option" | "Result",
                    "take" | "replace" | "cloned" | "copied" | "filter" | "or" | "or_else" | "inspect"
                    | "map_err",
                ) => Ty::Holder(holder.clone(), vec![first()]),
                ("Option" | "Result", "map") => Ty::Holder(holder.clone(), vec![given(argument())]),
                ("Option" | "Result", "and_then") => given(argument()),
                ("Option", "iter" | "iter_mut" | "into_iter") => list(first()),
                ("Mutex" | "RwLock", "lock" | "read" | "write" | "try_lock") => {
                    Ty::Holder("Result".to_owned(), vec![first()])
                }
                ("RefCell", "borrow" | "borrow_mut") | ("Cell", "get" | "take" | "replace") => first(),
                (
                    "Mutex" | "RwLock" | "RefCell" | "Cell" | "OnceCell" | "OnceLock",
                    "get_mut" | "into_inner",
                ) => {
                    if holder.starts_with("Once") {
                        option(first())
                    } else {
                        first()
                    }
                }
                ("OnceCell" | "OnceLock", "get") => option(first()),
                ("OnceCell" | "OnceLock", "get_or_init") => first(),
                ("Entry", "or_insert" | "or_insert_with" | "or_default") => first(),
                (pointer, _) if is_pointer(pointer) => method(&first(), name, argument),
                _ => Ty::Unknown,
            }
        }
        Ty::List(inner) => match name {
            "iter" | "iter_mut" | "into_iter" | "drain" | "rev" | "skip" | "take" | "filter"
            | "skip_while" | "take_while" | "chain" | "peekable" | "step_by" | "cloned" | "copied"
            | "inspect" | "as_slice" | "as_mut_slice" | "to_vec" | "fuse" | "cycle" | "into_boxed_slice"
            | "split_off" | "values" => of.clone(),
            "first" | "last" | "get" | "get_mut" | "pop" | "next" | "next_back" | "nth" | "peek" | "min"
            | "max" | "min_by_key" | "max_by_key" | "min_by" | "max_by" | "find" | "pop_front"
            | "pop_back" | "front" | "back" | "first_mut" | "last_mut" | "reduce" | "front_mut"
            | "back_mut" | "next_if" | "peek_mut" => option((**inner).clone()),
            "remove" | "swap_remove" => (**inner).clone(),
            "enumerate" => list(Ty::Tuple(vec![basic(), (**inner).clone()])),
            "zip" => list(Ty::Tuple(vec![(**inner).clone(), element(&argument())])),
            "map" => list(given(argument())),
            "filter_map" | "flat_map" | "find_map" => {
                let of = element(&given(argument()));
                if name == "find_map" { option(of) } else { list(of) }
            }
            "flatten" => list(element(inner)),
            "chunks" | "windows" | "chunks_exact" => list(of.clone()),
            "len" | "is_empty" | "contains" | "any" | "all" | "count" | "position" => basic(),
            _ => Ty::Unknown,
        },
        Ty::Map(key, value) => match name {
            "get" | "get_mut" | "remove" | "insert" => option((**value).clone()),
            "values" | "values_mut" | "into_values" => list((**value).clone()),
            "keys" | "into_keys" => list((**key).clone()),
            "iter" | "iter_mut" | "into_iter" | "drain" => {
                list(Ty::Tuple(vec![(**key).clone(), (**value).clone()]))
            }
            "entry" => Ty::Holder("Entry".to_owned(), vec![(**value).clone()]),
            "len" | "is_empty" | "contains_key" => basic(),
            _ => Ty::Unknown,
        },
        Ty::Foreign(_) => match name {
            "len" | "is_empty" | "to_string" | "as_str" | "as_bytes" | "trim" | "starts_with"
            | "to_lowercase" => basic(),
            _ => Ty::Unknown,
        },
        _ => Ty::Unknown,
    }
}

/// The type of a closure's argument that a method passes.
pub(super) fn closure_argument_type(of: &Ty, method: &str, place: usize) -> Ty {
    match (deref_all(of), method, place) {
        (Ty::List(of), "fold" | "try_fold", 1) => *of,
        (Ty::List(_), "fold" | "try_fold", _) => Ty::Unknown,
        (Ty::List(of), "sort_by" | "max_by" | "min_by" | "reduce" | "dedup_by", _) => *of,
        (Ty::List(of), _, 0) => *of,
        (Ty::Map(key, value), _, place) => match (method, place) {
            ("retain", 0) => *key,
            ("retain", 1) => *value,
            _ => Ty::Unknown,
        },
        (Ty::Holder(name, all), method, 0) if matches!(name.as_str(), "Option" | "Result") => {
            let error = matches!(method, "map_err" | "or_else" | "unwrap_or_else" | "inspect_err");
            all.get(usize::from(error)).cloned().unwrap_or(Ty::Unknown)
        }
        _ => Ty::Unknown,
    }
}
