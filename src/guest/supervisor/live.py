"""Passes on what a command prints while it runs, to a session that wants to follow it."""
from ..live import Live
from ..settings import LIVE_LATE_LOOK_SECONDS, LIVE_LATE_SHARE, LIVE_LOOK_SECONDS
from .loop import loop
from .replies import send


class Followed:
    """Looks at both outputs of one command from time to time, and passes on what is new.

    `after`: seconds until the first look. A command that ends before has nothing passed on, unless they are 0.
    """

    def __init__(self, id, ends, after):
        self.id, self.live, self.heard = id, Live(ends, LIVE_LATE_SHARE if after else 1), after == 0
        self.pause = LIVE_LATE_LOOK_SECONDS if after else LIVE_LOOK_SECONDS
        self.timer = loop.later(max(LIVE_LOOK_SECONDS, after), self.look)

    def look(self):
        self.heard = True
        self.pass_on()
        self.timer = loop.later(self.pause, self.look)

    def end(self):
        loop.drop(self.timer)
        if self.heard:
            self.pass_on(True)

    def pass_on(self, final=False):
        for message in self.live.messages(final):
            send({'of': self.id, **message})
