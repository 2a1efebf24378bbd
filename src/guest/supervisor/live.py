"""Passes on what a command prints while it runs, to a session that wants to follow it."""
import codecs
import time

from ..settings import LIVE_BURST_BYTES, LIVE_BYTES_A_SECOND, LIVE_LOOK_SECONDS, LIVE_MESSAGE_BYTES
from .loop import loop
from .replies import send


class Live:
    """Follower of both outputs of one command. What comes faster than it may is skipped, and the newest is shown."""

    def __init__(self, id, ends):
        self.id, self.count = id, 0
        self.channels = [Channel(name, end) for name, end in zip(('stdout', 'stderr'), ends)]
        self.allowed, self.at = LIVE_BURST_BYTES, time.monotonic()
        self.timer = loop.later(LIVE_LOOK_SECONDS, self.look)

    def look(self):
        self.pass_on()
        self.timer = loop.later(LIVE_LOOK_SECONDS, self.look)

    def end(self):
        loop.drop(self.timer)
        self.allowed = max(self.allowed, LIVE_BYTES_A_SECOND)
        self.pass_on(True)

    def pass_on(self, final=False):
        now = time.monotonic()
        self.allowed = min(LIVE_BURST_BYTES, self.allowed + LIVE_BYTES_A_SECOND * (now - self.at))
        self.at = now
        for channel in self.channels:
            for text, skipped in channel.pieces(int(self.allowed), final):
                self.count += 1
                # Each has a number: a message may be heard by two connections.
                size = send({'of': self.id, 'n': self.count, 'stream': channel.name, 'text': text, 'skipped': skipped})
                self.allowed = max(0, self.allowed - size)


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


def decoder():
    return codecs.getincrementaldecoder('utf-8')('replace')
