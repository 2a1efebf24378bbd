"""Bounds output files: what writes into one without end would take the disk of the sandbox, and so the sandbox."""
import collections
import os
import signal

from ..settings import HOST_AT_WORK_MARK, HOST_MARK, MAX_COMMAND_OUTPUT_BYTES
from .loop import loop
from .processes import mark
from .running import orphans, running

# Outputs of commands that have ended, while something lives that may write there.
kept = collections.deque()
looks = None


def guard():
    """Looks at all outputs from time to time, as long as somebody may write there."""
    global looks
    if looks is None and (running or kept):
        looks = loop.later(0.25, look)


def release(outputs):
    """A command has ended that had these."""
    kept.append(outputs)
    if not orphans:
        forget(0)
    elif len(kept) > 64:
        forget(64)


def forget(many):
    while len(kept) > many:
        kept.popleft().close()


def look():
    global looks
    looks = None
    if not orphans:
        forget(0)
    for outputs in [command.outputs for command in running.values()] + list(kept):
        for end in outputs.ends:
            if end.size() > (end.floods + 1) * MAX_COMMAND_OUTPUT_BYTES:
                end.floods += 1
                end_writers(end.descriptor)
    guard()


def end_writers(descriptor):
    """Kills whoever has the file open, with all that the same command started."""
    status = os.fstat(descriptor)
    file = status.st_dev, status.st_ino
    for _ in range(5):
        writers = [pid for pid in others() if has_open(pid, file)]
        marks = {mark(pid) for pid in writers} - {None, HOST_MARK, HOST_AT_WORK_MARK}
        if not writers:
            return
        for pid in others():
            if pid in writers or mark(pid) in marks:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass


def others():
    return [int(name) for name in os.listdir('/proc') if name.isdigit() and int(name) != os.getpid()]


def has_open(pid, file):
    place = '/proc/%d/fd' % pid
    try:
        names = os.listdir(place)
    except OSError:
        names = []
    for name in names:
        try:
            status = os.stat('%s/%s' % (place, name))
        except OSError:
            continue
        if (status.st_dev, status.st_ino) == file:
            return True
    return False
