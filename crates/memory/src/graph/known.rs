//! Technologies by all their names: the first of a line is how it is written, the others mean the same. A name with a capital
//! letter is found only when it is written so, because in small letters it is an everyday word.

/// Names of one technology, a line each.
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

/// The technology of this name, as it is written; `None` for another word.
pub(super) fn technology(name: &str) -> Option<&'static str> {
    names_of(name).next()
}

/// All names of the technology that has this one; nothing for another word. A name in small letters is known in any case.
fn names_of(name: &str) -> impl Iterator<Item = &'static str> {
    let lower = name.to_lowercase();
    let line = TECHNOLOGIES.lines().find(|line| {
        line.split('|')
            .any(|known| if known == known.to_lowercase() { *known == *lower } else { known == name })
    });
    line.into_iter().flat_map(|line| line.split('|'))
}

/// What else a word of a question may be called in an answer: the other names of the same technology, lower-cased, each once.
/// Questions are seldom written with capitals, so here they don't matter.
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
