"""Watching over a job's program until its end, or until it is ended."""
import os
import selectors
import signal
import time

from .place import place


class Watcher:
    """Watches over a program until its end, or the time of its end."""

    def __init__(self, child, spec, sink, said):
        self.child, self.sink, self.said = child, sink, said
        self.deadline, self.pause = time.monotonic() + spec['seconds'], spec['limits']['signal_seconds']
        # A command has ended when nothing that it started holds its output any more.
        self.outlives = said is None
        self.streams = selectors.DefaultSelector()
        self.streams.register(child.stdout, selectors.EVENT_READ, sink)
        if said:
            self.streams.register(child.stderr, selectors.EVENT_READ, said)
        self.how, self.signals, self.due, self.gone = 'exited', [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], 0, None

    def watch(self):
        while not self.is_over(time.monotonic()):
            for key, _ in self.streams.select(0.1) if self.streams.get_map() else []:
                data = os.read(key.fd, 65536)
                if data:
                    key.data.write(data)
                else:
                    self.streams.unregister(key.fileobj)
            now = time.monotonic()
            if self.how == 'exited' and (self.gone is None or self.outlives):
                self.how = self.why_now(now)
            if self.how != 'exited' and self.signals and now >= self.due and (self.outlives or self.child.poll() is None):
                self.send(now)
            if self.gone is None and self.child.poll() is not None:
                self.gone = now
            if not self.streams.get_map():
                time.sleep(0.05)
        if self.how != 'exited':
            end_all()
        self.sink.end()
        code = self.child.returncode
        return {'how': self.how, 'code': 128 - code if code < 0 else code, 'stderr': self.said.text() if self.said else ''}

    def why_now(self, now):
        if now > self.deadline:
            return 'timeout'
        if os.path.exists(place('stop')):
            return 'cancelled'
        return 'flooded' if self.sink.flooded else 'exited'

    def send(self, now):
        try:
            os.killpg(self.child.pid, self.signals.pop(0))
            self.due = now + self.pause
        except ProcessLookupError:
            self.signals = []

    def is_over(self, now):
        if self.gone is None:
            return False
        if not self.streams.get_map():
            return True
        ending = self.how != 'exited' and not self.signals and now >= self.due
        return now > self.gone + 0.5 and (not self.outlives or ending)


def mark(pid):
    try:
        with open('/proc/%s/limits' % pid) as file:
            return next((line.split()[3] for line in file if line.startswith('Max file locks')), None)
    except OSError:
        return None


def end_all():
    own = mark('self')
    for _ in range(40):
        left = [pid for pid in os.listdir('/proc') if pid.isdigit() and int(pid) != os.getpid() and mark(pid) == own]
        if own in (None, 'unlimited') or not left:
            return
        for pid in left:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.05)
