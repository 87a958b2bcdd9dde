//! The windows on a screen, as a window manager would see them.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, MapState, Window};
use x11rb::rust_connection::RustConnection;

/// A screen.
pub(crate) struct Screen {
    connection: RustConnection,
    root: Window,
}

impl Screen {
    pub(crate) fn of(display: &str) -> Self {
        let (connection, number) = x11rb::connect(Some(display)).unwrap();
        let root = connection.setup().roots[number].root;
        Self { connection, root }
    }

    /// Visible windows with a title.
    fn seen(&self) -> Vec<(Window, String)> {
        let tree = self.connection.query_tree(self.root).unwrap().reply().unwrap();
        tree.children
            .into_iter()
            .filter_map(|window| {
                // It may be gone meanwhile.
                let attributes = self.connection.get_window_attributes(window).ok()?.reply().ok()?;
                let size = self.connection.get_geometry(window).ok()?.reply().ok()?;
                let title = self
                    .connection
                    .get_property(false, window, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 256)
                    .ok()?
                    .reply()
                    .ok()?;
                let title = String::from_utf8_lossy(&title.value).into_owned();
                let shown = attributes.map_state == MapState::VIEWABLE && size.width > 300;
                (shown && !title.is_empty()).then_some((window, title))
            })
            .collect()
    }

    /// The titles of all windows.
    pub(crate) fn titles(&self) -> Vec<String> {
        self.seen().into_iter().map(|(_, title)| title).collect()
    }

    /// Closes every window, as a click on its close button does.
    pub(crate) fn close_all(&self) {
        let atom = |name: &[u8]| self.connection.intern_atom(false, name).unwrap().reply().unwrap().atom;
        let (protocols, delete) = (atom(b"WM_PROTOCOLS"), atom(b"WM_DELETE_WINDOW"));
        for (window, _) in self.seen() {
            let event = ClientMessageEvent::new(32, window, protocols, [delete, 0, 0, 0, 0]);
            self.connection.send_event(false, window, EventMask::NO_EVENT, event).unwrap();
        }
        // An answer means that the screen has read everything; it drops unread requests when the client leaves.
        self.connection.get_input_focus().unwrap().reply().unwrap();
    }
}
