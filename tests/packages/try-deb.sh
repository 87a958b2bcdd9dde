#!/bin/sh
# Installs a deb for real, uses what it brings, and removes it; run by `cargo xtask package deb`.
#
# All of it happens on an overlay of this system in memory and in mounts of its own, so that dpkg meets a whole system and
# nothing of it remains. Needs root, `unshare`, Xvfb and a D-Bus daemon.
set -eu
deb=$1

if [ "${2:-}" != inside ]; then
  layers=$(mktemp -d)
  trap 'rmdir "$layers"' EXIT
  here=$(cd "$(dirname "$0")" && pwd)
  # An own PID namespace: whatever was started ends with it.
  # shellcheck disable=SC2016 # the inner shell expands them
  unshare --mount --pid --fork --kill-child sh -eu -c '
    mount -t tmpfs -o size=2g layers "$1"
    mkdir "$1/upper" "$1/work" "$1/root"
    mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" root "$1/root"
    cp "$2" "$1/root/package.deb"
    cp "$3/try-deb.sh" "$1/root/try-deb.sh"
    mount -t proc proc "$1/root/proc"
    mount --rbind /dev "$1/root/dev"
    mount -t tmpfs tmp "$1/root/tmp"
    chmod 1777 "$1/root/tmp"
    exec chroot "$1/root" sh /try-deb.sh /package.deb inside
  ' sh "$layers" "$deb" "$here"
  exit 0
fi

fail() { echo "try-deb: $*" >&2; exit 1; }
# What a home holds: names, modes and contents.
state() { (cd "$1" && find . -printf '%p %m %l\n' -type f -exec sha256sum {} + | LC_ALL=C sort); }

export HOME=/tmp/home LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive
unset DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR PLIMSOLL_HOME 2>/dev/null || true
mkdir -p "$HOME/.claude" /tmp/project
cd /tmp/project
printf '{\n\t"theme": "dark" \n}\n' > "$HOME/.claude/settings.json"
state "$HOME" > /tmp/untouched

# Where an earlier one is installed, it makes way.
dpkg --purge plimsoll >/dev/null 2>&1 || true
dpkg -i "$deb" > /tmp/install.log 2>&1 || { cat /tmp/install.log; fail "it cannot be installed"; }
[ "$(dpkg-query -W -f '${db:Status-Status}' plimsoll)" = installed ] || fail "dpkg does not call it installed"
state "$HOME" | cmp -s - /tmp/untouched || fail "installing it changed a home"
dpkg --verify plimsoll > /tmp/verify
[ ! -s /tmp/verify ] || fail "files differ from the package: $(cat /tmp/verify)"
dpkg -L plimsoll > /tmp/files
for file in /usr/bin/plimsoll /usr/bin/plimsoll-desktop /usr/share/applications/plimsoll-desktop.desktop \
  /usr/share/metainfo/dev.plimsoll.Plimsoll.metainfo.xml /usr/share/icons/hicolor/scalable/apps/plimsoll.svg \
  /usr/share/icons/hicolor/symbolic/apps/plimsoll-symbolic.svg /usr/share/icons/hicolor/48x48/apps/plimsoll.png \
  /usr/share/man/man1/plimsoll.1.gz /usr/share/doc/plimsoll/copyright /usr/share/doc/plimsoll/third-party-licences.txt; do
  grep -qx "$file" /tmp/files || fail "$file is not in the package"
done
for part in "rusqlite " "rmcp " "tauri " "svelte " "bits-ui "; do
  grep -q "^  $part" /usr/share/doc/plimsoll/third-party-licences.txt || fail "the licences say nothing of $part"
done
echo "   installed: $(wc -l < /tmp/files) paths, every file as packed, the home untouched"

# The sidecar.
version=$(plimsoll --version)
[ "$version" = "plimsoll $(dpkg-query -W -f '${source:Upstream-Version}' plimsoll)" ] || fail "--version said $version"
hello='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"claude-code","version":"2.1.197"}}}'
printf '%s\n' "$hello" | timeout 60 plimsoll mcp --agent claude-code > /tmp/answer || fail "the server ended with $?"
grep -q '"serverInfo"' /tmp/answer || fail "no answer to initialize: $(cat /tmp/answer)"
echo "   $version answers initialize"

# The desktop, without a screen and with one.
timeout 60 plimsoll-desktop > /tmp/headless 2>&1 || fail "without a screen it ended with $?"
grep -q 'plimsoll setup' /tmp/headless || fail "without a screen it said: $(cat /tmp/headless)"
cat > /tmp/desktop.sh <<'EOF'
plimsoll-desktop > /tmp/desktop.log 2>&1 &
app=$!
# Toolkits make windows that nobody sees: counted is one that is shown, has our title, and is large enough to work in.
shown() {
  for id in $(xwininfo -root -tree | sed -n 's/^ *\(0x[0-9a-f]*\) "Plimsoll[^"]*":.*/\1/p'); do
    xwininfo -id "$id" > /tmp/xwininfo
    grep -q 'Map State: IsViewable' /tmp/xwininfo || continue
    width=$(sed -n 's/^ *Width: //p' /tmp/xwininfo)
    height=$(sed -n 's/^ *Height: //p' /tmp/xwininfo)
    [ "$width" -ge 640 ] && [ "$height" -ge 400 ] && echo "$width x $height" && return 0
  done
  return 1
}
tries=0
until shown > /tmp/shown; do
  kill -0 "$app" 2>/dev/null || { cat /tmp/desktop.log; echo "it ended"; exit 1; }
  tries=$((tries + 1))
  [ "$tries" -lt 240 ] || { cat /tmp/desktop.log; xwininfo -root -tree; echo "no window in a minute"; exit 1; }
  sleep 0.25
done
kill "$app"
wait "$app" || true
EOF
timeout 150 dbus-run-session -- xvfb-run --auto-servernum --server-args='-screen 0 1280x800x24' sh /tmp/desktop.sh \
  > /tmp/window 2>&1 || fail "the desktop: $(cat /tmp/window)"
echo "   the desktop opens its window, $(cat /tmp/shown)"

# Connected, then removed: what was connected stays, and can be disconnected without the package.
plimsoll connect claude-code --yes > /tmp/connect.log 2>&1 || { cat /tmp/connect.log; fail "connecting failed"; }
grep -q plimsoll "$HOME/.claude/settings.json" || fail "connecting wrote nothing"
state "$HOME" > /tmp/connected
dpkg --purge plimsoll > /tmp/remove.log 2>&1 || { cat /tmp/remove.log; fail "it cannot be removed"; }
grep -q 'bin/plimsoll uninstall --all' /tmp/remove.log || fail "removing it does not say how to disconnect"
state "$HOME" | cmp -s - /tmp/connected || fail "removing it changed a home"
while read -r path; do
  case $path in */plimsoll*) [ ! -e "$path" ] || fail "$path was left" ;; esac
done < /tmp/files
echo "   removed: nothing left, the home untouched, and it says how to disconnect"

"$HOME/.plimsoll/bin/plimsoll" uninstall --all --yes > /tmp/uninstall.log 2>&1 || { cat /tmp/uninstall.log; fail "disconnecting failed"; }
grep -v '^\./\.claude.json' /tmp/untouched > /tmp/before
# Folders that the desktop's own toolkit made (caches, window state) are not agents' files.
state "$HOME" | grep -E '\.claude|sha256|^[0-9a-f]{64}' | grep '\.claude' > /tmp/after || true
grep '\.claude' /tmp/before > /tmp/expected
cmp -s /tmp/after /tmp/expected || { diff /tmp/expected /tmp/after; fail "disconnecting without the package did not bring the files back"; }
echo "   disconnected without the package: the agent's files are back to the byte"
