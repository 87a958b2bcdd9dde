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
    /// Whether it replaces others in its category. What is used together with them isn't their rival.
    pub is_rival: bool,
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
    Way { category, name, languages, imports, is_rival: true }
}

/// A way that is used together with others of its category: a facade, a helper, a second format.
const fn beside(
    category: &'static str,
    name: &'static str,
    languages: &'static [&'static str],
    imports: &'static [&'static str],
) -> Way {
    Way { is_rival: false, ..way(category, name, languages, imports) }
}

/// All ways that are recognised.
pub const WAYS: &[Way] = &[
    way("testing", "Vitest", JS, &["vitest"]),
    way("testing", "Jest", JS, &["@jest/globals", "jest"]),
    way("testing", "Mocha with Chai", JS, &["mocha", "chai"]),
    way("testing", "node:test", JS, &["node:test", "node:assert", "assert"]),
    way("testing", "Playwright", JS, &["@playwright/test", "playwright"]),
    way("testing", "Cypress", JS, &["cypress"]),
    beside("testing", "Supertest", JS, &["supertest"]),
    beside("testing", "Testing Library", JS, &["@testing-library"]),
    way("testing", "pytest", &["python"], &["pytest"]),
    way("testing", "unittest", &["python"], &["unittest"]),
    beside("testing", "Hypothesis", &["python"], &["hypothesis"]),
    way("testing", "testing", &["go"], &["testing"]),
    way("testing", "testify", &["go"], &["github.com/stretchr/testify"]),
    beside("testing", "proptest", &["rust"], &["proptest"]),
    beside("testing", "insta", &["rust"], &["insta"]),
    way("testing", "JUnit 5", JVM, &["org.junit.jupiter"]),
    way(
        "testing",
        "JUnit 4",
        JVM,
        &["org.junit.Test", "org.junit.Before", "org.junit.Assert", "junit.framework"],
    ),
    way("testing", "Truth", JVM, &["com.google.common.truth"]),
    beside("testing", "Mockito", JVM, &["org.mockito"]),
    way("testing", "ScalaTest", JVM, &["org.scalatest"]),
    way("testing", "Minitest", &["ruby"], &["minitest", "test/unit"]),
    way("testing", "RSpec", &["ruby"], &["rspec", "spec_helper"]),
    way("testing", "PHPUnit", &["php"], &["PHPUnit"]),
    way("testing", "XCTest", &["swift"], &["XCTest"]),
    way("testing", "xUnit", &["csharp"], &["Xunit"]),
    way("testing", "NUnit", &["csharp"], &["NUnit"]),
    way("testing", "GoogleTest", &["cpp", "c"], &["gtest", "gmock"]),
    way("testing", "Catch2", &["cpp"], &["catch2", "catch.hpp"]),
    way("testing", "AVA", JS, &["ava"]),
    way("testing", "tap", JS, &["tap", "tape"]),
    way("testing", "Jasmine", JS, &["jasmine", "jasmine-core"]),
    way("testing", "Bun", JS, &["bun:test"]),
    beside("testing", "Sinon", JS, &["sinon"]),
    way("testing", "doctest", &["python"], &["doctest"]),
    way("testing", "nose", &["python"], &["nose"]),
    way("testing", "Ginkgo and Gomega", &["go"], &["github.com/onsi/ginkgo", "github.com/onsi/gomega"]),
    beside("testing", "gomock", &["go"], &["go.uber.org/mock", "github.com/golang/mock"]),
    way("testing", "go-cmp", &["go"], &["github.com/google/go-cmp"]),
    way("testing", "gotest.tools", &["go"], &["gotest.tools"]),
    way("testing", "rstest", &["rust"], &["rstest"]),
    beside("testing", "mockall", &["rust"], &["mockall"]),
    way("testing", "quickcheck", &["rust"], &["quickcheck"]),
    way("testing", "trybuild", &["rust"], &["trybuild"]),
    beside("testing", "wiremock", &["rust"], &["wiremock"]),
    way("testing", "assert_cmd", &["rust"], &["assert_cmd"]),
    way("testing", "pretty_assertions", &["rust"], &["pretty_assertions"]),
    way("testing", "TestNG", JVM, &["org.testng"]),
    way("testing", "AssertJ", JVM, &["org.assertj"]),
    way("testing", "Hamcrest", JVM, &["org.hamcrest"]),
    way("testing", "kotlin.test", JVM, &["kotlin.test"]),
    way("testing", "Kotest", JVM, &["io.kotest"]),
    beside("testing", "MockK", JVM, &["io.mockk"]),
    way("testing", "MUnit", JVM, &["munit"]),
    way("testing", "specs2", JVM, &["org.specs2"]),
    way("testing", "ScalaCheck", JVM, &["org.scalacheck"]),
    way("testing", "ZIO Test", JVM, &["zio.test"]),
    way("testing", "Capybara", &["ruby"], &["capybara"]),
    way("testing", "Cucumber", &["ruby"], &["cucumber"]),
    beside("testing", "WebMock", &["ruby"], &["webmock"]),
    way("testing", "factory_bot", &["ruby"], &["factory_bot"]),
    way("testing", "Pest", &["php"], &["Pest"]),
    beside("testing", "Mockery", &["php"], &["Mockery"]),
    way("testing", "Codeception", &["php"], &["Codeception"]),
    way("testing", "Behat", &["php"], &["Behat"]),
    beside("testing", "Prophecy", &["php"], &["Prophecy"]),
    way("testing", "Swift Testing", &["swift"], &["Testing"]),
    way("testing", "Quick and Nimble", &["swift"], &["Quick", "Nimble"]),
    way("testing", "SnapshotTesting", &["swift"], &["SnapshotTesting"]),
    way("testing", "MSTest", &["csharp"], &["Microsoft.VisualStudio.TestTools.UnitTesting"]),
    beside("testing", "Moq", &["csharp"], &["Moq"]),
    beside("testing", "NSubstitute", &["csharp"], &["NSubstitute"]),
    beside("testing", "FluentAssertions", &["csharp"], &["FluentAssertions"]),
    way("testing", "Shouldly", &["csharp"], &["Shouldly"]),
    way("testing", "doctest", &["cpp"], &["doctest", "doctest.h"]),
    way("testing", "Boost.Test", &["cpp"], &["boost/test"]),
    way("testing", "cmocka", &["c", "cpp"], &["cmocka.h"]),
    way("testing", "Bats", &["shell"], &[]),
    way("errors", "anyhow", &["rust"], &["anyhow"]),
    way("errors", "thiserror", &["rust"], &["thiserror"]),
    way("errors", "eyre", &["rust"], &["eyre", "color_eyre"]),
    way("errors", "errors", &["go"], &["errors"]),
    way("errors", "pkg/errors", &["go"], &["github.com/pkg/errors"]),
    way("errors", "neverthrow", JS, &["neverthrow"]),
    way("errors", "http-errors", JS, &["http-errors"]),
    way("errors", "snafu", &["rust"], &["snafu"]),
    way("errors", "miette", &["rust"], &["miette"]),
    way("errors", "error-stack", &["rust"], &["error_stack"]),
    beside("errors", "multierror", &["go"], &["github.com/hashicorp/go-multierror", "go.uber.org/multierr"]),
    way("errors", "cockroachdb/errors", &["go"], &["github.com/cockroachdb/errors"]),
    way("errors", "fp-ts", JS, &["fp-ts"]),
    way("errors", "Effect", JS, &["effect", "@effect"]),
    way("errors", "Arrow", JVM, &["arrow.core"]),
    way("errors", "Vavr", JVM, &["io.vavr"]),
    way("errors", "dry-monads", &["ruby"], &["dry/monads"]),
    way("errors", "FluentResults", &["csharp"], &["FluentResults"]),
    way("errors", "OneOf", &["csharp"], &["OneOf"]),
    way("errors", "tl::expected", &["cpp"], &["tl/expected.hpp"]),
    way("errors", "absl::Status", &["cpp"], &["absl/status"]),
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
    way("logging", "slog", &["rust"], &["slog"]),
    way("logging", "defmt", &["rust"], &["defmt"]),
    way("logging", "zerolog", &["go"], &["github.com/rs/zerolog"]),
    way("logging", "glog", &["go"], &["github.com/golang/glog"]),
    way("logging", "klog", &["go"], &["k8s.io/klog"]),
    way("logging", "Bunyan", JS, &["bunyan"]),
    way("logging", "log4js", JS, &["log4js"]),
    way("logging", "loglevel", JS, &["loglevel"]),
    way("logging", "consola", JS, &["consola"]),
    beside("logging", "kotlin-logging", JVM, &["mu", "io.github.oshai.kotlinlogging"]),
    way("logging", "Timber", JVM, &["timber.log"]),
    beside("logging", "scala-logging", JVM, &["com.typesafe.scalalogging"]),
    beside("logging", "log4cats", JVM, &["org.typelevel.log4cats"]),
    beside("logging", "Commons Logging", JVM, &["org.apache.commons.logging"]),
    way("logging", "Logger", &["ruby"], &["logger"]),
    way("logging", "semantic_logger", &["ruby"], &["semantic_logger"]),
    beside("logging", "PSR-3", &["php"], &["Psr\\Log"]),
    way("logging", "swift-log", &["swift"], &["Logging"]),
    way("logging", "CocoaLumberjack", &["swift"], &["CocoaLumberjack", "CocoaLumberjackSwift"]),
    beside("logging", "Microsoft.Extensions.Logging", &["csharp"], &["Microsoft.Extensions.Logging"]),
    way("logging", "Serilog", &["csharp"], &["Serilog"]),
    way("logging", "NLog", &["csharp"], &["NLog"]),
    way("logging", "log4net", &["csharp"], &["log4net"]),
    way("logging", "spdlog", &["cpp"], &["spdlog"]),
    way("logging", "glog", &["cpp"], &["glog"]),
    way("logging", "Boost.Log", &["cpp"], &["boost/log"]),
    way("logging", "syslog", &["c", "cpp"], &["syslog.h"]),
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
    beside("async", "futures", &["rust"], &["futures", "futures_util"]),
    beside("async", "rayon", &["rust"], &["rayon"]),
    beside("async", "crossbeam", &["rust"], &["crossbeam", "crossbeam_channel"]),
    way("async", "gevent", &["python"], &["gevent"]),
    way("async", "Twisted", &["python"], &["twisted"]),
    beside("async", "Celery", &["python"], &["celery"]),
    beside("async", "multiprocessing", &["python"], &["multiprocessing"]),
    beside("async", "p-limit and p-queue", JS, &["p-limit", "p-queue", "p-map"]),
    way("async", "Bluebird", JS, &["bluebird"]),
    beside("async", "worker_threads", JS, &["worker_threads", "node:worker_threads"]),
    beside("async", "x/sync", &["go"], &["golang.org/x/sync"]),
    beside("async", "sync", &["go"], &["sync"]),
    beside("async", "java.util.concurrent", JVM, &["java.util.concurrent"]),
    way("async", "RxJava", JVM, &["io.reactivex", "rx"]),
    way("async", "Scala futures", JVM, &["scala.concurrent"]),
    way("async", "Cats Effect", JVM, &["cats.effect"]),
    way("async", "ZIO", JVM, &["zio"]),
    way("async", "Akka and Pekko", JVM, &["akka", "org.apache.pekko"]),
    way("async", "Vert.x", JVM, &["io.vertx"]),
    way("async", "concurrent-ruby", &["ruby"], &["concurrent", "concurrent-ruby"]),
    way("async", "Async", &["ruby"], &["async"]),
    beside("async", "Sidekiq", &["ruby"], &["sidekiq"]),
    way("async", "ReactPHP", &["php"], &["React"]),
    way("async", "Amp", &["php"], &["Amp"]),
    way("async", "Swoole", &["php"], &["Swoole"]),
    way("async", "Combine", &["swift"], &["Combine"]),
    way("async", "RxSwift", &["swift"], &["RxSwift"]),
    way("async", "SwiftNIO", &["swift"], &["NIO", "NIOCore"]),
    way("async", "PromiseKit", &["swift"], &["PromiseKit"]),
    beside("async", "Dispatch", &["swift"], &["Dispatch"]),
    way("async", "Task", &["csharp"], &["System.Threading.Tasks"]),
    way("async", "Reactive Extensions", &["csharp"], &["System.Reactive"]),
    beside("async", "Channels", &["csharp"], &["System.Threading.Channels"]),
    way("async", "Asio", &["cpp"], &["asio", "asio.hpp", "boost/asio"]),
    way("async", "libuv", &["c", "cpp"], &["uv.h"]),
    beside("async", "pthreads", &["c", "cpp"], &["pthread.h"]),
    way("async", "oneTBB", &["cpp"], &["tbb", "oneapi/tbb"]),
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
    way("http", "isahc", &["rust"], &["isahc"]),
    way("http", "urllib3", &["python"], &["urllib3"]),
    way("http", "urllib", &["python"], &["urllib.request"]),
    way("http", "Got", JS, &["got"]),
    way("http", "ky", JS, &["ky"]),
    way("http", "SuperAgent", JS, &["superagent"]),
    way("http", "fasthttp", &["go"], &["github.com/valyala/fasthttp"]),
    beside("http", "Retrofit", JVM, &["retrofit2"]),
    way("http", "Ktor", JVM, &["io.ktor.client"]),
    way("http", "Apache HttpClient", JVM, &["org.apache.http", "org.apache.hc"]),
    way(
        "http",
        "RestTemplate and WebClient",
        JVM,
        &["org.springframework.web.client", "org.springframework.web.reactive.function.client"],
    ),
    way("http", "sttp", JVM, &["sttp.client3", "sttp.client4"]),
    way("http", "http4s", JVM, &["org.http4s"]),
    way("http", "HTTParty", &["ruby"], &["httparty"]),
    way("http", "rest-client", &["ruby"], &["rest-client", "rest_client"]),
    way("http", "HTTPX", &["ruby"], &["httpx"]),
    way("http", "Excon", &["ruby"], &["excon"]),
    way("http", "Typhoeus", &["ruby"], &["typhoeus"]),
    way("http", "Symfony HttpClient", &["php"], &["Symfony\\Component\\HttpClient"]),
    beside("http", "PSR-18", &["php"], &["Psr\\Http\\Client"]),
    way("http", "Alamofire", &["swift"], &["Alamofire"]),
    beside("http", "Moya", &["swift"], &["Moya"]),
    way("http", "AsyncHTTPClient", &["swift"], &["AsyncHTTPClient"]),
    way("http", "HttpClient", &["csharp"], &["System.Net.Http"]),
    way("http", "RestSharp", &["csharp"], &["RestSharp"]),
    beside("http", "Refit", &["csharp"], &["Refit"]),
    beside("http", "Flurl", &["csharp"], &["Flurl.Http"]),
    way("http", "libcurl", &["c", "cpp"], &["curl"]),
    way("http", "cpr", &["cpp"], &["cpr"]),
    way("http", "cpp-httplib", &["cpp"], &["httplib.h"]),
    way("http", "Boost.Beast", &["cpp"], &["boost/beast"]),
    way("state", "Redux", JS, &["redux", "react-redux", "@reduxjs/toolkit", "@ngrx"]),
    way("state", "Zustand", JS, &["zustand"]),
    way("state", "MobX", JS, &["mobx"]),
    way("state", "TanStack Query", JS, &["@tanstack/react-query", "@tanstack/vue-query", "react-query"]),
    way("state", "Pinia", JS, &["pinia"]),
    way("state", "Svelte stores", JS, &["svelte/store"]),
    way("state", "Jotai", JS, &["jotai"]),
    way("state", "Recoil", JS, &["recoil"]),
    way("state", "Valtio", JS, &["valtio"]),
    way("state", "XState", JS, &["xstate", "@xstate"]),
    way("state", "Vuex", JS, &["vuex"]),
    way("state", "nanostores", JS, &["nanostores"]),
    way("state", "SWR", JS, &["swr"]),
    beside("state", "Immer", JS, &["immer"]),
    way("state", "Composable Architecture", &["swift"], &["ComposableArchitecture"]),
    way("di", "NestJS", JS, &["@nestjs/common"]),
    way("di", "Angular", JS, &["@angular/core"]),
    way("di", "InversifyJS", JS, &["inversify"]),
    way("di", "Spring", JVM, &["org.springframework.beans", "org.springframework.stereotype"]),
    way("di", "javax/jakarta inject", JVM, &["javax.inject", "jakarta.inject"]),
    way("di", "Dagger", JVM, &["dagger"]),
    way("di", "Wire", &["go"], &["github.com/google/wire"]),
    way("di", "TSyringe", JS, &["tsyringe"]),
    way("di", "Awilix", JS, &["awilix"]),
    way("di", "Guice", JVM, &["com.google.inject"]),
    way("di", "Koin", JVM, &["org.koin"]),
    way("di", "Fx and Dig", &["go"], &["go.uber.org/fx", "go.uber.org/dig"]),
    way("di", "dependency-injector", &["python"], &["dependency_injector"]),
    way("di", "injector", &["python"], &["injector"]),
    way("di", "dry-container", &["ruby"], &["dry/container", "dry/auto_inject"]),
    beside("di", "PSR-11", &["php"], &["Psr\\Container"]),
    way("di", "Symfony DependencyInjection", &["php"], &["Symfony\\Component\\DependencyInjection"]),
    way("di", "PHP-DI", &["php"], &["DI"]),
    way("di", "Swinject", &["swift"], &["Swinject"]),
    way("di", "Factory", &["swift"], &["Factory", "FactoryKit"]),
    way("di", "Dependencies", &["swift"], &["Dependencies"]),
    way("di", "Microsoft DependencyInjection", &["csharp"], &["Microsoft.Extensions.DependencyInjection"]),
    way("di", "Autofac", &["csharp"], &["Autofac"]),
    way("di", "Ninject", &["csharp"], &["Ninject"]),
    way("di", "Boost.DI", &["cpp"], &["boost/di.hpp"]),
    way("data", "serde", &["rust"], &["serde", "serde_json"]),
    way("data", "Zod", JS, &["zod"]),
    way("data", "Pydantic", &["python"], &["pydantic"]),
    way("data", "dataclasses", &["python"], &["dataclasses"]),
    way("data", "attrs", &["python"], &["attr", "attrs"]),
    way("data", "Gson", JVM, &["com.google.gson"]),
    way("data", "Jackson", JVM, &["com.fasterxml.jackson"]),
    way("data", "encoding/json", &["go"], &["encoding/json"]),
    beside("data", "prost", &["rust"], &["prost"]),
    beside("data", "bincode", &["rust"], &["bincode"]),
    way("data", "Yup", JS, &["yup"]),
    way("data", "Joi", JS, &["joi"]),
    way("data", "Valibot", JS, &["valibot"]),
    way("data", "Ajv", JS, &["ajv"]),
    way("data", "io-ts", JS, &["io-ts"]),
    way("data", "class-validator", JS, &["class-validator", "class-transformer"]),
    way("data", "marshmallow", &["python"], &["marshmallow"]),
    way("data", "msgspec", &["python"], &["msgspec"]),
    beside("data", "cattrs", &["python"], &["cattr", "cattrs"]),
    way("data", "kotlinx.serialization", JVM, &["kotlinx.serialization"]),
    way("data", "Moshi", JVM, &["com.squareup.moshi"]),
    way("data", "circe", JVM, &["io.circe"]),
    beside("data", "Protocol Buffers", JVM, &["com.google.protobuf"]),
    beside("data", "validator", &["go"], &["github.com/go-playground/validator"]),
    beside(
        "data",
        "Protocol Buffers",
        &["go"],
        &["google.golang.org/protobuf", "github.com/golang/protobuf"],
    ),
    beside("data", "yaml", &["go"], &["gopkg.in/yaml", "sigs.k8s.io/yaml"]),
    beside(
        "data",
        "dry-struct and dry-schema",
        &["ruby"],
        &["dry/struct", "dry/schema", "dry/validation", "dry-struct"],
    ),
    way("data", "JSON", &["ruby"], &["json"]),
    way("data", "Oj", &["ruby"], &["oj"]),
    way("data", "Symfony Serializer", &["php"], &["Symfony\\Component\\Serializer"]),
    way("data", "JMS Serializer", &["php"], &["JMS\\Serializer"]),
    way("data", "SwiftyJSON", &["swift"], &["SwiftyJSON"]),
    way("data", "System.Text.Json", &["csharp"], &["System.Text.Json"]),
    way("data", "Json.NET", &["csharp"], &["Newtonsoft.Json"]),
    beside("data", "FluentValidation", &["csharp"], &["FluentValidation"]),
    way("data", "nlohmann/json", &["cpp"], &["nlohmann"]),
    way("data", "RapidJSON", &["cpp"], &["rapidjson"]),
    beside("data", "Protocol Buffers", &["cpp"], &["google/protobuf"]),
    beside("data", "yaml-cpp", &["cpp"], &["yaml-cpp"]),
    way("data", "cJSON", &["c", "cpp"], &["cJSON.h", "cjson"]),
];

/// The ways that an import of a file in this language says.
pub fn ways_of<'t>(language: &'t str, target: &'t str) -> impl Iterator<Item = &'static Way> + 't {
    // `<gtest/gtest.h>`
    let target = target.trim_matches(['<', '>']);
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
        assert_eq!(names("cpp", "<gtest/gtest.h>"), "GoogleTest");
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
