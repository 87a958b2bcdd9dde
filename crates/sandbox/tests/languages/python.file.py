from __future__ import annotations
import os
hits = sum("ERROR" in line for line in FILE_CONTENT.splitlines())
print(f"{hits} in {os.path.basename(FILE_CONTENT_PATH)}")
