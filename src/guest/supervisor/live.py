"""Passes on what a command prints while it runs, to a session that wants to follow it."""
from ..live import Live
from ..settings import LIVE_LOOK_SECONDS
from .loop import loop
from .replies import send


class Followed:
    """Looks at both outputs of one command from time to time, and passes on what is new.

    `after`: seconds until the first look. A command that ends before has nothing passed on, unless they are 0.
    """

    def __init__(self, id, ends, after):
        self.id, self.live, self.heard = id, Live(ends), after == 0
        self.timer = loop.later(max(LIVE_LOOK_SECONDS, after), self.look)

    def look(self):
        self.heard = True
        self.pass_on()
        self.timer = loop.later(LIVE_LOOK_SECONDS, self.look)

    def end(self):
        loop.drop(self.timer)
        if self.heard:
            self.pass_on(True)

    def pass_on(self, final=False):
        for message in self.live.messages(final):
            send({'of': self.id, **message})
