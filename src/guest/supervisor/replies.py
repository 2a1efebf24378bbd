"""Replies: one line of JSON each."""
import json
import os
import threading

saying = threading.Lock()


def say(id, **reply):
    data = json.dumps({'id': id, **reply}, ensure_ascii=False).encode() + b'\n'
    with saying:
        while data:
            data = data[os.write(1, data):]
