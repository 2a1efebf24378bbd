"""Runs commands: each is a bash of its own, with its output in two files.

The cost does not grow with the number of other processes: the supervisor adopts all that commands leave behind, so they
are its own children, and no list of all processes is read.
"""
import os
import signal
import time

from ..settings import CALLS_DESCRIPTOR, HALF_OUTPUT_BYTES, HOME, HOST_AT_WORK_MARK, HOST_MARK, VENV, WORKSPACE
from .calls import Calls
from .endings import ending, memory_kills
from .floods import end_strangers, flooded, guard, release
from .kept import keep_begin, keep_end
from .live import Followed
from .loop import loop
from .outputs import Outputs, sweep
from .processes import children, lives, mark
from .replies import say
from .running import ended, orphans, running
from .script import PROGRAM, script_file
from .system import command_path, command_score, environment
from .watcher_count import watched

FIXED = {'HOME': HOME, 'BASH_ENV': '', 'VIRTUAL_ENV': VENV}
# Time within which a process that is about to end has ended: it may have much memory to give back.
MAX_ENDING_SECONDS = 0.25
# Signals that Python ignores, and its children would.
IGNORED = [signal.SIGPIPE, signal.SIGXFSZ]


class Command:
    """One command, from its request to its reply."""

    def __init__(self, request):
        self.request, self.pid, self.times, self.late, self.live, self.calls = request, None, [], False, None, None

    def begin(self):
        """Begins. Returns why it cannot, or None."""
        request = self.request
        sweep(request['sweep'], request['before'])
        try:
            os.chdir(WORKSPACE)
        except OSError:
            return 'gone'
        place = os.path.join(WORKSPACE, request['cwd']) if request['cwd'] else WORKSPACE
        try:
            if not os.path.isdir(place):
                os.makedirs(place, exist_ok=True)
            os.chdir(place)
        except OSError:
            return 'cwd'
        try:
            self.outputs = Outputs(request['id'], request['mark'])
        except FileExistsError:
            return 'taken'
        except OSError:
            return 'full'
        env = {**environment, **request['env'], **FIXED, 'PWD': place}
        env['PATH'] = '%s/bin:%s' % (VENV, request['env'].get('PATH', command_path))
        begin = '{ echo %s > /proc/self/oom_score_adj; ulimit -x %d; } 2>/dev/null' % (command_score, request['mark'])
        self.memory_kills = memory_kills()
        try:
            # Behind the other actions, since the descriptors that these name must still be open.
            calls = []
            if request.get('calls'):
                self.calls = Calls(request['id'], request['watch'])
                env.update(self.calls.environment())
                calls.append((os.POSIX_SPAWN_DUP2, self.calls.number(), CALLS_DESCRIPTOR))
            with script_file(begin, request['script'], request.get('file')) as script:
                self.pid = os.posix_spawn(PROGRAM[0], PROGRAM, env, setsid=True, setsigmask=(), setsigdef=IGNORED,
                    file_actions=[(os.POSIX_SPAWN_DUP2, script.fileno(), 0), *self.outputs.actions(), *calls])
        except (OSError, ValueError):
            self.outputs.close()
            if self.calls:
                self.calls.close()
            return 'unable'
        finally:
            os.chdir('/')
        self.outputs.given()
        running[self.pid] = self
        self.begun = time.monotonic()
        if 'kept' in request:
            keep_begin(request['id'])
        guard()
        self.deadline = loop.later(request['seconds'], self.expire)
        if self.calls:
            self.calls.begin()
        if 'live' in request:
            self.live = Followed(request['id'], self.outputs.ends, request['live'])

    def expire(self):
        """Kills the command with its process group; processes that left it are found by its mark, from outside."""
        self.late = True
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except OSError:
            pass

    def ended(self, status, left):
        loop.drop(self.deadline)
        if self.live:
            self.live.end()
        if self.calls:
            self.calls.close()
        code = os.waitstatus_to_exitcode(status)
        self.reply = {'code': 128 - code if code < 0 else code, 'background': left, 'late': self.late, **ending(code, self.memory_kills)}
        copies = [(end, name) for end, name in zip(self.outputs.ends, self.request['logs'] or ()) if end.size() > self.request.get('kept_above', 2 * HALF_OUTPUT_BYTES) and self.is_whole(end)]
        if copies and not self.late:
            loop.aside(lambda: [end.copy(name) for end, name in copies], lambda _: self.ask())
        else:
            self.ask()

    def is_whole(self, end):
        """Whether the output is the command's alone: False when a process of another command wrote into it; that process is ended."""
        end_strangers(end, self.outputs.mark)
        return not end.mixed

    def ask(self):
        """Asks the watcher, last of all: it must see the changes that copying output made."""
        self.reply.update(out=self.outputs.ends[0].text(), err=self.outputs.ends[1].text())
        self.reply['flooded'] = any(flooded(end) for end in self.outputs.ends)
        release(self.outputs)
        watched(self.request['watch'], self.answer)

    def answer(self, count):
        reply = {'watched': count, **self.reply}
        if 'kept' in self.request:
            keep_end(self.request['id'], {**reply, 'ms': round(1000 * (time.monotonic() - self.begun))}, self.request['kept'])
        say(self.request['id'], **reply)


# Limit to the wait for what ended commands left; None where there is none.
patience = None


def reap():
    """Notes all ended processes."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if not pid:
            break
        orphans.pop(pid, None)
        if pid in running:
            command = running.pop(pid)
            loop.drop(command.deadline)
            ended.append((command, status))
    if ended:
        settle()


def settle(is_last=False):
    """Answers for ended commands, by what they left. A process that is about to end hides its own children, which come here at its end."""
    global patience
    ending = adopt()
    if ending and not is_last:
        patience = patience or loop.later(MAX_ENDING_SECONDS, lambda: settle(True))
        return
    # What takes longer goes on in other threads than its first.
    orphans.update((pid, mark(pid)) for pid in ending)
    if patience:
        loop.drop(patience)
    patience = None
    # A process that another running command left is that command's.
    left = left_behind() - {command.request['mark'] for command in running.values()}
    settled = ended[:]
    ended.clear()
    for command, status in settled:
        command.ended(status, bool(left))


def adopt():
    """Notes children that are no commands: commands started them, and have ended or let go of them. Returns those about to end."""
    new = children() - running.keys() - orphans.keys()
    orphans.update((pid, mark(pid)) for pid in new if lives(pid))
    return new - orphans.keys()


def left_behind():
    """Marks of processes that commands left. The host of notebook and shells answers for its descendants, by its present mark."""
    left = set()
    for pid, known in orphans.items():
        now = mark(pid) if known is not None and known <= HOST_AT_WORK_MARK else known
        if now != HOST_MARK:
            left.add(now)
    return left


def run(request):
    command = Command(request)
    why = command.begin()
    if why:
        say(request['id'], unable=why)


def stop_command(id):
    for command in running.values():
        if command.request['id'] == id:
            command.expire()


loop.children_ended = reap
