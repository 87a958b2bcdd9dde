//! What a project needs, by its manifests: the packages that they name and the framework among them.

use std::collections::BTreeSet;

use code::resolve::needs_of;
use code::role::Role;

use crate::index::Index;

/// A longer manifest isn't read.
pub(super) const MAX_MANIFEST: u64 = 1024 * 1024;
/// No more manifests are read.
const MAX_MANIFESTS: usize = 400;

/// Packages that say what a project is made with, and what that is called: what is built upon another comes before it.
const FRAMEWORKS: &[(&str, &str)] = &[
    ("tauri", "Tauri"),
    ("electron", "Electron"),
    ("next", "Next.js"),
    ("nuxt", "Nuxt"),
    ("@sveltejs/kit", "SvelteKit"),
    ("@remix-run/react", "Remix"),
    ("gatsby", "Gatsby"),
    ("astro", "Astro"),
    ("@angular/core", "Angular"),
    ("@nestjs/core", "NestJS"),
    ("react-native", "React Native"),
    ("solid-js", "Solid"),
    ("svelte", "Svelte"),
    ("vue", "Vue"),
    ("react", "React"),
    ("fastify", "Fastify"),
    ("hono", "Hono"),
    ("koa", "Koa"),
    ("express", "Express"),
    ("leptos", "Leptos"),
    ("dioxus", "Dioxus"),
    ("bevy", "Bevy"),
    ("actix-web", "Actix Web"),
    ("rocket", "Rocket"),
    ("axum", "axum"),
    ("github.com/gin-gonic/gin", "Gin"),
    ("github.com/labstack/echo", "Echo"),
    ("github.com/gofiber/fiber", "Fiber"),
    ("github.com/go-chi/chi", "chi"),
    ("django", "Django"),
    ("fastapi", "FastAPI"),
    ("flask", "Flask"),
    ("org.springframework.boot", "Spring Boot"),
    ("io.quarkus", "Quarkus"),
    ("io.micronaut", "Micronaut"),
    // Most projects with a package of Ktor's only have its client.
    ("io.ktor:ktor-server-core", "Ktor"),
    ("io.ktor:ktor-server-core-jvm", "Ktor"),
    ("io.ktor:ktor-server-netty", "Ktor"),
    ("Microsoft.AspNetCore.App", "ASP.NET Core"),
    ("vapor", "Vapor"),
    ("laravel/framework", "Laravel"),
    ("symfony/framework-bundle", "Symfony"),
    ("rails", "Ruby on Rails"),
];

/// What a project's manifests say.
pub(super) struct Direct {
    /// The packages that they name, without the project's own.
    pub(super) packages: Vec<String>,
    /// The framework among them.
    pub(super) framework: Option<&'static str>,
}

/// The packages that the project's manifests name, without its own: those of the uppermost manifest first. What its tests and
/// examples need, and what others made, is left out.
pub(super) fn direct(index: &Index<'_>) -> Direct {
    let aside = [Role::TEST, Role::EXAMPLE, Role::VENDORED];
    let files = index.reader.files().iter().filter(|file| !aside.iter().any(|role| file.role.is(*role)));
    // A name alone says whether it is a manifest.
    let mut paths: Vec<&str> = files
        .map(|file| file.path.as_str())
        .filter(|path| needs_of(path, "{}").is_some() && index.shows(path))
        .collect();
    paths.sort_by_key(|path| (path.matches('/').count(), *path));
    paths.truncate(MAX_MANIFESTS);
    let (mut own, mut seen, mut all) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    let mut chosen = BTreeSet::new();
    for path in paths {
        // A manifest that can't be read is left out.
        let Ok(text) = home::read_regular_text(&index.place.file(path), MAX_MANIFEST) else { continue };
        let Some(needs) = needs_of(path, &text) else { continue };
        let is_chosen = |name: &&String| !is_extension(needs.own.as_deref(), name);
        chosen.extend(needs.packages.iter().filter(is_chosen).cloned());
        own.extend(needs.own);
        all.extend(needs.packages.into_iter().filter(|name| seen.insert(name.clone())));
    }
    all.retain(|name| !own.contains(name));
    let made_with: Vec<String> = all.iter().filter(|name| chosen.contains(*name)).cloned().collect();
    Direct { framework: framework(&made_with), packages: all }
}

/// Whether a package of the project extends the one that it needs and isn't made with it: `@shop/nuxt` is for those who use Nuxt.
fn is_extension(own: Option<&str>, package: &str) -> bool {
    let scoped = own.and_then(|own| own.strip_prefix('@')?.split_once('/'));
    scoped.is_some_and(|(_, name)| name == package)
}

/// The framework among these packages.
fn framework(packages: &[String]) -> Option<&'static str> {
    let is = |package: &str, name: &str| {
        let rest = package.get(name.len()..);
        package.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
            && rest.is_some_and(|rest| rest.is_empty() || name.contains('.') && rest.starts_with(['/', ':']))
    };
    let found = FRAMEWORKS.iter().find(|(name, _)| packages.iter().any(|package| is(package, name)));
    found.map(|(_, called)| *called)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_is_called_like_a_framework_extends_it() {
        for (own, package, expected) in [
            (Some("@shop/nuxt"), "nuxt", true),
            (Some("@shop/nuxt"), "vue", false),
            (Some("@shop/web"), "nuxt", false),
            (Some("nuxt-shop"), "nuxt", false),
            (None, "nuxt", false),
        ] {
            assert_eq!(is_extension(own, package), expected, "{own:?} {package}");
        }
    }

    #[test]
    fn a_framework_is_told_by_its_package() {
        for (packages, expected) in [
            (&["react", "next"][..], Some("Next.js")),
            (&["Django"], Some("Django")),
            (&["github.com/labstack/echo/v4"], Some("Echo")),
            (&["github.com/labstack/echo-contrib"], None),
            (&["org.springframework.boot:spring-boot-starter-web"], Some("Spring Boot")),
            (&["io.ktor:ktor-client-core"], None),
            (&["io.ktor:ktor-server-core"], Some("Ktor")),
            (&["react-dom", "expressive"], None),
        ] {
            let packages: Vec<String> = packages.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(framework(&packages), expected, "{packages:?}");
        }
    }
}
