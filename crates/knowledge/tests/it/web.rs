//! Fetching and indexing pages, against a small server on loopback. Nothing here leaves the computer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use plimsoll_knowledge::web::{
    Body, Cache, FetchError, FetchRequest, HostRules, NetPolicy, Proxies, UrlOptions, UrlRequest, fetch,
    index_urls,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::common::temp;

const PAGE: &[u8] = include_bytes!("../fixtures/page.html");

type Seen = Arc<Mutex<Vec<String>>>;

struct Server {
    base: String,
    seen: Seen,
}

/// Answers each path with a fixed reply (headers and body), and records the requests.
async fn serve(routes: &[(&str, &str, &[u8])]) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind");
    let base = format!("http://127.0.0.1:{}", listener.local_addr().expect("address").port());
    let seen: Seen = Arc::default();
    let routes: HashMap<String, (String, Vec<u8>)> =
        routes.iter().map(|(p, h, b)| ((*p).to_owned(), (h.replace("{base}", &base), b.to_vec()))).collect();
    let noted = Arc::clone(&seen);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (routes, noted) = (routes.clone(), Arc::clone(&noted));
            tokio::spawn(async move {
                let mut request = Vec::new();
                let mut piece = [0; 1024];
                while !request.windows(4).any(|w| w == b"\r\n\r\n") {
                    match stream.read(&mut piece).await {
                        Ok(0) | Err(_) => return,
                        Ok(n) => request.extend_from_slice(&piece[..n]),
                    }
                }
                let request = String::from_utf8_lossy(&request).into_owned();
                let target = request.split(' ').nth(1).unwrap_or_default().to_owned();
                noted.lock().expect("lock").push(request.clone());
                let path = target
                    .trim_start_matches("http://elsewhere.example")
                    .split('?')
                    .next()
                    .unwrap_or_default();
                let Some((head, body)) = routes.get(path) else {
                    let _ = stream
                        .write_all(
                            b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
                        )
                        .await;
                    return;
                };
                if head == "hang" {
                    // Keeps the connection open until the client gives up.
                    let _ = stream.read(&mut piece).await;
                    return;
                }
                let etag_matches = head.contains("etag: \"v1\"") && request.contains("if-none-match: \"v1\"");
                let reply = if etag_matches {
                    "HTTP/1.1 304 Not Modified\r\netag: \"v1\"\r\nconnection: close\r\n\r\n".to_owned()
                } else {
                    format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len())
                };
                let _ = stream.write_all(reply.as_bytes()).await;
                if !etag_matches {
                    let _ = stream.write_all(body).await;
                }
            });
        }
    });
    Server { base, seen }
}

fn direct() -> NetPolicy {
    NetPolicy { proxies: Proxies::None, ..NetPolicy::default() }
}

async fn get(url: &str, policy: &NetPolicy) -> Result<Vec<u8>, FetchError> {
    let request = FetchRequest {
        timeout: Duration::from_secs(20),
        max_bytes: 1_000_000,
        ..FetchRequest::new(url, policy)
    };
    match fetch(&request).await?.body {
        Body::Content(content) => Ok(content),
        Body::NotModified => panic!("not asked conditionally"),
    }
}

#[tokio::test]
async fn bodies_arrive_whole_and_bounded() {
    let s = serve(&[
        ("/plain", "200 OK\r\ncontent-type: text/html", PAGE),
        ("/gz", "200 OK\r\ncontent-encoding: gzip", include_bytes!("../fixtures/page.html.gz")),
        ("/zz", "200 OK\r\ncontent-encoding: deflate", include_bytes!("../fixtures/page.html.zz")),
        ("/aws", "200 OK\r\ncontent-encoding: aws-chunked", PAGE),
        ("/zstd", "200 OK\r\ncontent-encoding: zstd", b"\x28\xb5\x2f\xfd"),
        ("/x-gzip", "200 OK\r\ncontent-encoding: x-gzip", include_bytes!("../fixtures/page.html.gz")),
        ("/two", "200 OK\r\ncontent-encoding: aws-chunked, GZIP", include_bytes!("../fixtures/page.html.gz")),
        ("/bomb", "200 OK\r\ncontent-encoding: gzip", include_bytes!("../fixtures/bomb.gz")),
        ("/error", "500 Oops", b"no"),
        ("/hang", "hang", b""),
    ])
    .await;
    let policy = direct();
    for path in ["/plain", "/gz", "/zz", "/aws"] {
        assert_eq!(get(&format!("{}{path}", s.base), &policy).await.expect(path), PAGE);
    }
    for (path, format) in [("/zstd", "zstd"), ("/x-gzip", "x-gzip"), ("/two", "GZIP")] {
        let packed = get(&format!("{}{path}", s.base), &policy).await;
        let Err(FetchError::Unreadable { reason, .. }) = &packed else { panic!("{path}: {packed:?}") };
        assert!(reason.contains(format), "{path}: {reason}");
    }
    let bomb = get(&format!("{}/bomb", s.base), &policy).await;
    assert!(matches!(bomb, Err(FetchError::TooLarge { .. })), "{bomb:?}");
    assert!(matches!(
        get(&format!("{}/error", s.base), &policy).await,
        Err(FetchError::Status { status: 500, .. })
    ));
    assert!(matches!(
        get(&format!("{}/none", s.base), &policy).await,
        Err(FetchError::Status { status: 404, .. })
    ));
    let url = format!("{}/hang", s.base);
    let hanging = FetchRequest { timeout: Duration::from_millis(50), ..FetchRequest::new(&url, &policy) };
    assert!(matches!(fetch(&hanging).await, Err(FetchError::TimedOut { .. })));
}

#[tokio::test]
async fn redirects_stay_with_their_host() {
    let s = serve(&[
        ("/a", "302 Found\r\nlocation: /b", b""),
        ("/b", "301 Moved\r\nlocation: {base}/c", b""),
        ("/c", "200 OK", b"arrived"),
        ("/loop", "302 Found\r\nlocation: /loop", b""),
        ("/port", "302 Found\r\nlocation: http://127.0.0.1:1/x", b""),
        ("/scheme", "302 Found\r\nlocation: https://127.0.0.1:1/x", b""),
        ("/away", "302 Found\r\nlocation: http://localhost:1/x", b""),
        ("/meta", "302 Found\r\nlocation: http://169.254.169.254/latest", b""),
        ("/file", "302 Found\r\nlocation: file:///etc/passwd", b""),
    ])
    .await;
    let policy = direct();
    assert_eq!(get(&format!("{}/a", s.base), &policy).await.expect("follow"), b"arrived");
    let turning = get(&format!("{}/loop", s.base), &policy).await;
    assert!(matches!(turning, Err(FetchError::TooManyRedirects { .. })), "{turning:?}");
    let away = get(&format!("{}/away", s.base), &policy).await.expect_err("away");
    assert!(
        matches!(&away, FetchError::OtherPlace { what: "host", to, .. } if to.contains("localhost:1")),
        "{away}"
    );
    for what in ["port", "scheme"] {
        let other = get(&format!("{}/{what}", s.base), &policy).await.expect_err(what);
        assert!(matches!(&other, FetchError::OtherPlace { what: is, .. } if *is == what), "{what}: {other}");
    }
    let open = NetPolicy { allow_other_hosts: true, allow_private: true, ..direct() };
    let meta = get(&format!("{}/meta", s.base), &open).await;
    assert!(matches!(meta, Err(FetchError::Forbidden { .. })), "{meta:?}");
    assert!(matches!(get(&format!("{}/file", s.base), &open).await, Err(FetchError::BadUrl { .. })));
}

#[tokio::test]
async fn forbidden_places_are_never_asked() {
    let s = serve(&[("/x", "200 OK", b"secret")]).await;
    let url = format!("{}/x", s.base);
    let closed = NetPolicy { allow_loopback: false, ..direct() };
    assert!(matches!(get(&url, &closed).await, Err(FetchError::Forbidden { .. })));
    let port = s.base.rsplit(':').next().expect("port");
    for url in [
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://0.0.0.0/".to_owned(),
        format!("http://[::ffff:127.0.0.1]:{port}/x"),
        format!("http://0.0.0.0:{port}/x"),
        "http://10.0.0.1/".to_owned(),
        "http://[fe80::1]/".to_owned(),
    ] {
        let refused = get(&url, &direct()).await;
        assert!(matches!(refused, Err(FetchError::Forbidden { .. })), "{url}: {refused:?}");
    }
    let rules =
        HostRules(Arc::new(|host| (host == "127.0.0.1").then(|| "WebFetch(domain:127.0.0.1)".to_owned())));
    let denied = get(&url, &NetPolicy { host_rules: Some(rules), ..direct() }).await;
    assert!(matches!(denied, Err(FetchError::Denied { rule, .. }) if rule.contains("WebFetch")));
    assert!(s.seen.lock().expect("lock").is_empty(), "a refused address was asked");
}

#[tokio::test]
async fn a_proxy_is_used_for_everything_but_loopback() {
    let proxy = serve(&[("/page", "200 OK", b"through the proxy")]).await;
    let local = serve(&[("/here", "200 OK", b"direct")]).await;
    let policy = NetPolicy { proxies: Proxies::One(proxy.base.clone()), ..NetPolicy::default() };
    assert_eq!(get(&format!("{}/here", local.base), &policy).await.expect("direct"), b"direct");
    assert!(proxy.seen.lock().expect("lock").is_empty());
    // https is tried first (the proxy refuses CONNECT), then plainly, as the policy allows.
    let request = FetchRequest::new("http://elsewhere.example/page", &policy);
    let fetched = fetch(&request).await.expect("through the proxy");
    assert_eq!(fetched.body, Body::Content(b"through the proxy".to_vec()));
    let notes = fetched.notes.join("\n");
    assert!(notes.contains("without encryption"), "{notes}");
    // The name can't be looked up here, so Plimsoll can't judge which address it has.
    assert_eq!(notes.matches("only the proxy looks elsewhere.example up").count(), 1, "{notes}");
    let seen = proxy.seen.lock().expect("lock").join("\n");
    assert!(
        seen.contains("CONNECT elsewhere.example:443") && seen.contains("GET http://elsewhere.example/page"),
        "{seen}"
    );
    let strict = NetPolicy { allow_plain_http: false, ..policy };
    let refused = fetch(&FetchRequest::new("http://elsewhere.example/page", &strict)).await;
    assert!(matches!(refused, Err(FetchError::Connection { .. })), "{refused:?}");
}

/// A name of this computer in any spelling: names that can be resolved are checked before the proxy is contacted.
#[tokio::test]
async fn a_proxy_opens_no_way_to_forbidden_places() {
    let proxy = serve(&[("/x", "200 OK", b"secret")]).await;
    let policy = NetPolicy { proxies: Proxies::One(proxy.base.clone()), ..NetPolicy::default() };
    let closed = NetPolicy { allow_loopback: false, ..policy.clone() };
    for url in [
        "http://169.254.169.254/x",
        "http://2852039166/x",
        "http://0xa9fea9fe/x",
        "http://0251.0376.0251.0376/x",
        "http://169.254.169.254./x",
        "http://[::ffff:169.254.169.254]/x",
        "http://[64:ff9b::a9fe:a9fe]/x",
        "http://[2002:a9fe:a9fe::1]/x",
        "http://[fd00:ec2::254]/x",
        "http://100.100.100.200/x",
        "http://metadata.google.internal/x",
        "http://169.254.169.254.nip.io/x",
        "http://10.0.0.1/x",
        "http://10-0-0-1.sslip.io/x",
        "http://localtest.me/x",
    ] {
        let refused = get(url, &policy).await;
        assert!(matches!(refused, Err(FetchError::Forbidden { .. })), "{url}: {refused:?}");
    }
    for url in [
        "http://localhost/x",
        "http://localhost./x",
        "http://a.localhost/x",
        "http://127.1/x",
        "http://[::1]/x",
    ] {
        let refused = get(url, &closed).await;
        assert!(matches!(refused, Err(FetchError::Forbidden { .. })), "{url}: {refused:?}");
    }
    // This computer's name is in its hosts file and resolves to itself.
    let own = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let known = tokio::net::lookup_host((own.trim(), 80)).await.map(|mut found| found.next().is_some());
    if own.trim().is_empty() || own.trim() == "localhost" || !matches!(known, Ok(true)) {
        skipped::without("hostname", "no name of this computer can be looked up");
    } else {
        let refused = get(&format!("http://{}/x", own.trim()), &policy).await;
        assert!(matches!(refused, Err(FetchError::Forbidden { .. })), "{own}: {refused:?}");
    }
    assert!(proxy.seen.lock().expect("lock").is_empty(), "the proxy was asked for a refused address");
}

#[tokio::test]
async fn pages_are_indexed_cached_and_revalidated_each_with_its_own_result() {
    let s = serve(&[
        ("/page", "200 OK\r\ncontent-type: text/html; charset=utf-8\r\netag: \"v1\"", PAGE),
        (
            "/data.json",
            "200 OK\r\ncontent-type: application/json",
            br#"{"boats":[{"name":"Argo","oars":50}]}"#,
        ),
        ("/notes.md", "200 OK\r\ncontent-type: text/markdown", b"# Notes\n\nThe capstan turns.\n"),
        ("/book.pdf", "200 OK\r\ncontent-type: application/pdf", include_bytes!("../fixtures/hello.pdf")),
        ("/flag.png", "200 OK\r\ncontent-type: image/png", b"\x89PNG\r\n\x1a\n\0\0\0"),
    ])
    .await;
    let mut t = temp();
    let downloads = t.dir.path().join("downloads");
    let ask = |path: &str| UrlRequest { url: format!("{}{path}", s.base), label: None };
    let requests = ["/page", "/data.json", "/notes.md", "/book.pdf", "/flag.png", "/missing"].map(ask);
    let mut options = UrlOptions { policy: direct(), ..UrlOptions::new(downloads.clone(), 1_000_000) };

    let results = index_urls(&mut t.store, &requests, &options).await.expect("index");
    assert_eq!(results.len(), 6);
    for (result, request) in results.iter().zip(&requests) {
        assert_eq!(result.url, request.url);
    }
    let page = results[0].outcome.as_ref().expect("page");
    assert_eq!(page.title.as_deref(), Some("Harbour manual"));
    assert!(page.preview.contains("draught"));
    let saved = results[4].outcome.as_ref().expect("saved").saved.clone().expect("file");
    assert!(saved.0.starts_with(&downloads) && saved.0.exists() && saved.1 == "image/png");
    assert!(matches!(results[5].outcome, Err(FetchError::Status { status: 404, .. })));
    for (query, path) in [
        ("pilot buoy", "/page"),
        ("open_lock", "/page"),
        ("Argo", "/data.json"),
        ("capstan", "/notes.md"),
        ("lighthouse", "/book.pdf"),
    ] {
        let reply = t.find(query);
        assert!(reply.hits.first().is_some_and(|h| h.source.ends_with(path)), "{query}: {reply:?}");
    }
    for noise in ["secret_script", "Home menu", "Imprint footer"] {
        assert!(t.find(&format!("\"{noise}\"")).hits.is_empty(), "{noise}");
    }

    // Fresh: nobody is asked.
    let asked = s.seen.lock().expect("lock").len();
    let again = index_urls(&mut t.store, &requests[..1], &options).await.expect("index");
    assert_eq!(again[0].outcome.as_ref().expect("fresh").cache, Cache::Fresh);
    assert_eq!(s.seen.lock().expect("lock").len(), asked);
    // Aged: asked conditionally, and fresh again afterwards.
    options.now_ms += options.ttl_ms + 1;
    let aged = index_urls(&mut t.store, &requests[..1], &options).await.expect("index");
    assert_eq!(aged[0].outcome.as_ref().expect("revalidated").cache, Cache::Revalidated);
    let fresh = index_urls(&mut t.store, &requests[..1], &options).await.expect("index");
    assert_eq!(fresh[0].outcome.as_ref().expect("fresh").cache, Cache::Fresh);
    // The clock was set back since: nobody knows how old it is, so it's asked for.
    let then = std::mem::replace(&mut options.now_ms, 1_000);
    let back = index_urls(&mut t.store, &requests[..1], &options).await.expect("index");
    assert_eq!(back[0].outcome.as_ref().expect("revalidated").cache, Cache::Revalidated);
    options.now_ms = then;
    // Forced: asked without conditions.
    options.force = true;
    let forced = index_urls(&mut t.store, &requests[..1], &options).await.expect("index");
    assert_eq!(forced[0].outcome.as_ref().expect("forced").cache, Cache::Fetched);
    assert!(!s.seen.lock().expect("lock").last().expect("asked").contains("if-none-match"));
    assert_eq!(t.find("capstan").total, 1);
}

/// The pages' cache has a size limit: the oldest are removed, the one just requested stays.
#[tokio::test]
async fn old_pages_and_files_make_room() {
    let text: &'static [u8] = b"# Harbour\n\nThe capstan turns and the boats lie at the quay all day long.\n";
    let s = serve(&[
        ("/1", "200 OK\r\ncontent-type: text/markdown", text),
        ("/2", "200 OK\r\ncontent-type: text/markdown", text),
        ("/3", "200 OK\r\ncontent-type: text/markdown", text),
        ("/a.png", "200 OK\r\ncontent-type: image/png", b"\x89PNG\r\n\x1a\n\0\0\0aaaaaaaa"),
        ("/b.png", "200 OK\r\ncontent-type: image/png", b"\x89PNG\r\n\x1a\n\0\0\0bbbbbbbb"),
    ])
    .await;
    let mut t = temp();
    let downloads = t.dir.path().join("downloads");
    let mut options = UrlOptions {
        policy: direct(),
        max_pages_bytes: text.len() as u64 * 2,
        max_saved_bytes: 30,
        ..UrlOptions::new(downloads.clone(), 1_000)
    };
    for path in ["/1", "/2", "/3", "/a.png", "/b.png"] {
        let request = [UrlRequest { url: format!("{}{path}", s.base), label: None }];
        index_urls(&mut t.store, &request, &options).await.expect("index")[0].outcome.as_ref().expect(path);
        options.now_ms += 1_000;
    }
    let held: Vec<String> = t.find("capstan").hits.into_iter().map(|hit| hit.source).collect();
    assert!(held.len() == 2 && held.iter().all(|source| !source.ends_with("/1")), "{held:?}");
    let files: u64 = std::fs::read_dir(&downloads)
        .expect("downloads")
        .flatten()
        .map(|e| e.metadata().map_or(0, |m| m.len()))
        .sum();
    assert!(files > 0 && files <= 30, "{files}");
}

/// An address with a token is stored without it.
#[tokio::test]
async fn a_token_in_an_address_is_not_stored() {
    let s =
        serve(&[("/data", "200 OK\r\ncontent-type: text/markdown", b"# Tide\n\nThe tide comes in.\n")]).await;
    let mut t = temp();
    let options = UrlOptions { policy: direct(), ..UrlOptions::new(t.dir.path().join("downloads"), 1_000) };
    let token = format!("ghp{}{}", '_', "16C7e42F292c6912E7710c838347Ae178B4a");
    let request = [UrlRequest { url: format!("{}/data?access_token={token}", s.base), label: None }];
    for cache in [Cache::Fetched, Cache::Fresh] {
        let results = index_urls(&mut t.store, &request, &options).await;
        assert_eq!(results.expect("index")[0].outcome.as_ref().expect("page").cache, cache);
    }
    let found = t.find("tide");
    assert!(found.hits[0].source.contains("[redacted:"), "{found:?}");
    for entry in std::fs::read_dir(t.dir.path()).expect("folder").flatten().filter(|e| e.path().is_file()) {
        let bytes = std::fs::read(entry.path()).expect("file");
        assert!(!String::from_utf8_lossy(&bytes).contains(&token[..9]), "{}", entry.path().display());
    }
}
