hits=$(printf '%s' "$FILE_CONTENT" | grep -c ERROR)
echo "$hits in $(basename "$FILE_CONTENT_PATH")"
