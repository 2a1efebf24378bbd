"""Passes a question on to the host of notebook and shells, by its Unix socket, and its reply back as text.

A host that does not answer holds up nobody else. A followed call's messages come before the reply, a line of JSON each. Replies: `said` (the host's reply, unread), `missing` (no host listens
there), or `stopped`.
"""
import json
import select
import socket
import time

from ..settings import LIVE_BURST_BYTES, LIVE_BYTES_A_SECOND, MAX_CONSOLE_REPLY_BYTES
from .links import give
from .loop import loop
from .replies import say, send

# Fields of a message about what a call prints.
LIVE_FIELDS = {'n': int, 'stream': str, 'text': str, 'skipped': int}
questions = {}


class Question:
    def __init__(self, request):
        self.id, self.given, self.said = request['id'], bytearray(request['ask'].encode() + b'\n'), bytearray()
        self.live, self.passed, self.began = 'live' in request, 0, time.monotonic()
        self.link = socket.socket(socket.AF_UNIX)
        self.link.setblocking(False)
        try:
            self.link.connect(request['socket'])
        except OSError:
            self.link.close()
            return say(self.id, missing=True)
        questions[self.id] = self
        self.give()

    def give(self):
        try:
            give(self.link, self.given)
        except OSError:
            self.given.clear()  # it has ended, which its end of the link says
        loop.listen(self.link.fileno(), select.POLLIN | (select.POLLOUT if self.given else 0), self.look)

    def look(self):
        if self.given:
            self.give()
        try:
            data = self.link.recv(1 << 20)
        except BlockingIOError:
            return
        except OSError:
            data = b''
        self.said += data
        while self.live and b'\n' in self.said:
            line, _, self.said = self.said.partition(b'\n')
            self.pass_on(line)
        if not data or len(self.said) > MAX_CONSOLE_REPLY_BYTES:
            said = self.said.decode('utf-8', 'replace')
            # JSON of the host's has no bare controls, and becomes twice as long at most.
            whole = not data and len(json.dumps(said)) <= 2 * MAX_CONSOLE_REPLY_BYTES + 4096
            self.end(said=said if whole else '')

    def pass_on(self, line):
        """Passes on a message about what the call prints. A host that sends more than it may is not ours, and is not heard."""
        try:
            said = json.loads(line)
            message = {name: kind(said[name]) for name, kind in LIVE_FIELDS.items()}
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return
        self.passed += len(message['text'])
        if self.passed <= 2 * (LIVE_BURST_BYTES + LIVE_BYTES_A_SECOND * (1 + time.monotonic() - self.began)):
            send({'of': self.id, **message})

    def end(self, **reply):
        del questions[self.id]
        loop.ignore(self.link.fileno())
        self.link.close()
        say(self.id, **reply)


def stop_question(id):
    if id in questions:
        questions[id].end(stopped=True)
