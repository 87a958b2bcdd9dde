# Starts Plimsoll's server, or one that says that Plimsoll is not installed.
plimsoll_program="${PLIMSOLL_HOME:-$HOME/.plimsoll}/bin/plimsoll"
[ -x "$plimsoll_program" ] || plimsoll_program=$(command -v plimsoll 2>/dev/null)
if [ -n "$plimsoll_program" ]; then
  PLIMSOLL_PLUGIN=1
  export PLIMSOLL_PLUGIN
  exec "$plimsoll_program" mcp --agent "$0"
fi
plimsoll_open=$(printf '\001')
plimsoll_close=$(printf '\002')
# The message without what is nested: no braces in texts, then no object in the object.
plimsoll_outer="s/\\\\.//g
s/\"\\([^\"]*\\)\"/$plimsoll_open\\1$plimsoll_close/g
:text
s/\\($plimsoll_open[^$plimsoll_close]*\\)[{}]/\\1/
t text
:object
s/\\({.*\\){[^{}]*}/\\1/
t object
s/[$plimsoll_open$plimsoll_close]/\"/g"
while IFS= read -r plimsoll_line; do
  plimsoll_own=$(printf '%s\n' "$plimsoll_line" | LC_ALL=C sed -e "$plimsoll_outer")
  case $plimsoll_own in *'"method"'*) ;; *) continue ;; esac
  plimsoll_id=$(printf '%s\n' "$plimsoll_own" | sed -n -e 's/.*"id" *: *\("[^"]*"\).*/\1/p' -e 's/.*"id" *: *\([0-9][0-9]*\).*/\1/p' | sed -n 1p)
  [ -n "$plimsoll_id" ] || continue
  plimsoll_version=$(printf '%s\n' "$plimsoll_line" | sed -n 's/.*"protocolVersion" *: *"\([^"]*\)".*/\1/p')
  [ -n "$plimsoll_version" ] || plimsoll_version=2025-06-18
  case $plimsoll_own in
    *'"initialize"'*) plimsoll_answer='"result":{"protocolVersion":"'$plimsoll_version'","capabilities":{"tools":{}},"serverInfo":{"name":"plimsoll","version":"0"},"instructions":"@MISSING@"}' ;;
    *'"tools/list"'*) plimsoll_answer='"result":{"tools":[]}' ;;
    *'"ping"'*) plimsoll_answer='"result":{}' ;;
    *) plimsoll_answer='"error":{"code":-32601,"message":"@MISSING@"}' ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$plimsoll_id" "$plimsoll_answer"
done
