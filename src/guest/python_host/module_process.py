"""A module's process as the host has it: its pipes, the calls that wait for it, and its descendants.

Its descendants are known by its mark, the limit on file locks.
"""
import collections
import os
import resource
import secrets
import select
import signal
import socket
import time

from .system import leave, libc


class Module:
    """A module's process."""

    def __init__(self, key, fork_server):
        self.key, self.mark = key, secrets.randbelow(1 << 40) + (1 << 16)
        self.link, theirs = socket.socketpair()
        self.out, out = os.pipe()
        self.err, err = os.pipe()
        socket.send_fds(fork_server, [b'%d' % self.mark], [theirs.fileno(), out, err])
        theirs.close()
        os.close(out)
        os.close(err)
        self.link.setblocking(False)
        os.set_blocking(self.out, False)
        os.set_blocking(self.err, False)
        self.pid, self.code, self.ended = None, None, False
        self.given, self.said = bytearray(), bytearray()
        self.queue, self.current, self.calls = collections.deque(), None, 0
        self.used, self.outputs, self.followed, self.sign = time.monotonic(), (), None, None

    def lives_on(self):
        """Whether its threads or programs go on after the call."""
        return any(pid != self.pid and pid != self.sign or threads > 1 for pid, threads in marked(self.mark))

    def show(self):
        """Shows by a visible stand-in that work goes on: the hidden process itself cannot be seen. Returns whether it does."""
        lives = self.lives_on()
        if lives and self.sign is None:
            self.raise_sign()
        elif not lives and self.sign is not None:
            os.kill(self.sign, signal.SIGKILL)
            os.waitpid(self.sign, 0)
            self.sign = None
        return lives

    def raise_sign(self):
        seen = unseen = None
        try:
            seen, unseen = os.pipe()
            self.sign = os.fork()
            if self.sign == 0:
                stand_for(self.mark)
            # Until it is another program it hides itself as well; its end of the pipe is closed by then.
            os.close(unseen)
            unseen = None
            select.select([seen], [], [], 1)
        except OSError:
            pass  # no room for another process: it is tried again
        finally:
            for descriptor in (seen, unseen):
                if descriptor is not None:
                    os.close(descriptor)

    def descriptors(self):
        return (self.link.fileno(), self.out, self.err)


def stand_for(mark):
    try:
        libc.prctl(1, signal.SIGKILL)
        leave(0, 1, 2)
        resource.setrlimit(10, (mark, mark))
        os.execv('/bin/sleep', ['sleep', 'infinity'])
    finally:
        os._exit(1)


def marked(mark):
    found = []
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                with open('/proc/%s/limits' % name, 'rb') as file:
                    limits = file.read()
                at = limits.find(b'Max file locks')
                if int(limits[at + 14:].split(None, 1)[0]) == mark:
                    with open('/proc/%s/stat' % name) as file:
                        fields = file.read().rpartition(')')[2].split()
                    if fields[0] not in 'ZX':
                        found.append((int(name), int(fields[17])))
            except (OSError, ValueError, IndexError):
                pass
    return found


def end_marked(mark):
    for _ in range(40):
        found = marked(mark)
        if not found:
            return
        for pid, _ in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.002)
