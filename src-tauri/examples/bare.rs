//! The smallest possible program of this toolkit: one window with one drawing. The desktop is measured against it, in
//! the same run and on the same computer (`cargo xtask bench desktop`); never part of a package.

use tauri::webview::PageLoadEvent;
use tauri::{WebviewUrl, WebviewWindowBuilder};

fn main() {
    let made = tauri::Builder::default()
        .setup(|app| {
            WebviewWindowBuilder::new(app, "main", WebviewUrl::App("mark.svg".into()))
                .title("Bare")
                .inner_size(1180.0, 760.0)
                .visible(false)
                .on_page_load(|window, page| {
                    if page.event() == PageLoadEvent::Finished {
                        let _ = window.show();
                    }
                })
                .build()?;
            Ok(())
        })
        .run(tauri::generate_context!());
    if let Err(error) = made {
        log::error!("the bare window could not be made: {error}");
    }
}
