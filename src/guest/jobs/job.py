"""Runs one program in the sandbox and watches over it.

Neither its deadline nor its output depends on a waiting caller. Its directory has its input and its results:
`spec.json`, `out` (whole lines of valid UTF-8, secrets masked), `stop` (its existence requests the end), `end.json`, and
`lock`, which is held while the program lives. Only the session writes `spec.json`; code of the task may write here too,
and so all results are read as hostile.

Arguments: `start DIRECTORY`, or `look DIRECTORY OFFSET SECONDS MAX_LINE_BYTES`.
"""
import ctypes
import fcntl
import json
import os
import selectors
import signal
import stat
import subprocess
import sys
import time

DIRECTORY = sys.argv[2]


def place(name):
    return os.path.join(DIRECTORY, name)


def start():
    lock = os.open(place('lock'), os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with open(place('spec.json')) as file:
        spec = json.load(file)
    os.unlink(place('spec.json'))
    if os.fork():
        os._exit(0)
    os.setsid()
    null = os.open('/dev/null', os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    began = time.monotonic()
    try:
        end = supervise(spec)
    except Exception as error:
        end = {'how': 'failed', 'code': None, 'stderr': type(error).__name__}
    end['ms'] = int((time.monotonic() - began) * 1000)
    with open(place('end.tmp'), 'w') as file:
        json.dump(end, file)
    os.rename(place('end.tmp'), place('end.json'))


def hide():
    # The environment of this process has the secrets; the kernel then shows it to no process of the same user.
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)


def supervise(spec):
    hide()
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
        return {'how': 'missing', 'code': None, 'stderr': ''}
    with open(place('in'), 'w') as file:
        file.write(spec['stdin'])
    with open(place('in')) as given:
        os.unlink(place('in'))
        child = subprocess.Popen([program, *spec['args']], env=env, stdin=given, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, pass_fds=pipes, start_new_session=True)
    for pipe in pipes:
        os.close(pipe)
    return watch(child, spec['seconds'], secrets, spec['limits'])


def masked(line, secrets):
    for secret in secrets:
        line = line.replace(secret, b'***')
    return line.decode('utf-8', 'replace').encode()


def watch(child, seconds, secrets, limits):
    max_line_bytes, max_output_bytes = limits['max_line_bytes'], limits['max_output_bytes']
    streams = selectors.DefaultSelector()
    for stream in (child.stdout, child.stderr):
        streams.register(stream, selectors.EVENT_READ)
    out = open(place('out'), 'wb', buffering=0)
    deadline = time.monotonic() + seconds
    how, signals, due, gone = 'exited', [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], 0, None
    partial, skipping, size, dropped, said = b'', False, 0, None, b''
    while True:
        for key, _ in streams.select(0.1) if streams.get_map() else []:
            data = os.read(key.fd, 65536)
            if not data:
                streams.unregister(key.fileobj)
            elif key.fileobj is child.stderr:
                said = (said + data)[-65536:]
            else:
                *lines, partial = (partial + data).split(b'\n')
                for line in lines:
                    if skipping or len(line) > max_line_bytes:
                        skipping = False
                        continue
                    line = masked(line, secrets) + b'\n'
                    if dropped or size + len(line) > max_output_bytes:
                        dropped = line
                        continue
                    out.write(line)
                    size += len(line)
                if len(partial) > max_line_bytes:
                    partial, skipping = b'', True
        now = time.monotonic()
        if how == 'exited' and gone is None and (now > deadline or os.path.exists(place('stop'))):
            how = 'timeout' if now > deadline else 'cancelled'
        if how != 'exited' and signals and now >= due and child.poll() is None:
            os.killpg(child.pid, signals.pop(0))
            due = now + limits['signal_seconds']
        if gone is None and child.poll() is not None:
            gone = now
        if gone is not None and (not streams.get_map() or now > gone + 0.5):
            break
        if not streams.get_map():
            time.sleep(0.05)
    if partial and not skipping:
        out.write(masked(partial, secrets) + b'\n')
    # The last line says how the program ended, however much was printed before it.
    if dropped:
        out.write(dropped)
    if how != 'exited':
        end_all()
    code = child.returncode
    return {'how': how, 'code': 128 - code if code < 0 else code,
        'stderr': masked(said, secrets).decode()[-limits['max_reason_chars']:]}


def mark(pid):
    try:
        with open('/proc/%s/limits' % pid) as file:
            return next((line.split()[3] for line in file if line.startswith('Max file locks')), None)
    except OSError:
        return None


def end_all():
    own = mark('self')
    for _ in range(40):
        left = [pid for pid in os.listdir('/proc') if pid.isdigit() and int(pid) != os.getpid() and mark(pid) == own]
        if own in (None, 'unlimited') or not left:
            return
        for pid in left:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.05)


def is_alive():
    try:
        lock = os.open(place('lock'), os.O_RDWR | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return False
    except OSError:
        return True
    finally:
        os.close(lock)


def read(name, offset, size):
    # Any kind of file may stand there: a pipe would be waited for, and a device has no end.
    file = os.open(place(name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        return os.pread(file, size, offset) if stat.S_ISREG(os.fstat(file).st_mode) else b''
    finally:
        os.close(file)


def look(offset, seconds, max_line_bytes):
    until = time.monotonic() + seconds
    while True:
        alive, end, size = is_alive(), None, 0
        try:
            size = os.path.getsize(place('out'))
            end = json.loads(read('end.json', 0, max_line_bytes))
        except (OSError, ValueError, RecursionError):
            pass
        if end or not alive or size > offset or time.monotonic() >= until:
            break
        time.sleep(0.05)
    if size > offset and not end and seconds:
        time.sleep(0.2)
    for _ in range(20):
        if not end or not alive:
            break
        time.sleep(0.05)
        alive = is_alive()
    text = b''
    try:
        text = read('out', offset, 2 * max_line_bytes)
    except OSError:
        pass
    sys.stdout.buffer.write(json.dumps({'alive': alive, 'end': end, 'more': len(text) == 2 * max_line_bytes}).encode() + b'\n')
    sys.stdout.buffer.write(text[:text.rfind(b'\n') + 1])


if sys.argv[1] == 'start':
    start()
else:
    look(int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]))
