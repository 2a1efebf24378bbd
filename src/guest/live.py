"""What a program prints, while it prints it, as messages to a session that follows it."""
import codecs
import json
import time

from .settings import LIVE_BURST_BYTES, LIVE_BYTES_A_SECOND, LIVE_MESSAGE_BYTES


class Live:
    """Follower of a program's stdout and stderr. What comes faster than it may is skipped, and the newest is shown."""

    def __init__(self, ends, share=1):
        """`share`: part of the bytes that a follower may get, for one that nobody may be behind."""
        self.burst, self.rate = int(LIVE_BURST_BYTES * share), LIVE_BYTES_A_SECOND * share
        self.count, self.allowed, self.at = 0, self.burst, time.monotonic()
        self.channels = [Channel(name, end) for name, end in zip(('stdout', 'stderr'), ends)]

    def messages(self, final=False):
        """Messages about the text since the last time. `final`: nothing comes after it."""
        now = time.monotonic()
        self.allowed = min(self.burst, self.allowed + self.rate * (now - self.at))
        self.at = now
        if final:
            self.allowed = max(self.allowed, self.rate)
        for channel in self.channels:
            for text, skipped in channel.pieces(int(self.allowed), final):
                self.count += 1
                # Each has a number: a message may be heard by two connections.
                message = {'n': self.count, 'stream': channel.name, 'text': text, 'skipped': skipped}
                self.allowed = max(0, self.allowed - len(json.dumps(message, ensure_ascii=False).encode()))
                yield message


class Channel:
    def __init__(self, name, end):
        self.name, self.end, self.at, self.decoder = name, end, 0, decoder()

    def pieces(self, allowed, final):
        """New text, each piece with the bytes skipped before it: `allowed` bytes at most, the newest of them."""
        size = self.end.size()
        skipped = max(0, size - self.at - allowed)
        if skipped and not final and allowed < LIVE_MESSAGE_BYTES:
            return
        if skipped:
            self.at, self.decoder = size - allowed, decoder()
            start = self.end.bytes(3, self.at)
            # The rest of a character that began before.
            whole = len(start) - len(start.lstrip(bytes(range(0x80, 0xc0))))
            self.at, skipped = self.at + whole, skipped + whole
        while self.at < size:
            data = self.end.bytes(min(LIVE_MESSAGE_BYTES, size - self.at), self.at)
            if not data:
                break
            self.at += len(data)
            text = self.decoder.decode(data, final and self.at >= size)
            if text or skipped:
                yield text, skipped
            skipped = 0


class Recent:
    """Bytes of an output that is kept nowhere else: the newest LIVE_BURST_BYTES at least, which are all that a follower may get at once."""

    def __init__(self):
        self.start, self.kept = 0, bytearray()

    def write(self, data):
        self.kept += data
        if len(self.kept) > 2 * LIVE_BURST_BYTES:
            self.start += len(self.kept) - LIVE_BURST_BYTES
            del self.kept[:-LIVE_BURST_BYTES]

    def size(self):
        return self.start + len(self.kept)

    def bytes(self, size, at):
        return bytes(self.kept[at - self.start:at - self.start + size])


def decoder():
    return codecs.getincrementaldecoder('utf-8')('replace')
