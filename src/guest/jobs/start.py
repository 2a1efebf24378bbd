"""Start of a job's program, or of a command of bash, under its supervision."""
import ctypes
import fcntl
import json
import os
import subprocess
import time

from .outputs import Lines, Log, Tail
from .place import place
from .watcher import Watcher


def start():
    lock = os.open(place('lock'), os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with open(place('spec.json')) as file:
        spec = json.load(file)
    os.unlink(place('spec.json'))
    reader, writer = os.pipe()
    if os.fork():
        os.close(writer)
        os.write(1, os.read(reader, 32))
        os._exit(0)
    os.close(reader)
    os.setsid()
    null = os.open('/dev/null', os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    began = time.monotonic()
    try:
        end = supervise(spec, writer)
    except Exception as error:
        end = {'how': 'failed', 'code': None, 'stderr': type(error).__name__}
    end['ms'] = int((time.monotonic() - began) * 1000)
    with open(place('end.tmp'), 'w') as file:
        json.dump(end, file)
    os.rename(place('end.tmp'), place('end.json'))


def hide():
    # The environment of this process has the secrets; the kernel then shows it to no process of the same user.
    libc = ctypes.CDLL(None)
    libc.prctl(4, 0, 0, 0, 0)
    libc.prctl(15, b'toolyard', 0, 0, 0)  # killing all Python by name must not kill this


def supervise(spec, writer):
    hide()
    try:
        watcher = begin_command(spec) if 'log' in spec else begin_program(spec)
        if watcher:
            os.write(writer, b'%d' % watcher.child.pid)
    finally:
        os.close(writer)
    return watcher.watch() if watcher else {'how': 'missing', 'code': None, 'stderr': ''}


def begin_command(spec):
    """Begins a command, which reads its script from a file without a name: it stands in no command line and no environment."""
    env = dict(os.environ)
    env['PATH'] = env.pop('JOB_PATH')
    with open(place('script'), 'w') as file:
        file.write(spec['script'])
    script = os.open(place('script'), os.O_RDONLY)
    os.unlink(place('script'))
    secrets = [os.fsencode(env[name]) for name in spec['secrets'] if name in env]
    sink = Log(spec['log'], secrets, spec['limits'])
    words = 'IFS= read -rd "" c <&%d; exec %d<&-; eval "unset c; $c"' % (script, script)
    child = subprocess.Popen(['/bin/bash', '-c', words], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, pass_fds=[script], start_new_session=True)
    os.close(script)
    return Watcher(child, spec, sink, None)


def begin_program(spec):
    env, secrets, pipes = dict(os.environ), [], []
    for name in spec['secrets']:
        secrets.append(env[name].encode())
        reader, writer = os.pipe()
        os.write(writer, secrets[-1])
        os.close(writer)
        pipes.append(reader)
        env[name] = str(reader)
    env.update(spec['env'])
    env['PATH'] = env.pop('JOB_PATH')
    os.mkdir(place('scratch'), 0o700)
    env[spec['scratch']] = place('scratch')
    program = next((p for p in spec['programs'] if os.access(p, os.X_OK)), None)
    if program is None:
        return None
    with open(place('in'), 'w') as file:
        file.write(spec['stdin'])
    with open(place('in')) as given:
        os.unlink(place('in'))
        child = subprocess.Popen([program, *spec['args']], env=env, stdin=given, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, pass_fds=pipes, start_new_session=True)
    for pipe in pipes:
        os.close(pipe)
    limits = spec['limits']
    return Watcher(child, spec, Lines(secrets, limits), Tail(secrets, limits['max_reason_chars']))
