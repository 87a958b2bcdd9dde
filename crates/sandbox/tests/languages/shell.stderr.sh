echo careful >&2
echo done
