//! Which files are written with a framework: those that import a module of its name.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::store::Store;

/// The files that import a module of a framework: `@angular/core` for Angular, `org.springframework.web` for Spring Boot.
///
/// # Errors
/// When the database cannot be read.
pub fn files_written_with(store: &Store, framework: &str) -> Result<BTreeSet<String>> {
    let names = module_names(framework);
    store.read(|db| {
        let mut statement =
            db.prepare_cached("SELECT f.path, i.target FROM imports i JOIN files f ON f.id = i.file")?;
        let mut rows = statement.query([])?;
        let mut out = BTreeSet::new();
        while let Some(row) = rows.next()? {
            if is_of(row.get_ref(1)?.as_str().unwrap_or_default(), &names) {
                out.insert(row.get(0)?);
            }
        }
        Ok(out)
    })
}

/// How a framework's modules may be called: `Spring Boot` is in `springframework`.
fn module_names(framework: &str) -> Vec<String> {
    let whole = folded(framework);
    let first = folded(framework.split_whitespace().next().unwrap_or_default());
    // `Next.js` is `next`, and `Nest` is `nestjs`.
    let short = whole.strip_suffix("js").map_or_else(|| format!("{whole}js"), str::to_owned);
    let mut names = vec![whole, short, format!("{first}framework")];
    names.retain(|name| !name.is_empty() && name != "framework" && name != "js");
    names
}

/// Whether a part of what an import names, or what comes before a hyphen in it, is one of the names. A path to a file isn't.
fn is_of(target: &str, names: &[String]) -> bool {
    if target.starts_with(['.', '/']) {
        return false;
    }
    target.split(['/', '.', ':', '\\', '@']).any(|part| {
        let before = part.split(['-', '_']).next().unwrap_or(part);
        names.iter().any(|name| *name == folded(part) || *name == folded(before))
    })
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_a_framework_are_told_from_words_like_its_name() {
        for (framework, target, expected) in [
            ("express", "express", true),
            ("Express", "express-session", true),
            ("react", "react-dom/client", true),
            ("React Native", "react-native", true),
            ("react", "org.springframework.web.reactive", false),
            ("angular", "@angular/core", true),
            ("Next.js", "next/router", true),
            ("Nest", "@nestjs/core", true),
            ("django", "django.db.models", true),
            ("Spring Boot", "org.springframework.boot.SpringApplication", true),
            ("spring", "org.springframework.web.bind.annotation", true),
            ("ASP.NET Core", "Microsoft.AspNetCore.Mvc", true),
            ("vue", "./vue", false),
            ("axum", "axum::Router", true),
            ("", "express", false),
        ] {
            assert_eq!(is_of(target, &module_names(framework)), expected, "{framework}: {target}");
        }
    }
}
