"""What a followed call prints, passed on by the connection that its reply will come by."""
import contextlib
import json
import threading

from ..live import Live, Recent
from ..settings import LIVE_LATE_LOOK_SECONDS, LIVE_LATE_SHARE, LIVE_LOOK_SECONDS


class Listener:
    """Whoever asks, and for how many seconds they wait before they want to hear what is printed. Those who wait for none hear all of it."""

    def __init__(self, link, after):
        self.link, self.after = link, after


class Follower:
    """Output of one call, as its threads print it. Whoever asks for the call again follows it from where the last one stopped."""

    def __init__(self, after=0):
        self.lock, self.ends = threading.Lock(), {'stdout': Recent(), 'stderr': Recent()}
        self.live = Live(self.ends.values(), LIVE_LATE_SHARE if after else 1)

    def write(self, name, data):
        with self.lock:
            self.ends[name].write(data)

    @contextlib.contextmanager
    def passed_on(self, listener, ended=lambda: True):
        """Passes on new output while the body waits. `ended`: whether nothing comes after it."""
        over, heard, sending = threading.Event(), threading.Event(), threading.Lock()
        threading.Thread(target=self.look, args=(listener, over, heard, sending), daemon=True).start()
        try:
            yield
        finally:
            # Nothing is sent behind it by the thread, whose end is not waited for: that takes longer than a quick cell.
            with sending:
                over.set()
            if heard.is_set() or not listener.after:
                self.send(listener.link, ended())

    def look(self, listener, over, heard, sending):
        wait = max(LIVE_LOOK_SECONDS, listener.after)
        while not over.wait(wait):
            with sending:
                if over.is_set():
                    return
                heard.set()
                self.send(listener.link)
            wait = LIVE_LATE_LOOK_SECONDS if listener.after else LIVE_LOOK_SECONDS

    def send(self, link, final=False):
        with self.lock:
            messages = list(self.live.messages(final))
        # Without the lock: what prints does not wait for who reads.
        try:
            for message in messages:
                link.sendall(json.dumps(message, ensure_ascii=False).encode() + b'\n')
        except OSError:
            pass  # the process that passes messages on has ended: the reply says it all


def follower(listener):
    """A follower for a call with a listener; None without one."""
    return None if listener is None else Follower(listener.after)


def passed_on(follower, listener, ended=lambda: True):
    return contextlib.nullcontext() if follower is None or listener is None else follower.passed_on(listener, ended)
