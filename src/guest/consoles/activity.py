"""Reports whether anything goes on between requests, and the watcher's count.

With these a request that changed nothing costs no listing. A kernel or a shell that waits for its next input changes no
file, unless it has threads of Python, or a file of the workspace mapped: nothing sees stores into that
(docs/decisions/025).
"""
import os
import re
import resource
import socket
import threading

from ..settings import HOST_AT_WORK_MARK, HOST_MARK

MAPPED = re.compile(rb'^\S+ ...s \S+ \S+ [1-9]\d* +(?! |/usr/|/lib|/opt/|/etc/|/dev/|/memfd:|/SYSV)', re.M)


class Activity:
    """Counts requests, and shows by the host's mark whether something goes on."""

    def __init__(self, goes_on):
        self.goes_on = goes_on
        self.lock, self.requests, self.port = threading.Lock(), 0, None

    def begin(self, port):
        with self.lock:
            self.port = port or self.port
            self.requests += 1
            show(True)

    def end(self):
        """Returns whether something goes on."""
        with self.lock:
            self.requests -= 1
            return self.look()

    def keep_up(self):
        with self.lock:
            self.look()

    def look(self):
        at_work = self.requests > 0 or self.goes_on()
        show(at_work)
        return at_work

    def watched(self):
        """The watcher's count; None when it does not answer."""
        if self.port is None:
            return None
        try:
            with socket.create_connection(('127.0.0.1', self.port), 1) as watcher:
                return watcher.recv(64).decode().strip()
        except (OSError, ValueError):
            return None


def show(at_work):
    try:
        resource.setrlimit(10, (HOST_AT_WORK_MARK if at_work else HOST_MARK, HOST_AT_WORK_MARK))
    except (OSError, ValueError):
        pass


def any_at_work(shells, kernels):
    """Whether a process below the host does more than wait for its next input."""
    waiting = {shell.process.pid for shell in shells}
    kernel_of = {kernel.process.pid: kernel for kernel in kernels}
    for pid, state, threads in own_processes():
        # A kernel whose cell is done runs code of ours until the next one comes.
        kernel = kernel_of.get(pid)
        if kernel and (kernel.threads > 2 and threads > 2 or maps_files(pid)):
            return True
        if not kernel and (pid not in waiting or state != 'S'):
            return True
    return False


def own_processes():
    """All descendants of the host."""
    own = os.getpid()
    for name in os.listdir('/proc'):
        if name.isdigit() and int(name) != own:
            try:
                with open('/proc/%s/limits' % name, 'rb') as file:
                    limits = file.read()
                at = limits.find(b'Max file locks')
                if int(limits[at + 14:].split(None, 1)[0]) > HOST_MARK:
                    continue
                with open('/proc/%s/stat' % name) as file:
                    fields = file.read().rpartition(')')[2].split()
                if fields[0] not in 'ZX':
                    yield int(name), fields[0], int(fields[17])
            except (OSError, ValueError, IndexError):
                pass


def maps_files(pid):
    try:
        with open('/proc/%d/maps' % pid, 'rb') as file:
            return MAPPED.search(file.read()) is not None
    except OSError:
        return True
