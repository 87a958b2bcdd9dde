//! What goes on while a folder is indexed.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use contract::{Index, Input, Search};
use home::{Clock, Env};
use plimsoll_service::{Call, Progress, Service};

#[test]
fn a_search_does_not_wait_for_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    let docs = dir.path().join("project/docs");
    std::fs::create_dir_all(&docs).unwrap();
    std::fs::create_dir_all(dir.path().join("project/.git")).unwrap();
    for number in 0..40 {
        let text = format!("# Page {number}\n\nThe walrus is grey.\n");
        std::fs::write(docs.join(format!("{number}.md")), text).unwrap();
    }
    let env = Env::for_test(dir.path()).with_cwd(dir.path().join("project"));
    let service = Arc::new(Service::new(env, Clock::fixed(1_772_304_300_000)).unwrap());
    service.set_project(&[dir.path().join("project")]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let penguin = Index::of(Input::Content("The penguin is black.".into()));
    runtime.block_on(service.index(&Call::from_user(), penguin)).unwrap();

    // The folder's index stops in its middle until `go_on` is dropped.
    let (begun, has_begun) = channel();
    let (go_on, may_go_on) = channel::<()>();
    let may_go_on = Mutex::new(may_go_on);
    let progress = Progress::new(move |_, _, _| {
        let _ = begun.send(());
        let _ = may_go_on.lock().unwrap().recv();
    });
    let indexing = runtime.spawn({
        let service = Arc::clone(&service);
        async move {
            let call = Call { progress, ..Call::from_user() };
            service.index(&call, Index::of(Input::Path(docs))).await
        }
    });
    let found = runtime.block_on(async {
        tokio::task::spawn_blocking(move || has_begun.recv()).await.unwrap().unwrap();
        let call = Call::from_user();
        let search = service.search(&call, Search::of(vec!["penguin".into()]));
        tokio::time::timeout(Duration::from_secs(20), search).await
    });
    drop(go_on);
    let indexed = runtime.block_on(indexing).unwrap().unwrap();
    let found = found.unwrap().unwrap();
    assert!(found.text.contains("penguin is black"), "{}", found.text);
    assert!(indexed.text.contains("40 files (40 new"), "{}", indexed.text);
}
