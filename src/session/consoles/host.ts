import { MAX_OUTPUT_BYTES, MAX_OUTPUT_FILE_BYTES } from '../../core/limits/sandbox.ts'
import { NOTEBOOK_FILE } from '../../core/task-layout.ts'
import { SANDBOX_ROOT } from '../../core/workspace-path.ts'
import { HOST_AT_WORK_MARK, HOST_MARK } from '../machine/marks.ts'
import { OUTPUT_PART } from '../machine/python-output.ts'
import { GROUP_PART } from './host-group.ts'
import { NOTEBOOK_PART } from './host-notebook.ts'
import { REST_PART } from './host-rest.ts'
import { SCRATCH_PART } from './host-scratch.ts'
import { SHELLS_PART } from './host-shells.ts'

/**
 * One process in the sandbox that holds the session's notebook and shells, so that they depend on no call and no
 * server. `CLIENT` starts it when it is not there. Files it makes in the workspace are whole before the reply. Code of
 * the task may do to it what it likes: its replies are hostile.
 */
export const HOST = `
import collections, fcntl, json, os, queue, re, resource, secrets, select, shutil, signal, socket, struct, subprocess, sys, termios, threading, time
HERE = os.path.dirname(os.path.abspath(__file__))
WORKSPACE = ${JSON.stringify(SANDBOX_ROOT)}
NOTEBOOK = os.path.join(WORKSPACE, '${NOTEBOOK_FILE}')
HALF, WHOLE = ${MAX_OUTPUT_BYTES / 2}, ${MAX_OUTPUT_FILE_BYTES}

def place(name):
    return os.path.join(HERE, name)

def remove(name):
    """Whatever code of the task may have put there."""
    try:
        os.unlink(place(name))
    except OSError:
        shutil.rmtree(place(name), ignore_errors=True)

# The start

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
    """Returns when there is a host, or when none came up in time."""
    lock = os.open(place('starting'), os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    if not connected() and os.fork() == 0:
        os.close(lock)
        os.setsid()
        if os.fork():
            os._exit(0)
        serve()
        os._exit(0)
    until = time.monotonic() + 15
    while not connected() and time.monotonic() < until:
        time.sleep(0.02)
    os.close(lock)

# The host

def serve():
    null = os.open('/dev/null', os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    try:
        resource.setrlimit(10, (${HOST_MARK}, ${HOST_AT_WORK_MARK}))
    except (OSError, ValueError):
        pass
    os.environ['PATH'] = os.environ.pop('CONSOLE_PATH', os.environ.get('PATH', ''))
    os.chdir(WORKSPACE)
    for name in os.listdir(HERE):
        if name.endswith('.reply') or name in ('socket', 'new'):
            remove(name)
    server = socket.socket(socket.AF_UNIX)
    server.bind(place('new'))
    server.listen(64)
    os.rename(place('new'), place('socket'))
    threading.Thread(target=keep_up, daemon=True).start()
    while True:
        link, _ = server.accept()
        threading.Thread(target=answer, args=(link,), daemon=True).start()

def answer(link):
    goes_on = True
    with link, link.makefile('rb') as given:
        try:
            request = json.loads(given.readline())
            rest.begin(request.pop('watch', None))
            try:
                began = time.monotonic()
                reply = REQUESTS[request.pop('do')](**request)
                reply = {**reply, 'took': time.monotonic() - began}
            finally:
                goes_on = rest.end()
        except Refused as refused:
            reply = {'refused': str(refused)}
        except OSError as error:
            reply = {'refused': 'the sandbox could not do that: ' + str(error.strerror) + '; is its disk full?'}
        except Exception as error:
            reply = {'refused': 'the sandbox could not do that: ' + type(error).__name__}
        # What happened before it is asked is in the watcher's count.
        reply['trace'] = {'background': goes_on, 'watched': rest.watched(), 'file': reply.pop('saved', None)}
        try:
            link.sendall(json.dumps(reply).encode())
        except OSError:
            pass

class Refused(Exception):
    pass

def keep_up():
    """Says that the sandbox is used, and ends commands that go on for too long."""
    while True:
        now = time.time()
        busy = notebook.busy() or scratch.busy()
        for shell in all_shells():
            if shell.keep_up():
                busy = True
        rest.keep_up()
        try:
            if busy:
                with open(place('busy'), 'w') as file:
                    file.write(str(now))
            for name in os.listdir(HERE):
                if name.endswith('.reply') and os.stat(place(name)).st_mtime < now - 600:
                    remove(name)
        except OSError:
            pass
        time.sleep(2)

${OUTPUT_PART}
${GROUP_PART}${REST_PART}${NOTEBOOK_PART}${SCRATCH_PART}${SHELLS_PART}if __name__ == '__main__':
    rest, notebook, scratch, interactive, executor = Rest(), Notebook(NOTEBOOK), Scratch(), Interactive(), Executor()
    REQUESTS = {'hello': dict, 'cell': notebook.execute, 'scratch': scratch.execute, 'write': interactive.write, 'read': interactive.read, 'command': executor.call}
    begin()
`
