import time
print("before")
time.sleep(600)
print("after")
