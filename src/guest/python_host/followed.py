"""What a followed call of a module prints, passed on as it is: the session masks it."""
import time

from ..live import Live, Recent
from ..settings import LIVE_LOOK_SECONDS
from .replies import send


class Followed:
    """Passes on the output of one call. `due`: when it is to be looked at again."""

    def __init__(self, id):
        self.id, self.ends = id, (Recent(), Recent())
        self.live, self.due = Live(self.ends), time.monotonic() + LIVE_LOOK_SECONDS

    def pass_on(self, final=False):
        for message in self.live.messages(final):
            send({'of': self.id, **message})
        self.due = time.monotonic() + LIVE_LOOK_SECONDS
