Write-Output "before"
Start-Sleep 600
Write-Output "after"
