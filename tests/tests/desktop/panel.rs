//! A desktop's panel, played by the test: it takes icons, reads their menus and clicks on them, with the same calls that KDE's and
//! GNOME's panels make.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use zbus::blocking::{Connection, Proxy, connection};
use zbus::message::Header;
use zbus::zvariant::{OwnedValue, Value};

use crate::session::soon;

/// The panel.
pub(crate) struct Panel {
    connection: Connection,
    items: Arc<Mutex<Vec<String>>>,
}

struct Watcher {
    items: Arc<Mutex<Vec<String>>>,
}

#[zbus::interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    fn register_status_notifier_item(&self, service: &str, #[zbus(header)] header: Header<'_>) {
        // Some name themselves, some only their object.
        let name = if service.starts_with('/') {
            header.sender().map(ToString::to_string).unwrap_or_default()
        } else {
            service.to_owned()
        };
        self.items.lock().unwrap().push(name);
    }

    fn register_status_notifier_host(&self, _service: &str) {}

    #[zbus(property)]
    fn registered_status_notifier_items(&self) -> Vec<String> {
        self.items.lock().unwrap().clone()
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn protocol_version(&self) -> i32 {
        0
    }
}

/// A menu line, as the panel gets it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) id: i32,
    pub(crate) label: String,
    pub(crate) enabled: bool,
    pub(crate) rule: bool,
    pub(crate) inner: Vec<Node>,
}

impl Node {
    fn new(id: i32, properties: &HashMap<String, OwnedValue>, inner: Vec<Node>) -> Self {
        let text = |name: &str| {
            properties.get(name).and_then(|value| <&str>::try_from(value).ok()).unwrap_or_default().to_owned()
        };
        Self {
            id,
            label: text("label"),
            enabled: properties.get("enabled").and_then(|value| bool::try_from(value).ok()).unwrap_or(true),
            rule: text("type") == "separator",
            inner,
        }
    }

    /// A line below another one.
    fn read(value: &Value<'_>) -> Self {
        let Value::Structure(structure) = value else { panic!("no line: {value:?}") };
        let [Value::I32(id), properties, Value::Array(inner)] = structure.fields() else {
            panic!("no line: {structure:?}")
        };
        let properties = properties.try_clone().unwrap().try_into().unwrap();
        let inner = inner.iter().map(|child| match child {
            Value::Value(child) => Node::read(child),
            child => Node::read(child),
        });
        Self::new(*id, &properties, inner.collect())
    }

    /// The line and everything below it.
    fn all(&self) -> Vec<&Node> {
        std::iter::once(self).chain(self.inner.iter().flat_map(Node::all)).collect()
    }

    /// The menu as text, as a user reads it.
    pub(crate) fn drawn(&self) -> String {
        let mut out = String::new();
        for node in &self.inner {
            let label = if node.rule { "-" } else { &node.label };
            let label = if node.enabled { label.to_owned() } else { format!("({label})") };
            out.push_str(&label);
            out.push('\n');
            for line in node.drawn().lines() {
                out.push_str(&format!("    {line}\n"));
            }
        }
        out
    }
}

/// Width, height, and alpha, red, green and blue of every pixel.
type Picture = (i32, i32, Vec<u8>);

impl Panel {
    pub(crate) fn new(address: &str) -> Self {
        let items = Arc::new(Mutex::new(Vec::new()));
        let connection = connection::Builder::address(address)
            .unwrap()
            .serve_at("/StatusNotifierWatcher", Watcher { items: Arc::clone(&items) })
            .unwrap()
            .name("org.kde.StatusNotifierWatcher")
            .unwrap()
            .build()
            .unwrap();
        Self { connection, items }
    }

    /// How many icons there are.
    pub(crate) fn count(&self) -> usize {
        self.items.lock().unwrap().len()
    }

    fn item(&self) -> Proxy<'static> {
        if self.count() == 0 {
            soon("an icon in the panel", || self.count() > 0);
            // It is there a moment before it listens; no person is that fast.
            std::thread::sleep(Duration::from_millis(500));
        }
        let name = self.items.lock().unwrap()[0].clone();
        Proxy::new(&self.connection, name, "/StatusNotifierItem", "org.kde.StatusNotifierItem").unwrap()
    }

    fn menu_proxy(&self) -> Proxy<'static> {
        let item = self.item();
        let path: zbus::zvariant::OwnedObjectPath = item.get_property("Menu").unwrap();
        Proxy::new(&self.connection, item.destination().to_owned(), path, "com.canonical.dbusmenu").unwrap()
    }

    /// The icon's name, title and picture sizes.
    pub(crate) fn icon(&self) -> (String, String, Vec<Picture>) {
        let item = self.item();
        (
            item.get_property("Id").unwrap(),
            item.get_property("Title").unwrap(),
            item.get_property("IconPixmap").unwrap(),
        )
    }

    /// The menu and its layout number, which rises when lines appear or disappear.
    pub(crate) fn menu(&self) -> (u32, Node) {
        let reply = self.menu_proxy().call_method("GetLayout", &(0, -1, Vec::<String>::new())).unwrap();
        let body = reply.body();
        type Root = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);
        let (revision, (id, properties, inner)): (u32, Root) = body.deserialize().unwrap();
        (revision, Node::new(id, &properties, inner.iter().map(|child| Node::read(child)).collect()))
    }

    /// The first line whose label begins with this.
    pub(crate) fn line(&self, begins: &str) -> Option<Node> {
        let (_, menu) = self.menu();
        menu.all().into_iter().find(|node| node.label.starts_with(begins)).cloned()
    }

    /// Chooses the line whose label begins with this, once it exists and is enabled.
    #[track_caller]
    pub(crate) fn choose(&self, begins: &str) {
        soon(&format!("the line {begins:?}"), || self.line(begins).is_some_and(|line| line.enabled));
        let line = self.line(begins).unwrap();
        match self.menu_proxy().call_method("Event", &(line.id, "clicked", Value::from(0), 0u32)) {
            // After "Quit" there may be no process left to answer; panels don't wait for one.
            Err(zbus::Error::MethodError(name, ..))
                if name.as_str() == "org.freedesktop.DBus.Error.NoReply" => {}
            chosen => {
                chosen.unwrap();
            }
        }
    }

    /// Clicks on the icon itself with the left button.
    pub(crate) fn click(&self) {
        self.item().call_method("Activate", &(0, 0)).unwrap();
    }
}
