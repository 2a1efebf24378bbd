"""Waits: for descriptors, for times, for the end of children.

No callback may wait for anything; work that has to goes into a thread.
"""
import collections
import heapq
import os
import select
import signal
import threading
import time

class Loop:
    """Event loop for descriptors, times, and the ends of children."""

    def __init__(self):
        self.poll, self.listeners, self.times, self.count = select.poll(), {}, [], 0
        self.finished = collections.deque()
        # Called when a child may have ended.
        self.children_ended = lambda: None
        self.wake, self.woken = os.pipe()
        os.set_blocking(self.wake, False)
        os.set_blocking(self.woken, False)
        signal.set_wakeup_fd(self.woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.listen(self.wake, select.POLLIN, self.rouse)

    def listen(self, descriptor, events, listener):
        self.listeners[descriptor] = listener
        self.poll.register(descriptor, events)

    def ignore(self, descriptor):
        del self.listeners[descriptor]
        self.poll.unregister(descriptor)

    def later(self, seconds, listener):
        """Calls `listener` at that time. Returns a handle for `drop`."""
        self.count += 1
        entry = [time.monotonic() + seconds, self.count, listener]
        heapq.heappush(self.times, entry)
        return entry

    def drop(self, entry):
        entry[2] = None

    def aside(self, work, done):
        """Calls `work` in a thread of its own, and then `done` with its result; None where it failed, or there is no thread."""
        def run():
            try:
                result = work()
            except Exception:
                result = None
            self.finished.append((done, result))
            os.write(self.woken, b'.')
        try:
            threading.Thread(target=run, daemon=True).start()
        except RuntimeError:  # a command has taken all threads
            done(None)

    def rouse(self):
        try:
            os.read(self.wake, 4096)
        except BlockingIOError:
            pass
        while self.finished:
            done, result = self.finished.popleft()
            done(result)
        self.children_ended()

    def run(self):
        while True:
            while self.times and (self.times[0][2] is None or self.times[0][0] <= time.monotonic()):
                listener = heapq.heappop(self.times)[2]
                if listener:
                    listener()
            patience = max(0, self.times[0][0] - time.monotonic()) * 1000 + 1 if self.times else None
            for descriptor, _ in self.poll.poll(patience):
                if descriptor in self.listeners:
                    self.listeners[descriptor]()


loop = Loop()
