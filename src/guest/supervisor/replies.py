"""Replies and other messages: one line of JSON each."""
import json
import os
import threading

saying = threading.Lock()


def say(id, **reply):
    send({'id': id, **reply})


def send(message):
    data = json.dumps(message, ensure_ascii=False).encode() + b'\n'
    with saying:
        while data:
            data = data[os.write(1, data):]
