$hits = ($FILE_CONTENT -split "`n" | Where-Object { $_ -match 'ERROR' }).Count
Write-Output "$hits in $(Split-Path -Leaf $FILE_CONTENT_PATH)"
