"""What a followed call prints, passed on by the connection that its reply will come by."""
import contextlib
import json
import threading

from ..live import Live, Recent
from ..settings import LIVE_LOOK_SECONDS


class Follower:
    """Output of one call, as its threads print it. Whoever asks for the call again follows it from where the last one stopped."""

    def __init__(self):
        self.lock, self.ends = threading.Lock(), {'stdout': Recent(), 'stderr': Recent()}
        self.live = Live(self.ends.values())

    def write(self, name, data):
        with self.lock:
            self.ends[name].write(data)

    @contextlib.contextmanager
    def passed_on(self, link, ended=lambda: True):
        """Passes on new output while the body waits. `ended`: whether nothing comes after it."""
        over = threading.Event()
        thread = threading.Thread(target=self.look, args=(link, over), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            self.send(link, ended())

    def look(self, link, over):
        while not over.wait(LIVE_LOOK_SECONDS):
            self.send(link)

    def send(self, link, final=False):
        with self.lock:
            messages = list(self.live.messages(final))
        # Without the lock: what prints does not wait for who reads.
        try:
            for message in messages:
                link.sendall(json.dumps(message, ensure_ascii=False).encode() + b'\n')
        except OSError:
            pass  # the process that passes messages on has ended: the reply says it all


def follower(link):
    """A follower for a call that is followed by `link`; None without one."""
    return None if link is None else Follower()


def passed_on(follower, link, ended=lambda: True):
    return contextlib.nullcontext() if follower is None or link is None else follower.passed_on(link, ended)
