"""Output of programs, as an answer shows it."""
import os
import secrets

from .settings import HALF_OUTPUT_BYTES, MAX_OUTPUT_FILE_BYTES, WORKSPACE


class Output:
    """Output cut for an answer: its head, its tail, and the whole in a file of the workspace when it is long."""

    def __init__(self, label):
        self.name = 'logs/%s-%s.txt' % (label, secrets.token_hex(4))
        self.head, self.tail, self.size, self.file = bytearray(), bytearray(), 0, None

    def write(self, data):
        """Adds output. Returns the part that belongs to the head."""
        self.size += len(data)
        room = data[:max(0, HALF_OUTPUT_BYTES - len(self.head))]
        self.head += room
        rest = data[len(room):]
        if rest:
            self.tail += rest
            if len(self.tail) > 4 * HALF_OUTPUT_BYTES:
                del self.tail[:-HALF_OUTPUT_BYTES]
            if self.file is None:
                try:
                    os.makedirs(os.path.join(WORKSPACE, 'logs'), exist_ok=True)
                    self.file = open(os.path.join(WORKSPACE, self.name), 'wb', buffering=0)
                    self.file.write(self.head)
                except OSError:
                    self.file = False
            if self.file and self.size <= MAX_OUTPUT_FILE_BYTES:
                try:
                    self.file.write(rest)
                except OSError:
                    self.file.close()
                    self.file = False
        return room

    def kept(self):
        """The bytes that an answer would show, without the note on what is left out."""
        return bytes(self.head + self.tail)

    def end(self):
        """The output behind the head."""
        if self.file:
            self.file.close()
        if self.size <= 2 * HALF_OUTPUT_BYTES:
            return decode(self.tail)
        left = self.size - len(self.head) - HALF_OUTPUT_BYTES
        where = 'the whole is in ' + self.name if self.file else 'they were not kept'
        if self.size > MAX_OUTPUT_FILE_BYTES and self.file:
            where = 'the first %d bytes are in %s' % (MAX_OUTPUT_FILE_BYTES, self.name)
        return '\n[\u2026 %d of %d bytes left out here; %s \u2026]\n' % (left, self.size, where) + decode(self.tail[-HALF_OUTPUT_BYTES:])

    def text(self):
        return decode(self.head) + self.end()


def decode(data):
    return bytes(data).decode('utf-8', 'replace')
