//! `find -exec` and `fd -x`, with the files that `{}` may be.

use super::{Coverage, Field, Inner, InnerCommands};

pub(super) fn find(argv: &[Field], found: &mut InnerCommands) {
    let name_after = |option: &[&str]| {
        argv.iter().position(|f| option.contains(&f.text.as_str())).and_then(|at| argv.get(at + 1))
    };
    let root = argv.get(1).filter(|f| !f.text.starts_with('-')).map_or(".", |f| f.text.as_str());
    let named = name_after(&["-name", "-iname"]).or_else(|| name_after(&["-path", "-wholename"]));
    let place = match named {
        Some(name) if !name.text.starts_with(['/', '.']) || name.text.matches('/').count() == 0 => {
            format!("{}/{}", root.trim_end_matches('/'), name.text)
        }
        Some(name) => name.text.clone(),
        None => root.to_owned(),
    };
    let mut i = 1;
    while let Some(field) = argv.get(i) {
        let starts = matches!(
            field.text.as_str(),
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "--exec" | "-X" | "--exec-batch"
        );
        found.coverage = match field.text.as_str() {
            _ if starts => Coverage::ExactOnly,
            "-delete" | "-fprint" | "-fprint0" | "-fprintf" | "-fls" => Coverage::ExactOnly,
            _ => found.coverage,
        };
        i += 1;
        if starts {
            let from = i;
            while argv.get(i).is_some_and(|f| f.text != ";" && !(f.text == "+" && i > from)) {
                i += 1;
            }
            let words: Vec<Field> = argv.get(from..i).unwrap_or_default().to_vec();
            if words.is_empty() {
                continue;
            }
            // `{}` is known as far as the search names it.
            let filled: Vec<Field> = words
                .iter()
                .map(|f| {
                    let text = f.text.replace("{}", &place);
                    let glob = f.glob || (text != f.text && text.contains(['*', '?']));
                    Field { glob, ..f.with(text) }
                })
                .collect();
            if filled != words {
                found.inner.push(Inner::Argv(filled));
            }
            found.inner.push(Inner::Argv(words));
        }
    }
}
