"""A shell in the sandbox, and the interactive one that calls share."""
import contextlib
import fcntl
import os
import queue
import resource
import select
import signal
import struct
import subprocess
import termios
import threading
import time

from ..output import Output
from ..processes import end_group, members
from ..settings import HOST_MARK, MAX_CONSOLE_COMMAND_SECONDS, WORKSPACE
from .errors import Refused
from .live import Follower

# Looks at a shell that find it waiting, in a row, until it counts as idle: between two of its steps it waits, too.
QUIET_LOOKS = 3
# A bash that reads commands from a pipe would end by SIGINT. With a trap it ends the command, and the loops around it.
ON_INTERRUPT = b"trap 'break 999 2>/dev/null' INT\n"


class Shell:
    def __init__(self, label, merged, kept=False):
        self.label = label
        self.process = subprocess.Popen(['/bin/bash'], cwd=WORKSPACE, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merged else subprocess.PIPE, start_new_session=True)
        # Before it has a command. The host itself has another mark while something goes on.
        resource.prlimit(self.process.pid, 10, (HOST_MARK, HOST_MARK))
        self.input, self.kept = queue.Queue(64), kept
        if kept:
            self.input.put_nowait(ON_INTERRUPT)
        self.lock, self.changed = threading.Lock(), threading.Condition()
        self.outputs = {'stdout': Output(label), 'stderr': Output(label + '-stderr')}
        self.followers = []
        self.last, self.busy_since, self.ended, self.closed = 0, None, None, False
        self.exited = threading.Event()
        threading.Thread(target=self.reap, daemon=True).start()
        streams = {'stdout': self.process.stdout} if merged else {'stdout': self.process.stdout, 'stderr': self.process.stderr}
        self.pipes = list(streams.values())
        for name, stream in streams.items():
            threading.Thread(target=self.read, args=(name, stream), daemon=True).start()
        threading.Thread(target=self.feed, daemon=True).start()

    def read(self, name, stream):
        while True:
            select.select([stream], [], [])
            # In one step, so that what is no longer in the pipe is among the outputs.
            with self.changed:
                data = os.read(stream.fileno(), 65536)
                if data:
                    self.outputs[name].write(data)
                    for follower in self.followers:
                        follower.write(name, data)
                    self.last = time.monotonic()
                self.changed.notify_all()
            if not data:
                return

    @contextlib.contextmanager
    def followed(self, live, whole=False):
        """Passes on what the shell prints while the body runs, where `live` says who follows it. `whole`: with the output since the last answer."""
        if live is None:
            yield None
            return
        follower = Follower(live.after)
        with self.changed:
            if whole:
                for name, output in self.outputs.items():
                    follower.write(name, output.kept())
            self.followers.append(follower)
        try:
            with follower.passed_on(live):
                yield follower
        finally:
            self.unfollow(follower)

    def unfollow(self, follower):
        """Passes nothing more on to a follower."""
        with self.changed:
            if follower in self.followers:
                self.followers.remove(follower)

    def reap(self):
        self.process.wait()
        self.exited.set()

    def feed(self):
        """Writes. A program that does not read must not hold up its writer."""
        while True:
            data = self.input.get()
            try:
                if data is None:
                    self.process.stdin.close()
                    return
                self.process.stdin.write(data)
                self.process.stdin.flush()
            except (OSError, ValueError):
                return
            finally:
                self.input.task_done()

    def write(self, text):
        if self.closed:
            raise Refused('the input of this shell was closed; it ends when its command does')
        try:
            self.input.put_nowait((text + '\n').encode('utf-8', 'surrogateescape'))
        except queue.Full:
            raise Refused('the shell does not read its input: a command runs in it. Wait for it, or end it')

    def close(self):
        if not self.closed:
            self.closed = True
            self.input.put(None)

    def size(self):
        return sum(output.size for output in self.outputs.values())

    def code(self):
        """The exit code: None while the shell runs; 128 + signal when one ended it."""
        code = self.process.poll()
        return None if code is None else 128 - code if code < 0 else code

    def settle(self, seconds):
        """Waits for output, and then until it pauses: longer while something runs that may print more."""
        until = time.monotonic() + seconds
        with self.changed:
            while self.size() == 0 and self.code() is None and time.monotonic() < until:
                self.changed.wait(min(0.05, max(0, until - time.monotonic())))
            quiet = time.monotonic() + 1
            while self.size() > 0 and self.code() is None and time.monotonic() < min(quiet, self.last + (0.06 if self.busy() else 0.02)):
                self.changed.wait(0.01)

    def wait(self, seconds):
        """Returns whether the shell exited, once all its output is read; processes left in the background do not count."""
        if not self.exited.wait(seconds):
            return False
        # Processes in the background may print without end.
        until = time.monotonic() + 2
        with self.changed:
            while any(map(unread, self.pipes)) and time.monotonic() < until:
                self.changed.wait(0.05)
        return True

    def idle(self, seconds):
        """Waits until the shell has run all that it was given, or has exited. Returns whether it has."""
        until, quiet = time.monotonic() + seconds, 0
        while quiet < QUIET_LOOKS and self.code() is None:
            if time.monotonic() >= until:
                return False
            self.exited.wait(0.05)
            quiet = 0 if self.at_work() else quiet + 1
        return True

    def at_work(self):
        """Whether the shell runs something, or has input or output on its way. False while it waits for a line."""
        return (self.input.unfinished_tasks > 0 or not self.closed and unread(self.process.stdin) or any(map(unread, self.pipes)) or self.busy())

    def take(self, follower=None):
        """Output since the last time. `follower` gets what comes until then, and nothing more."""
        with self.changed:
            self.unfollow(follower)
            taken, self.outputs = self.outputs, {name: Output(output.name[5:-13]) for name, output in self.outputs.items()}
        return {name: output.text() for name, output in taken.items()}

    def busy(self):
        try:
            with open('/proc/%d/stat' % self.process.pid) as file:
                state = file.read().rpartition(')')[2].split()[0]
        except (OSError, IndexError):
            state = 'Z'
        return state == 'R' or any(pid != self.process.pid for pid in members(self.process.pid))

    def keep_up(self):
        if not self.busy():
            self.busy_since = None
            return False
        now = time.monotonic()
        self.busy_since = self.busy_since or now
        if now - self.busy_since > MAX_CONSOLE_COMMAND_SECONDS:
            self.ended = 'too long'
            self.end()
        return True

    def interrupt(self):
        """Ends what a kept shell runs, as Ctrl-C does, but for what takes no notice of it; any other shell ends, too."""
        if self.code() is None:
            end_group(self.process.pid, signal.SIGINT)

    def end(self):
        end_group(self.process.pid)
        self.process.wait()


def unread(pipe):
    return struct.unpack('i', fcntl.ioctl(pipe.fileno(), termios.FIONREAD, bytes(4)))[0] > 0


class Interactive:
    def __init__(self):
        self.shell, self.lock = None, threading.Lock()

    def ensure(self, restart):
        with self.lock:
            if restart and self.shell:
                self.shell.end()
                self.shell = None
            new = self.shell is None
            if new:
                self.shell = Shell('shell', True)
            return self.shell, new

    def write(self, text, restart, wait, live=None):
        shell, new = self.ensure(restart)
        if shell.code() is not None:
            return self.gone(shell)
        with shell.followed(live):
            shell.write(text)
            shell.settle(wait)
        return {'text': shell.take()['stdout'], 'new': new, 'exit': shell.code()}

    def read(self, wait, live=None):
        shell, new = self.ensure(False)
        with shell.followed(live):
            shell.settle(wait)
        if shell.code() is not None:
            shell.wait(0.5)
            if shell.size() == 0:
                return self.gone(shell)
        return {'text': shell.take()['stdout'], 'new': new, 'exit': shell.code()}

    def gone(self, shell):
        return {'text': shell.take()['stdout'], 'gone': shell.code(), 'ended': shell.ended}
