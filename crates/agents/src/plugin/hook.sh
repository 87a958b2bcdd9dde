plimsoll_program="${PLIMSOLL_HOME:-$HOME/.plimsoll}/bin/plimsoll"
[ -x "$plimsoll_program" ] || plimsoll_program=$(command -v plimsoll 2>/dev/null)
if [ -n "$plimsoll_program" ]; then
  plimsoll_answer=$(PLIMSOLL_PLUGIN=1 "$plimsoll_program" hook "$0" "$@" 2>/dev/null) && printf %s "$plimsoll_answer"
@OTHERWISE@fi
exit 0
