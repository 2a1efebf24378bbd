"""The signal that ended a command, and the limit behind it as far as the sandbox knows it."""
import os
import resource
import signal

from .system import environment

MEMORY_VARIABLE = 'SANDBOX_MEMORY_MB'

try:
    counters = os.open('/proc/vmstat', os.O_RDONLY)
except OSError:
    counters = None


def memory_kills():
    """How many processes the kernel has ended because memory ran out; 0 where it does not tell."""
    try:
        data = os.pread(counters, 1 << 16, 0)
        at = data.index(b'\noom_kill ') + 10
        return int(data[at:data.index(b'\n', at)])
    except (OSError, TypeError, ValueError):
        return 0


def ending(code, kills):
    """Fields of the reply about a command that ended by a signal, or whose last program did: none for any other.

    `code`: as `os.waitstatus_to_exitcode` has it. `kills`: `memory_kills` before the command.
    """
    if 0 <= code <= 128:
        return {}
    reply = {'signal': -code} if code < 0 else {}
    number = -code if code < 0 else code - 128
    if number == signal.SIGKILL and memory_kills() > kills:
        reply['memory_mb'] = memory_mb()
    elif number == signal.SIGXFSZ:
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
        reply['file_mb'] = 0 if limit == resource.RLIM_INFINITY else limit >> 20
    return reply


def memory_mb():
    """Memory of the sandbox, in MiB; 0 where that is not known."""
    try:
        limit = int(environment.get(MEMORY_VARIABLE, 0))
        if limit:
            return limit
        with open('/proc/meminfo') as file:
            return int(file.readline().split()[1]) >> 10
    except (OSError, ValueError, IndexError):
        return 0
