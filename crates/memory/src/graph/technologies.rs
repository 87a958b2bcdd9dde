//! Technologies with their names: a line starts with the usual spelling, aliases follow. A name with a capital letter
//! matches only in that spelling, because its lower-case form is an everyday word.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::domain::line_with;

/// The names of one technology per line.
const TECHNOLOGIES: &str = "PostgreSQL|postgres|postgresql|pg|psql
MySQL|mysql
MariaDB|mariadb
SQLite|sqlite|sqlite3
MongoDB|mongodb|mongo
Redis|redis
Valkey|valkey
Elasticsearch|elasticsearch
OpenSearch|opensearch
Kafka|kafka
RabbitMQ|rabbitmq|rabbit mq
NATS|NATS
DynamoDB|dynamodb
ClickHouse|clickhouse
DuckDB|duckdb
pgvector|pgvector
Kubernetes|kubernetes|k8s|kubectl
Docker|docker
Podman|podman
Terraform|terraform
Ansible|ansible
Helm|Helm
nginx|nginx
Caddy|Caddy
GitHub Actions|github actions
GitHub|github
GitLab|gitlab
Jenkins|jenkins
JavaScript|javascript|js
TypeScript|typescript|ts
Node.js|node.js|nodejs|node
Deno|deno
Bun|Bun
Python|python|py
Ruby|Ruby
Rails|Rails|ruby on rails
PHP|php
Laravel|laravel
Java|Java
Kotlin|kotlin
Scala|Scala
C++|c++|cpp
C#|c#|csharp
.NET|.net|dotnet
Rust|Rust|rustlang
Golang|golang
Swift|Swift
Elixir|elixir
Haskell|haskell
React|React|reactjs|react.js
Vue|Vue|vuejs|vue.js
Svelte|svelte|sveltekit
Angular|Angular|angularjs
Next.js|next.js|nextjs
Tailwind CSS|tailwind|tailwindcss|tailwind css
Vite|vite
webpack|webpack
ESLint|eslint
Prettier|Prettier
Playwright|playwright
Cypress|Cypress
Jest|Jest
Vitest|vitest
pytest|pytest
Django|django
Flask|Flask
FastAPI|fastapi
Spring Boot|spring boot|springboot
Tokio|tokio
Tauri|tauri
Electron|Electron
axum|axum
serde|serde
Cargo|cargo
npm|npm
pnpm|pnpm
Yarn|Yarn
GraphQL|graphql
gRPC|grpc
Protobuf|protobuf|protocol buffers
REST|REST
OpenAPI|openapi
OAuth|oauth|oauth2
JWT|jwt|json web token
JSONB|jsonb
WebSocket|websocket|websockets
WebAssembly|webassembly|wasm
Linux|linux
macOS|macos
Windows|Windows
AWS|aws
S3|s3
Azure|azure
GCP|gcp|google cloud
Prometheus|prometheus
Grafana|grafana
OpenTelemetry|opentelemetry|otel
Sentry|Sentry
Stripe|Stripe
PgBouncer|pgbouncer
MCP|mcp|model context protocol
LLM|llm|large language model";

/// The technology that a word in lower case may name.
struct Known {
    /// All of its names.
    line: &'static str,
    /// Whether the word names it in any case.
    any_case: bool,
    /// The spellings that name it otherwise.
    exact: Vec<&'static str>,
}

/// The technologies by their names in lower case. Every word of every memory is looked up, so nothing is compared name by name.
static BY_NAME: LazyLock<HashMap<String, Known>> = LazyLock::new(|| {
    let mut all: HashMap<String, Known> = HashMap::new();
    for line in TECHNOLOGIES.lines() {
        for name in line.split('|') {
            let lower = name.to_lowercase();
            let any_case = name == lower;
            let known =
                all.entry(lower).or_insert_with(|| Known { line, any_case: false, exact: Vec::new() });
            known.any_case |= any_case;
            known.exact.push(name);
        }
    }
    all
});

/// The usual spelling of the technology with this name; `None` for another word. A lower-case name matches in any case.
pub(super) fn technology(name: &str) -> Option<&'static str> {
    let known = BY_NAME.get(&name.to_lowercase())?;
    (known.any_case || known.exact.contains(&name)).then(|| known.line.split('|').next()).flatten()
}

/// Synonyms for a word of a question: the other names of the same technology, lower-cased, without duplicates.
/// Questions rarely use capitals, so case doesn't matter here.
pub fn other_names(word: &str) -> Vec<String> {
    let lower = word.to_lowercase();
    let mut out: Vec<String> = Vec::new();
    for name in line_with(TECHNOLOGIES, b'|', &lower).into_iter().flat_map(|line| line.split('|')) {
        let name = name.to_lowercase();
        if name != lower && !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_in_one_line_and_leads_to_it() {
        let mut seen = HashMap::new();
        for (at, line) in TECHNOLOGIES.lines().enumerate() {
            let written = line.split('|').next().unwrap_or_default();
            for name in line.split('|') {
                assert_eq!(*seen.entry(name.to_lowercase()).or_insert(at), at, "{name}");
            }
            assert!(line.split('|').skip(1).all(|name| technology(name) == Some(written)), "{line}");
        }
        assert_eq!(technology("PG"), Some("PostgreSQL"));
        assert_eq!(technology("rust"), None);
        assert_eq!(technology("Rust"), Some("Rust"));
        assert_eq!(other_names("PostgreSQL"), ["postgres", "pg", "psql"]);
        assert_eq!(other_names("rust"), ["rustlang"]);
        assert!(other_names("walrus").is_empty());
    }
}
