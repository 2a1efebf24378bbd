"""One process in the sandbox that holds the session's notebook and shells, so that they depend on no call and no server.

`client.py` starts it when it is not there. Files that it makes in the workspace are whole before the reply. Code of the
task may do to it what it likes: its replies are hostile.
"""
import fcntl
import json
import os
import resource
import socket
import threading
import time

from ..settings import HOST_AT_WORK_MARK, HOST_MARK, NOTEBOOK_FILE, WORKSPACE
from .activity import Activity, any_at_work
from .errors import Refused
from .executor import Executor
from .live import Listener
from .notebook import Notebook
from .place import DIRECTORY, place, remove
from .questions import Questions
from .scratch import Scratch
from .shells import Interactive


def connected():
    link = socket.socket(socket.AF_UNIX)
    try:
        link.connect(place('socket'))
        return True
    except OSError:
        return False
    finally:
        link.close()


def begin():
    """Waits for the host; returns when there is one, or when none came up in time."""
    lock = os.open(place('starting'), os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    if not connected() and os.fork() == 0:
        os.close(lock)
        os.setsid()
        if os.fork():
            os._exit(0)
        Host().serve()
        os._exit(0)
    until = time.monotonic() + 15
    while not connected() and time.monotonic() < until:
        time.sleep(0.02)
    os.close(lock)


class Host:
    """Answers each connection in a thread of its own."""

    def __init__(self):
        self.activity, self.questions = Activity(self.goes_on), Questions()
        self.notebook = Notebook(os.path.join(WORKSPACE, NOTEBOOK_FILE), self.activity.watched)
        self.scratch, self.interactive, self.executor = Scratch(), Interactive(), Executor()
        self.requests = {
            'hello': dict,
            'cell': self.notebook.execute,
            'scratch': self.scratch.execute,
            'write': self.interactive.write,
            'read': self.interactive.read,
            'command': self.executor.call,
        }

    def serve(self):
        null = os.open('/dev/null', os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        try:
            resource.setrlimit(10, (HOST_MARK, HOST_AT_WORK_MARK))
        except (OSError, ValueError):
            pass
        os.environ['PATH'] = os.environ.pop('CONSOLE_PATH', os.environ.get('PATH', ''))
        os.chdir(WORKSPACE)
        for name in os.listdir(DIRECTORY):
            if name.endswith('.reply') or name in ('socket', 'new'):
                remove(name)
        server = socket.socket(socket.AF_UNIX)
        server.bind(place('new'))
        server.listen(64)
        os.rename(place('new'), place('socket'))
        threading.Thread(target=self.keep_up, daemon=True).start()
        while True:
            link, _ = server.accept()
            threading.Thread(target=self.answer, args=(link,), daemon=True).start()

    def answer(self, link):
        with link, link.makefile('rb') as given:
            try:
                request = json.loads(given.readline())
                asked = request.pop('id', None), request.pop('again', None)
                if 'live' in request:
                    request['live'] = Listener(link, request['live'])
                reply = self.questions.answer(*asked, lambda: json.dumps(self.reply(request)).encode())
                if reply is not None:
                    link.sendall(reply)
            except (OSError, ValueError):
                pass

    def reply(self, request):
        goes_on = True
        try:
            self.activity.begin(request.pop('watch', None))
            try:
                began = time.monotonic()
                reply = self.requests[request.pop('do')](**request)
                reply = {**reply, 'took': time.monotonic() - began}
            finally:
                goes_on = self.activity.end()
        except Refused as refused:
            reply = {'refused': str(refused)}
        except OSError as error:
            reply = {'refused': 'the sandbox could not do that: ' + str(error.strerror) + '; is its disk full?'}
        except Exception as error:
            reply = {'refused': 'the sandbox could not do that: ' + type(error).__name__}
        # The watcher's count includes everything that happened before it is read.
        reply['trace'] = {
            'background': goes_on, 'watched': self.activity.watched(), 'file': reply.pop('saved', None),
        }
        return reply

    def keep_up(self):
        """Keeps the sandbox marked as used, and ends commands that go on for too long."""
        while True:
            now = time.time()
            busy = self.notebook.busy() or self.scratch.busy()
            for shell in self.shells():
                if shell.keep_up():
                    busy = True
            self.activity.keep_up()
            try:
                if busy:
                    with open(place('busy'), 'w') as file:
                        file.write(str(now))
                for name in os.listdir(DIRECTORY):
                    if name.endswith('.reply') and os.stat(place(name)).st_mtime < now - 600:
                        remove(name)
            except OSError:
                pass
            time.sleep(2)

    def goes_on(self):
        if self.notebook.busy() or self.scratch.busy():
            return True
        kernels = [holder.kernel for holder in [self.notebook, *self.scratch.all()] if holder.kernel]
        return any_at_work(self.shells(), kernels)

    def shells(self):
        return [shell for shell in [self.interactive.shell, *list(self.executor.shells.values())] if shell]


begin()
