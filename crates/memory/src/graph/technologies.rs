//! Technologies with their names: a line starts with the usual spelling, aliases follow. A name with a capital letter
//! matches only in that spelling, because its lower-case form is an everyday word.

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

/// The usual spelling of the technology with this name; `None` for another word.
pub(super) fn technology(name: &str) -> Option<&'static str> {
    names_of(name).next()
}

/// All names of the technology with this name; empty for another word. A lower-case name matches in any case.
fn names_of(name: &str) -> impl Iterator<Item = &'static str> {
    let lower = name.to_lowercase();
    let line = TECHNOLOGIES.lines().find(|line| {
        line.split('|')
            .any(|known| if known == known.to_lowercase() { *known == *lower } else { known == name })
    });
    line.into_iter().flat_map(|line| line.split('|'))
}

/// Synonyms for a word of a question: the other names of the same technology, lower-cased, without duplicates.
/// Questions rarely use capitals, so case doesn't matter here.
pub fn other_names(word: &str) -> Vec<String> {
    let lower = word.to_lowercase();
    let line = TECHNOLOGIES.lines().find(|line| line.split('|').any(|known| known.to_lowercase() == lower));
    let mut out: Vec<String> = Vec::new();
    for name in line.into_iter().flat_map(|line| line.split('|')) {
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
    fn each_name_stands_in_one_line_and_leads_to_it() {
        let mut seen = std::collections::HashMap::new();
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
