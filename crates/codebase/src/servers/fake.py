#!/usr/bin/env python3
"""A language server of the tests: answers, or does what its first word says."""
import json
import os
import sys
import time

mode = sys.argv[1]
beside = os.path.dirname(os.path.abspath(sys.argv[0]))
# Each start is noted, so that a test knows how many there were.
with open(os.path.join(beside, "started"), "a") as started:
    started.write("x")


def read():
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        if line == b"\r\n":
            return json.loads(sys.stdin.buffer.read(length))
        name, value = line.decode().split(":")
        if name.lower() == "content-length":
            length = int(value)


def write(message):
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def place(uri, line, character):
    return {"uri": uri, "range": {"start": {"line": line, "character": character}, "end": {"line": line, "character": character}}}


root = ""
changes = []
while True:
    message = read()
    method = message.get("method")
    if method == "initialize":
        root = message["params"]["rootUri"]
        write({"jsonrpc": "2.0", "id": 900, "method": "workspace/configuration", "params": {"items": [{}, {}]}})
        write({"jsonrpc": "2.0", "id": message["id"], "result": {"capabilities": {}}})
    elif method == "initialized" and mode != "reads":
        status = {"quiescent": True, "health": "ok"}
        if mode == "ails":
            status |= {"health": "error", "message": "Failed to load workspaces."}
        write({"jsonrpc": "2.0", "method": "experimental/serverStatus", "params": status})
        write({"jsonrpc": "2.0", "method": "window/logMessage", "params": {"message": "Found 3 source files"}})
        if mode == "deaf":
            time.sleep(600)
    elif method == "workspace/didChangeWatchedFiles":
        changes += message["params"]["changes"]
    elif method == "textDocument/didOpen":
        with open(os.path.join(beside, "opened"), "a") as opened:
            opened.write(message["params"]["textDocument"]["languageId"] + "\n")
    elif method == "textDocument/references":
        if mode == "sleeps":
            time.sleep(600)
        while mode == "chatters":
            write({"jsonrpc": "2.0", "method": "window/logMessage", "params": {"message": "and then"}})
        if mode == "crashes":
            sys.stderr.write("starting\nerror: no such toolchain\nand where it was\n")
            sys.exit(3)
        if mode == "babbles":
            sys.stdout.write("not a header at all\n" * 50)
            sys.stdout.flush()
            time.sleep(600)
        if mode == "floods":
            sys.stdout.buffer.write(b"Content-Length: 4000000000\r\n\r\n" + b"x" * 1_000_000)
            sys.stdout.flush()
            time.sleep(600)
        if mode == "refuses":
            write({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32603, "message": "not today"}})
            continue
        at = message["params"]["position"]
        result = [
            # Behind two letters of two bytes each.
            place(root + "/b.rs", 0, 3),
            place("file:///etc/passwd", 0, 0),
            place(root + "/nowhere.rs", 0, 0),
            {"nonsense": True},
            place(root + "/a.rs", at["line"], at["character"]),
        ]
        result += [place(root + "/b.rs", 1, len(changes))]
        told = os.path.join(beside, "uses.json")
        if os.path.exists(told):
            with open(told) as file:
                result = [place(root + "/" + path, line, character) for path, line, character in json.load(file)]
        write({"jsonrpc": "2.0", "id": message["id"], "result": result})
