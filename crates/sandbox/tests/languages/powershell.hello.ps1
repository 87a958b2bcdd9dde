Write-Output "hello"
