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
TURNS = re.compile(rb'ctxt_switches:\s*(\d+)')
# Looks of which each is made anew because something ended meanwhile. After these, something is at work.
MOST_LOOKS = 8


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
    # A shell has not begun with input that it was not given yet.
    if any(shell.code() is None and shell.input.unfinished_tasks for shell in shells):
        return True
    zombies = set()
    for _ in range(MOST_LOOKS):
        waiting = [shell.process.pid for shell in shells if shell.code() is None]
        at_work = look(waiting, {kernel.process.pid: kernel for kernel in kernels}, zombies)
        if at_work is not None:
            return at_work
    return True


def look(shells, kernel_of, zombies):
    """As `any_at_work`; adds to `zombies` those that ended and are there still. None where a process ended or a shell went on meanwhile: what either began may not be among those seen."""
    turns, ended = {pid: turns_of(pid) for pid in shells}, False
    for pid in other_processes():
        try:
            state, parent, threads = state_of(pid)
            # A shell goes on when its child has ended; other parents may keep one that ended for ever.
            if state in 'ZX':
                ended = ended or parent in turns or pid not in zombies
                zombies.add(pid)
                continue
            if mark_of(pid) > HOST_MARK:
                continue
        except (FileNotFoundError, ProcessLookupError):
            ended = True
            continue
        except (OSError, ValueError, IndexError):
            continue
        # A kernel whose cell is done runs code of ours until the next one comes.
        kernel = kernel_of.get(pid)
        if kernel and (kernel.threads > 2 and threads > 2 or maps_files(pid)):
            return True
        if not kernel and (pid not in turns or state != 'S'):
            return True
    return None if ended or any(turns_of(pid) != before for pid, before in turns.items()) else False


def other_processes():
    own = os.getpid()
    return [int(name) for name in os.listdir('/proc') if name.isdigit() and int(name) != own]


def state_of(pid):
    """The state of a process, its parent, and how many threads it has."""
    with open('/proc/%d/stat' % pid) as file:
        fields = file.read().rpartition(')')[2].split()
    return fields[0], int(fields[1]), int(fields[17])


def mark_of(pid):
    with open('/proc/%d/limits' % pid, 'rb') as file:
        limits = file.read()
    return int(limits[limits.find(b'Max file locks') + 14:].split(None, 1)[0])


def turns_of(pid):
    """How often a process was given the processor and gave it back: the same number again says that it did nothing between."""
    try:
        with open('/proc/%d/status' % pid, 'rb') as file:
            return TURNS.findall(file.read())
    except OSError:
        return None


def maps_files(pid):
    try:
        with open('/proc/%d/maps' % pid, 'rb') as file:
            return MAPPED.search(file.read()) is not None
    except OSError:
        return True
