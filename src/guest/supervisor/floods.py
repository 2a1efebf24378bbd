"""Bounds output files: a process that writes into one without end would fill the sandbox's disk, and end the sandbox."""
import collections
import os
import resource
import signal

from ..settings import HOST_AT_WORK_MARK, HOST_MARK, MAX_COMMAND_OUTPUT_BYTES, MAX_OUTPUT_FILE_BYTES
from .loop import loop
from .processes import mark
from .running import ended, orphans, running

# Outputs of commands that have ended, while something lives that may write there.
kept = collections.deque()
looks = None


def bound():
    """Size of an output that is a flood. The kernel may let no file become larger than that: it ends the writer then, or refuses it."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return MAX_COMMAND_OUTPUT_BYTES if limit == resource.RLIM_INFINITY else min(limit, MAX_COMMAND_OUTPUT_BYTES)


BOUND = bound()


def guard():
    """Checks all outputs from time to time, as long as a process may write there."""
    global looks
    if looks is None and (running or ended or kept):
        looks = loop.later(0.25, look)


def release(outputs):
    """Takes over the outputs of an ended command."""
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
    for outputs in [command.outputs for command in [*running.values(), *(command for command, _ in ended)]] + list(kept):
        for end in outputs.ends:
            if end.size() >= (end.floods + 1) * BOUND:
                end.floods += 1
                end_writers(lambda: users(end.descriptor))
            elif end.size() > (end.checks + 1) * MAX_OUTPUT_FILE_BYTES:
                end.checks += 1
                end_strangers(end, outputs.mark)
    guard()


def flooded(end):
    """Whether the output grew to the bound, by the last look or since."""
    return end.floods > 0 or end.size() >= BOUND


def users(descriptor):
    """Processes that have the file open."""
    status = os.fstat(descriptor)
    return [pid for pid in others() if has_open(pid, (status.st_dev, status.st_ino))]


def strangers(descriptor, own):
    """Processes of other commands than the one with the mark `own` that may write into its output file."""
    status = os.fstat(descriptor)
    file = status.st_dev, status.st_ino
    return [pid for pid in others() if mark(pid) not in (None, own, HOST_MARK, HOST_AT_WORK_MARK) and has_open(pid, file, 0o200)]


def end_strangers(end, own):
    """Ends processes that write into the output of a command with the mark `own` and are not the command's; notes it there."""
    if strangers(end.descriptor, own):
        end.mixed = True
        end_writers(lambda: strangers(end.descriptor, own))


def end_writers(found):
    """Kills the processes that `found` finds, and all others of the same commands."""
    for _ in range(5):
        writers = found()
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


def has_open(pid, file, modes=0o600):
    """Whether a process has the file open, in one of the modes: 0o400 to read, 0o200 to write."""
    place = '/proc/%d/fd' % pid
    try:
        names = os.listdir(place)
    except OSError:
        names = []
    for name in names:
        try:
            status = os.stat('%s/%s' % (place, name))
            mode = os.lstat('%s/%s' % (place, name)).st_mode
        except OSError:
            continue
        if (status.st_dev, status.st_ino) == file and mode & modes:
            return True
    return False
