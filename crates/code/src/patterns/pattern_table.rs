//! The table of recognised technologies: by category, the import names that identify them. `patterns` counts them.

/// A way of doing something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    /// Its category.
    pub category: &'static str,
    /// Its usual name.
    pub name: &'static str,
    /// The languages it belongs to; ways are compared within a category and a language.
    pub languages: &'static [&'static str],
    /// Prefixes of imports: one of these, alone or followed by `/`, `.`, `::` or `\`.
    pub imports: &'static [&'static str],
}

impl Way {
    /// Its unique key: category, language (the first of those it belongs to) and name.
    pub fn key(&self) -> Key {
        (self.category, self.languages.first().copied().unwrap_or_default(), self.name)
    }
}

/// Category, language and name.
pub type Key = (&'static str, &'static str, &'static str);

/// The categories, in the order in which they are shown.
pub const CATEGORIES: &[&str] = &["testing", "errors", "logging", "async", "http", "state", "di", "data"];

const JS: &[&str] = &["typescript", "tsx", "javascript", "svelte", "vue"];
const JVM: &[&str] = &["java", "kotlin", "scala"];

const fn way(
    category: &'static str,
    name: &'static str,
    languages: &'static [&'static str],
    imports: &'static [&'static str],
) -> Way {
    Way { category, name, languages, imports }
}

/// All ways that are recognised.
pub const WAYS: &[Way] = &[
    way("testing", "Vitest", JS, &["vitest"]),
    way("testing", "Jest", JS, &["@jest/globals", "jest"]),
    way("testing", "Mocha with Chai", JS, &["mocha", "chai"]),
    way("testing", "node:test", JS, &["node:test", "node:assert", "assert"]),
    way("testing", "Playwright", JS, &["@playwright/test", "playwright"]),
    way("testing", "Cypress", JS, &["cypress"]),
    way("testing", "Supertest", JS, &["supertest"]),
    way("testing", "Testing Library", JS, &["@testing-library"]),
    way("testing", "pytest", &["python"], &["pytest"]),
    way("testing", "unittest", &["python"], &["unittest"]),
    way("testing", "Hypothesis", &["python"], &["hypothesis"]),
    way("testing", "testing", &["go"], &["testing"]),
    way("testing", "testify", &["go"], &["github.com/stretchr/testify"]),
    way("testing", "proptest", &["rust"], &["proptest"]),
    way("testing", "insta", &["rust"], &["insta"]),
    way("testing", "JUnit 5", JVM, &["org.junit.jupiter"]),
    way(
        "testing",
        "JUnit 4",
        JVM,
        &["org.junit.Test", "org.junit.Before", "org.junit.Assert", "junit.framework"],
    ),
    way("testing", "Truth", JVM, &["com.google.common.truth"]),
    way("testing", "Mockito", JVM, &["org.mockito"]),
    way("testing", "ScalaTest", JVM, &["org.scalatest"]),
    way("testing", "Minitest", &["ruby"], &["minitest", "test/unit"]),
    way("testing", "RSpec", &["ruby"], &["rspec", "spec_helper"]),
    way("testing", "PHPUnit", &["php"], &["PHPUnit"]),
    way("testing", "XCTest", &["swift"], &["XCTest"]),
    way("testing", "xUnit", &["csharp"], &["Xunit"]),
    way("testing", "NUnit", &["csharp"], &["NUnit"]),
    way("testing", "GoogleTest", &["cpp", "c"], &["gtest", "gmock"]),
    way("testing", "Catch2", &["cpp"], &["catch2", "catch.hpp"]),
    way("errors", "anyhow", &["rust"], &["anyhow"]),
    way("errors", "thiserror", &["rust"], &["thiserror"]),
    way("errors", "eyre", &["rust"], &["eyre", "color_eyre"]),
    way("errors", "errors", &["go"], &["errors"]),
    way("errors", "pkg/errors", &["go"], &["github.com/pkg/errors"]),
    way("errors", "neverthrow", JS, &["neverthrow"]),
    way("errors", "http-errors", JS, &["http-errors"]),
    way("logging", "tracing", &["rust"], &["tracing"]),
    way("logging", "log", &["rust"], &["log"]),
    way("logging", "slog", &["go"], &["log/slog"]),
    way("logging", "log", &["go"], &["log"]),
    way("logging", "zap", &["go"], &["go.uber.org/zap"]),
    way("logging", "logrus", &["go"], &["github.com/sirupsen/logrus"]),
    way("logging", "logging", &["python"], &["logging"]),
    way("logging", "structlog", &["python"], &["structlog"]),
    way("logging", "loguru", &["python"], &["loguru"]),
    way("logging", "Winston", JS, &["winston"]),
    way("logging", "Pino", JS, &["pino"]),
    way("logging", "debug", JS, &["debug"]),
    way("logging", "SLF4J", JVM, &["org.slf4j"]),
    way("logging", "java.util.logging", JVM, &["java.util.logging"]),
    way("logging", "Log4j", JVM, &["org.apache.logging.log4j", "org.apache.log4j"]),
    way("logging", "Monolog", &["php"], &["Monolog"]),
    way("logging", "os.log", &["swift"], &["os", "OSLog"]),
    way("async", "Tokio", &["rust"], &["tokio", "tokio_util", "tokio_stream"]),
    way("async", "async-std", &["rust"], &["async_std"]),
    way("async", "smol", &["rust"], &["smol"]),
    way("async", "asyncio", &["python"], &["asyncio"]),
    way("async", "Trio", &["python"], &["trio"]),
    way("async", "AnyIO", &["python"], &["anyio"]),
    way("async", "threading", &["python"], &["threading", "concurrent.futures"]),
    way("async", "RxJS", JS, &["rxjs"]),
    way("async", "coroutines", JVM, &["kotlinx.coroutines"]),
    way("async", "Reactor", JVM, &["reactor.core"]),
    way("http", "reqwest", &["rust"], &["reqwest"]),
    way("http", "hyper", &["rust"], &["hyper", "hyper_util"]),
    way("http", "ureq", &["rust"], &["ureq"]),
    way("http", "requests", &["python"], &["requests"]),
    way("http", "HTTPX", &["python"], &["httpx"]),
    way("http", "aiohttp", &["python"], &["aiohttp"]),
    way("http", "Axios", JS, &["axios"]),
    way("http", "node:http", JS, &["http", "node:http", "https", "node:https"]),
    way("http", "node-fetch", JS, &["node-fetch", "undici"]),
    way("http", "net/http", &["go"], &["net/http"]),
    way("http", "Resty", &["go"], &["github.com/go-resty/resty"]),
    way("http", "OkHttp", JVM, &["okhttp3"]),
    way("http", "java.net.http", JVM, &["java.net.http"]),
    way("http", "Faraday", &["ruby"], &["faraday"]),
    way("http", "Net::HTTP", &["ruby"], &["net/http"]),
    way("http", "Guzzle", &["php"], &["GuzzleHttp"]),
    way("state", "Redux", JS, &["redux", "react-redux", "@reduxjs/toolkit", "@ngrx"]),
    way("state", "Zustand", JS, &["zustand"]),
    way("state", "MobX", JS, &["mobx"]),
    way("state", "TanStack Query", JS, &["@tanstack/react-query", "@tanstack/vue-query", "react-query"]),
    way("state", "Pinia", JS, &["pinia"]),
    way("state", "Svelte stores", JS, &["svelte/store"]),
    way("di", "NestJS", JS, &["@nestjs/common"]),
    way("di", "Angular", JS, &["@angular/core"]),
    way("di", "InversifyJS", JS, &["inversify"]),
    way("di", "Spring", JVM, &["org.springframework.beans", "org.springframework.stereotype"]),
    way("di", "javax/jakarta inject", JVM, &["javax.inject", "jakarta.inject"]),
    way("di", "Dagger", JVM, &["dagger"]),
    way("di", "Wire", &["go"], &["github.com/google/wire"]),
    way("data", "serde", &["rust"], &["serde", "serde_json"]),
    way("data", "Zod", JS, &["zod"]),
    way("data", "Pydantic", &["python"], &["pydantic"]),
    way("data", "dataclasses", &["python"], &["dataclasses"]),
    way("data", "attrs", &["python"], &["attr", "attrs"]),
    way("data", "Gson", JVM, &["com.google.gson"]),
    way("data", "Jackson", JVM, &["com.fasterxml.jackson"]),
    way("data", "encoding/json", &["go"], &["encoding/json"]),
];

/// The ways that an import of a file in this language says.
pub fn ways_of<'t>(language: &'t str, target: &'t str) -> impl Iterator<Item = &'static Way> + 't {
    WAYS.iter().filter(move |way| {
        way.languages.contains(&language)
            && way.imports.iter().any(|name| {
                target.strip_prefix(name).is_some_and(|rest| {
                    // `http-errors` is another package than `http`.
                    rest.is_empty() || rest.starts_with(['/', '.', ':', '\\'])
                })
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_say_which_way_a_file_goes() {
        let names =
            |language, target| ways_of(language, target).map(|w| w.name).collect::<Vec<_>>().join(" ");
        assert_eq!(names("rust", "tokio::sync::mpsc"), "Tokio");
        assert_eq!(names("rust", "tokio_rustls"), "");
        assert_eq!(names("go", "log/slog"), "slog log");
        assert_eq!(names("typescript", "@testing-library/react"), "Testing Library");
        assert_eq!(names("python", "logging.handlers"), "logging");
        assert_eq!(names("python", "tokio"), "");
        assert_eq!(names("javascript", "http-errors"), "http-errors");
        assert_eq!(names("javascript", "node:http"), "node:http");
    }

    #[test]
    fn every_way_has_a_known_category_and_language() {
        let keys: std::collections::BTreeSet<Key> = WAYS.iter().map(Way::key).collect();
        assert_eq!(keys.len(), WAYS.len());
        for way in WAYS {
            assert!(CATEGORIES.contains(&way.category), "{}", way.category);
            for language in way.languages {
                assert!(crate::language::named(language).is_some(), "{language}");
            }
        }
    }
}
