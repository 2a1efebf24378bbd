"""Runs one program, or one command of bash, in the sandbox and watches over it.

Neither its deadline nor its output depends on a waiting caller. Its directory has its input and its results:
`spec.json`, `out` (whole lines of valid UTF-8, secrets masked), `stop` (its existence requests the end), `end.json`, and
`lock`, which is held while the program lives. All that a command prints goes into a log file of the workspace instead of `out`.
Only the session writes `spec.json`; code of the task may write here too, and so all results are read as hostile.

Arguments: `start DIRECTORY`, which prints the program's process id, `look DIRECTORY OFFSET SECONDS MAX_LINE_BYTES`, or
`print DIRECTORY LOG FROM SECONDS MAX_BYTES`.
"""
import sys

from .look import look, show
from .start import start

if sys.argv[1] == 'start':
    start()
elif sys.argv[1] == 'look':
    look(int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]))
else:
    show(sys.argv[3], int(sys.argv[4]), float(sys.argv[5]), int(sys.argv[6]))
