//! Edits of members and of functions whose names libraries have as well.

use super::World;

#[test]
fn a_member_of_a_library_is_no_use_of_ones_own() {
    let world = World::new();
    for (path, text) in [
        (
            "py/cache.py",
            "class Cache:\n    def evict(self, key):\n        return key\n\n\ndef flush(all):\n    return all\n",
        ),
        ("py/own.py", "from cache import Cache\n\n\ndef tidy(cache):\n    return cache.evict(1)\n"),
        ("py/named.py", "def tidy(cache: 'Cache'):\n    return cache.evict(2)\n"),
        ("py/other.py", "def tidy(table):\n    return table.evict(3)\n"),
        ("py/output.py", "import sys\n\n\ndef end():\n    sys.stdout.flush()\n"),
        ("py/plain.py", "from cache import flush\n\n\ndef end():\n    return flush([])\n"),
    ] {
        world.write(path, text);
    }
    world.index();
    let told = world.edit("py/cache.py", "        return key", "        return [key]").unwrap();
    assert!(told.contains("py/own.py:5") && told.contains("py/named.py:2"), "{told}");
    assert!(!told.contains("py/other.py"), "{told}");
    let told = world.edit("py/cache.py", "    return all", "    return list(all)").unwrap();
    assert!(told.contains("py/plain.py:5") && !told.contains("py/output.py"), "{told}");
}
