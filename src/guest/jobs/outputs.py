"""Outputs of a job: the lines of a program, the end of what it says on stderr, and the log of a command."""
import os

from ..mask import Mask
from .place import place


def masked(line, secrets):
    for secret in secrets:
        line = line.replace(secret, b'***')
    return line.decode('utf-8', 'replace').encode()


class Lines:
    """Output of a program: whole lines in `out`. The last line says how the program ended, however much was printed before it."""

    def __init__(self, secrets, limits):
        self.secrets, self.max_line, self.max_size = secrets, limits['max_line_bytes'], limits['max_output_bytes']
        self.out = open(place('out'), 'wb', buffering=0)
        self.partial, self.skipping, self.size, self.dropped, self.flooded = b'', False, 0, None, False

    def write(self, data):
        *lines, self.partial = (self.partial + data).split(b'\n')
        for line in lines:
            if self.skipping or len(line) > self.max_line:
                self.skipping = False
                continue
            line = masked(line, self.secrets) + b'\n'
            if self.dropped or self.size + len(line) > self.max_size:
                self.dropped = line
                continue
            self.out.write(line)
            self.size += len(line)
        if len(self.partial) > self.max_line:
            self.partial, self.skipping = b'', True

    def end(self):
        if self.partial and not self.skipping:
            self.out.write(masked(self.partial, self.secrets) + b'\n')
        if self.dropped:
            self.out.write(self.dropped)


class Tail:
    """The end of what a program printed to stderr."""

    def __init__(self, secrets, max_chars):
        self.secrets, self.max_chars, self.said = secrets, max_chars, b''

    def write(self, data):
        self.said = (self.said + data)[-65536:]

    def text(self):
        return masked(self.said, self.secrets).decode()[-self.max_chars:]


class Log:
    """Output of a command, in a file of the workspace, secrets masked: the start of a long one, and its end when it has ended."""

    def __init__(self, name, secrets, limits):
        self.mask = Mask(secrets, limits['max_line_bytes'])
        self.max_size, self.max_tail, self.max_printed = limits['max_log_bytes'], limits['max_log_tail_bytes'], limits['max_printed_bytes']
        self.size, self.tail, self.left_out, self.flooded = 0, b'', 0, False
        os.makedirs(os.path.dirname(name), exist_ok=True)
        self.file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)

    def write(self, data):
        self.add(self.mask.feed(data))

    def add(self, data):
        room = self.max_size - self.size
        self.put(data[:room])
        self.size += min(len(data), room)
        if len(data) > room:
            if not self.left_out:
                self.put(b'\n[... the log is full: of what follows its end alone is added, when the job ends ...]\n')
            self.left_out += len(data) - room
            self.tail = (self.tail + data[room:])[-self.max_tail:]
        self.flooded = self.size + self.left_out > self.max_printed

    def put(self, data):
        try:
            while data:
                data = data[os.write(self.file, data):]
        except OSError:
            pass  # a full disk does not end the command

    def end(self):
        self.add(self.mask.held)
        if self.left_out > len(self.tail):
            self.put(b'[... %d bytes left out ...]\n' % (self.left_out - len(self.tail)))
        self.put(self.tail)
