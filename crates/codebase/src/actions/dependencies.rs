//! What a project needs according to its manifests: the packages that they name, and the framework among them.

use std::collections::BTreeSet;

use code::resolve::needs_of;
use code::role::Role;

use crate::index::Index;

/// The size of the largest manifest that is read, in bytes.
pub(super) const MAX_MANIFEST: u64 = 1024 * 1024;
/// The most manifests that are read.
const MAX_MANIFESTS: usize = 400;

/// Packages that say what a project is made with, and the framework's name. A framework comes before the one that it's built on.
const FRAMEWORKS: &[(&str, &str)] = &[
    ("tauri", "Tauri"),
    ("electron", "Electron"),
    ("next", "Next.js"),
    ("nuxt", "Nuxt"),
    ("@sveltejs/kit", "SvelteKit"),
    ("@remix-run/react", "Remix"),
    ("gatsby", "Gatsby"),
    ("astro", "Astro"),
    // A server's pages may be made with any of those below.
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
    // Most projects with one of Ktor's packages have only its client.
    ("io.ktor:ktor-server-core", "Ktor"),
    ("io.ktor:ktor-server-core-jvm", "Ktor"),
    ("io.ktor:ktor-server-netty", "Ktor"),
    ("Microsoft.AspNetCore.App", "ASP.NET Core"),
    ("vapor", "Vapor"),
    ("laravel/framework", "Laravel"),
    ("symfony/framework-bundle", "Symfony"),
    ("rails", "Ruby on Rails"),
    ("flutter", "Flutter"),
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
];

/// Frameworks of which a project chooses one, by kind; each with those that are built on it.
const RIVALS: &[&[&[&str]]] = &[
    &[
        &["React", "Next.js", "Remix", "Gatsby", "React Native"],
        &["Vue", "Nuxt"],
        &["Svelte", "SvelteKit"],
        &["Angular"],
        &["Solid"],
        &["Astro"],
    ],
    &[&["NestJS"], &["Fastify"], &["Hono"], &["Koa"], &["Express"]],
    &[&["Leptos"], &["Dioxus"]],
    &[&["Actix Web"], &["Rocket"], &["axum"]],
    &[&["Gin"], &["Echo"], &["Fiber"], &["chi"]],
    &[&["Django"], &["FastAPI"], &["Flask"]],
    &[&["Spring Boot"], &["Quarkus"], &["Micronaut"], &["Ktor"]],
    &[&["Laravel"], &["Symfony"]],
];

/// What a project's manifests say.
pub(super) struct Direct {
    /// The packages that they name, without the project's own.
    pub(super) packages: Vec<String>,
    /// The framework among them.
    pub(super) framework: Option<&'static str>,
}

/// The packages that the project's manifests name, without its own: those of the uppermost manifest first. What its tests, its
/// examples and its documentation need, and what others made, is left out.
pub(super) fn direct(index: &Index<'_>) -> Direct {
    // A name alone says whether it is a manifest.
    let files = index.reader.files().iter().map(|file| (file.path.as_str(), file.role));
    let mut paths = of_product(files.filter(|(path, _)| needs_of(path, "{}").is_some() && index.shows(path)));
    paths.sort_by_key(|path| (path.matches('/').count(), *path));
    paths.truncate(MAX_MANIFESTS);
    let (mut own, mut seen, mut all) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    let mut manifests = Vec::new();
    for path in paths {
        // A manifest that can't be read is left out.
        let Ok(text) = home::read_regular_text(&index.place.file(path), MAX_MANIFEST) else { continue };
        let Some(needs) = needs_of(path, &text) else { continue };
        let is_chosen = |name: &&String| !is_extension(needs.own.as_deref(), name);
        manifests.push(needs.packages.iter().filter(is_chosen).cloned().collect::<Vec<String>>());
        own.extend(needs.own);
        all.extend(needs.packages.into_iter().filter(|name| seen.insert(name.clone())));
    }
    all.retain(|name| !own.contains(name));
    manifests.iter_mut().for_each(|packages| packages.retain(|name| !own.contains(name)));
    Direct { framework: framework(&manifests), packages: all }
}

/// The manifests of the product. A site that documents it is often made with something else; where there is nothing but a site, the
/// site is the product.
fn of_product<'p>(manifests: impl Iterator<Item = (&'p str, Role)>) -> Vec<&'p str> {
    let aside = [Role::TEST, Role::EXAMPLE, Role::VENDORED];
    let own = manifests.filter(|(_, role)| !aside.iter().any(|one| role.is(*one)));
    let (docs, product): (Vec<_>, Vec<_>) = own.partition(|(_, role)| role.is(Role::DOCS));
    let chosen = if product.is_empty() { docs } else { product };
    chosen.into_iter().map(|(path, _)| path).collect()
}

/// Whether a package of the project extends the one that it needs and isn't made with it: `@shop/nuxt` is for those who use Nuxt.
fn is_extension(own: Option<&str>, package: &str) -> bool {
    let scoped = own.and_then(|own| own.strip_prefix('@')?.split_once('/'));
    scoped.is_some_and(|(_, name)| name == package)
}

/// The framework that a project is made with, by the packages that each of its manifests names. Of rivals, only one that more than half
/// of the manifests that name any agree on: a project with a package for each is made with none of them.
fn framework(manifests: &[Vec<String>]) -> Option<&'static str> {
    let named: Vec<BTreeSet<&'static str>> = manifests.iter().map(|packages| frameworks(packages)).collect();
    let mut all = FRAMEWORKS.iter().map(|(_, called)| *called);
    all.find(|called| named.iter().any(|one| one.contains(called)) && !is_outvoted(called, &named))
}

/// The frameworks among these packages.
fn frameworks(packages: &[String]) -> BTreeSet<&'static str> {
    let is = |package: &str, name: &str| {
        let rest = package.get(name.len()..);
        package.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
            && rest.is_some_and(|rest| rest.is_empty() || name.contains('.') && rest.starts_with(['/', ':']))
    };
    let found = FRAMEWORKS.iter().filter(|(name, _)| packages.iter().any(|package| is(package, name)));
    found.map(|(_, called)| *called).collect()
}

/// Whether half or more of the manifests that name a framework of its kind only name others.
fn is_outvoted(called: &str, manifests: &[BTreeSet<&'static str>]) -> bool {
    let own =
        RIVALS.iter().find_map(|kind| Some((kind, kind.iter().find(|family| family.contains(&called))?)));
    let Some((kind, own)) = own else { return false };
    let names = |named: &BTreeSet<&str>, family: &[&str]| family.iter().any(|one| named.contains(one));
    let all = manifests.iter().filter(|named| kind.iter().any(|family| names(named, family))).count();
    let agree = manifests.iter().filter(|named| names(named, own)).count();
    2 * agree <= all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_named_after_a_framework_extends_it() {
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
    fn manifests_of_documentation_do_not_describe_the_product() {
        for (paths, expected) in [
            (&["go.mod", "website/package.json"][..], "go.mod"),
            (&["docs/requirements.txt", "src/requirements.txt"], "src/requirements.txt"),
            (&["website/package.json", "test/package.json"], "website/package.json"),
            (&["vendor/a/package.json"], ""),
        ] {
            let manifests = paths.iter().map(|path| (*path, code::role::of(path, None, "")));
            assert_eq!(of_product(manifests).join(" "), expected);
        }
    }

    #[test]
    fn a_framework_is_recognised_by_its_package() {
        for (packages, expected) in [
            (&["react", "next"][..], Some("Next.js")),
            (&["Django"], Some("Django")),
            (&["github.com/labstack/echo/v4"], Some("Echo")),
            (&["github.com/labstack/echo-contrib"], None),
            (&["org.springframework.boot:spring-boot-starter-web"], Some("Spring Boot")),
            (&["io.ktor:ktor-client-core"], None),
            (&["io.ktor:ktor-server-core"], Some("Ktor")),
            (&["http", "flutter"], Some("Flutter")),
            (&["react-dom", "expressive"], None),
        ] {
            let packages: Vec<String> = packages.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(framework(std::slice::from_ref(&packages)), expected, "{packages:?}");
        }
    }

    #[test]
    fn a_project_with_packages_for_many_frameworks_uses_none() {
        for (manifests, expected) in [
            ("react | vue | @angular/core | svelte react", None),
            ("@angular/core | react", None),
            ("next react | react", Some("Next.js")),
            ("react | react | astro", Some("React")),
            ("nuxt | vue | react", Some("Nuxt")),
            ("@angular/core react | lodash | lodash", Some("Angular")),
            ("@angular/core react | react", Some("React")),
            ("@nestjs/core | express | koa", None),
            // A server's framework isn't chosen in place of the page's.
            ("@nestjs/core | react", Some("NestJS")),
            ("tauri | vue | react", Some("Tauri")),
            ("laravel/framework | vue axios", Some("Laravel")),
            ("vue | org.springframework.boot:spring-boot-starter-web", Some("Spring Boot")),
            ("rails | next react", Some("Next.js")),
            ("", None),
        ] {
            let named = |packages: &str| packages.split_whitespace().map(str::to_owned).collect();
            let split: Vec<Vec<String>> = manifests.split('|').map(named).collect();
            assert_eq!(framework(&split), expected, "{manifests}");
        }
    }

    #[test]
    fn competing_frameworks_have_one_kind_each() {
        let mut seen = BTreeSet::new();
        for called in RIVALS.iter().copied().flatten().copied().flatten() {
            assert!(FRAMEWORKS.iter().any(|(_, name)| name == called), "{called}");
            assert!(seen.insert(*called), "{called}");
        }
    }
}
