"""The supervisor's own process: hidden from others, last to go when memory runs out, parent of all that commands leave.

The process is not `dumpable`: Linux then lets no other process of the same user read its memory, descriptors or environment. Any
of these can kill and stop it. Commands go on without the supervisor, and the session ends them by their mark.
"""
import ctypes
import os

from ..settings import PATH_VARIABLE

SET_DUMPABLE, SET_NAME, SET_CHILD_SUBREAPER = 4, 15, 36


def own_score():
    """Lets commands go first when memory runs out. Returns the score that they begin with."""
    try:
        with open('/proc/self/oom_score_adj', 'r+') as file:
            score = int(file.read())
            file.write(str(min(score, 300)))
        return score
    except (OSError, ValueError):
        return 0


command_path = os.environ.pop(PATH_VARIABLE, os.environ.get('PATH', ''))
environment = dict(os.environ)
command_score = own_score()
libc = ctypes.CDLL(None)
libc.prctl(SET_DUMPABLE, 0, 0, 0, 0)
libc.prctl(SET_NAME, b'toolyard', 0, 0, 0)  # killing all Python by name must not kill this
libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
