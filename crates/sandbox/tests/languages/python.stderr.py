import sys
print("careful", file=sys.stderr)
print("done")
