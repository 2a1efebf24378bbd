"""Calls of tools by the program of a command, over a socket that the command alone has.

The socket is a descriptor of the command's shell, without a name: no other process of the sandbox can open it, and it ends with the
command. Each line of the program is a call, and goes to the session unread, with its number in the order of the lines; the answer
comes back as a line of that number and the answer's text. A line that is too long goes as an empty one.
"""
import select
import socket

from ..settings import CALLS_DESCRIPTOR, CALLS_VARIABLE, MAX_CODE_CALL_BYTES, MAX_CODE_CALLS_AT_ONCE, MAX_SENT_CODE_CALLS
from .links import give
from .loop import loop
from .replies import say, send
from .watcher_count import watched

# Calls by the id of their command.
open_calls = {}


class Calls:
    def __init__(self, id, watch):
        self.id, self.watch, self.count, self.waiting, self.given, self.heard = id, watch, 0, set(), bytearray(), bytearray()
        self.link, self.theirs = socket.socketpair()
        self.link.setblocking(False)
        # True while the rest of a line that is too long is left out.
        self.listens, self.skips = False, False

    def environment(self):
        return {CALLS_VARIABLE: str(CALLS_DESCRIPTOR)}

    def number(self):
        """Descriptor for the command."""
        return self.theirs.fileno()

    def begin(self):
        self.theirs.close()
        open_calls[self.id] = self
        self.listen()

    def listen(self):
        """Listens for what can be done. A program that waits for many answers is not heard: its next calls wait in the socket."""
        hears = len(self.waiting) < MAX_CODE_CALLS_AT_ONCE
        events = (select.POLLIN if hears else 0) | (select.POLLOUT if self.given else 0)
        if events:
            loop.listen(self.link.fileno(), events, self.look)
        elif self.listens:
            loop.ignore(self.link.fileno())
        self.listens = events != 0

    def look(self):
        try:
            give(self.link, self.given)
        except OSError:
            return self.close()
        if len(self.waiting) < MAX_CODE_CALLS_AT_ONCE:
            try:
                data = self.link.recv(1 << 16)
            except BlockingIOError:
                data = None
            except OSError:
                data = b''
            if data == b'':
                return self.close()
            self.heard += data or b''
        self.pass_on()

    def pass_on(self):
        end = b'\n'
        while len(self.waiting) < MAX_CODE_CALLS_AT_ONCE:
            line, end, rest = self.heard.partition(b'\n')
            if not end:
                break
            if self.skips or len(line) > MAX_CODE_CALL_BYTES:
                line, self.skips = b'', False
            self.heard, self.count = rest, self.count + 1
            if self.count > MAX_SENT_CODE_CALLS:
                return self.close()
            self.waiting.add(self.count)
            self.send(self.count, line.decode('utf-8', 'replace'))
        if not end and len(self.heard) > MAX_CODE_CALL_BYTES:
            self.heard, self.skips = bytearray(), True
        self.listen()

    def send(self, number, line):
        """Sends a call with the watcher's count, by which the session knows whether it has the files as they are."""
        def counted(count):
            if open_calls.get(self.id) is self:
                send({'of': self.id, 'n': number, 'call': line, 'watched': count})
        watched(self.watch, counted)

    def answer(self, number, text):
        if number in self.waiting:
            self.waiting.remove(number)
            self.given += b'%d %s\n' % (number, text.encode())
            self.pass_on()

    def close(self):
        """Ends the calls: the program's next one fails. Called when the command ends, too."""
        if open_calls.get(self.id) is self:
            del open_calls[self.id]
            if self.listens:
                loop.ignore(self.link.fileno())
        self.link.close()
        self.theirs.close()


def answer(request):
    calls = open_calls.get(request['of'])
    if calls:
        calls.answer(request['n'], request['text'])
    say(request['id'], answered=calls is not None)
