"""Replies and other messages: one line of JSON each."""
import json
import os
import threading

saying = threading.Lock()


def say(id, **reply):
    send({'id': id, **reply})


def send(message):
    """Sends a message. Returns its size in bytes."""
    data = json.dumps(message, ensure_ascii=False).encode() + b'\n'
    size = len(data)
    with saying:
        while data:
            data = data[os.write(1, data):]
    return size
