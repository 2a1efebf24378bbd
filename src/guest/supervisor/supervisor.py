"""The process in the sandbox that runs commands, and passes questions on to the host of notebook and shells.

One request per line of stdin, one reply per line of stdout, both JSON with an `id`; `do` names the request's kind, one of
`HANDLERS`. No handler may wait for anything: see `Loop`.
"""
import json
import os
import select
import time

from ..settings import IDLE_SECONDS
from .calls import answer
from .commands import run, stop_command
from .loop import loop
from .questions import Question, stop_question
from .replies import say
from .running import ended, orphans, running

def stop(request):
    stop_command(request['id'])
    stop_question(request['id'])

HANDLERS = {'run': run, 'console': Question, 'stop': stop, 'answer': answer, 'ping': lambda request: say(request['id'], pong=True)}
given, heard_at = bytearray(), time.monotonic()


def hear():
    global heard_at
    data = os.read(0, 1 << 20)
    if not data:
        os._exit(0)
    heard_at = time.monotonic()
    given.extend(data)
    *lines, given[:] = given.split(b'\n')
    for line in lines:
        request = json.loads(line)
        try:
            HANDLERS[request['do']](request)
        except Exception as error:
            say(request['id'], failed=type(error).__name__)


def rest():
    """Ends the supervisor when no request came for a while and no process is left."""
    left = heard_at + IDLE_SECONDS - time.monotonic()
    if left <= 0 and not running and not ended and not orphans:
        os._exit(0)
    loop.later(max(left, 1), rest)

loop.listen(0, select.POLLIN, hear)
rest()
loop.run()
