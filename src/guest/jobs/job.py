"""Runs one program, or one command of bash, in the sandbox and watches over it.

Neither its deadline nor its output depends on a waiting caller. Its directory has its input and its results:
`spec.json`, `out` (whole lines of valid UTF-8, secrets masked), `stop` (its existence requests the end), `end.json`, and
`lock`, which is held while the program lives. All that a command prints goes into a log file of the workspace instead of `out`.
Only the session writes `spec.json`; code of the task may write here too, and so all results are read as hostile.

Arguments: `start DIRECTORY`, which prints the program's process id, `look DIRECTORY OFFSET SECONDS MAX_LINE_BYTES`, or
`print DIRECTORY LOG FROM SECONDS MAX_BYTES`.
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
    sink = Log(spec['log'], spec['limits'])
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


def masked(line, secrets):
    for secret in secrets:
        line = line.replace(secret, b'***')
    return line.decode('utf-8', 'replace').encode()


class Lines:
    """Output of a program: whole lines in `out`. The last line says how the program ended, however much was printed before it."""

    def __init__(self, secrets, limits):
        self.secrets, self.max_line, self.max_size = secrets, limits['max_line_bytes'], limits['max_output_bytes']
        self.out = open(place('out'), 'wb', buffering=0)
        self.partial, self.skipping, self.size, self.dropped, self.flooded = b'', False, 0, None, False

    def write(self, data):
        *lines, self.partial = (self.partial + data).split(b'\n')
        for line in lines:
            if self.skipping or len(line) > self.max_line:
                self.skipping = False
                continue
            line = masked(line, self.secrets) + b'\n'
            if self.dropped or self.size + len(line) > self.max_size:
                self.dropped = line
                continue
            self.out.write(line)
            self.size += len(line)
        if len(self.partial) > self.max_line:
            self.partial, self.skipping = b'', True

    def end(self):
        if self.partial and not self.skipping:
            self.out.write(masked(self.partial, self.secrets) + b'\n')
        if self.dropped:
            self.out.write(self.dropped)


class Tail:
    """The end of what a program printed to stderr."""

    def __init__(self, secrets, max_chars):
        self.secrets, self.max_chars, self.said = secrets, max_chars, b''

    def write(self, data):
        self.said = (self.said + data)[-65536:]

    def text(self):
        return masked(self.said, self.secrets).decode()[-self.max_chars:]


class Log:
    """Output of a command, in a file of the workspace: the start of a long one, and its end when it has ended."""

    def __init__(self, name, limits):
        self.max_size, self.max_tail, self.max_printed = limits['max_log_bytes'], limits['max_log_tail_bytes'], limits['max_printed_bytes']
        self.size, self.tail, self.left_out, self.flooded = 0, b'', 0, False
        os.makedirs(os.path.dirname(name), exist_ok=True)
        self.file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)

    def write(self, data):
        room = self.max_size - self.size
        self.put(data[:room])
        self.size += min(len(data), room)
        if len(data) > room:
            if not self.left_out:
                self.put(b'\n[... the log is full: of what follows its end alone is added, when the job ends ...]\n')
            self.left_out += len(data) - room
            self.tail = (self.tail + data[room:])[-self.max_tail:]
        self.flooded = self.size + self.left_out > self.max_printed

    def put(self, data):
        try:
            while data:
                data = data[os.write(self.file, data):]
        except OSError:
            pass  # a full disk does not end the command

    def end(self):
        if self.left_out > len(self.tail):
            self.put(b'[... %d bytes left out ...]\n' % (self.left_out - len(self.tail)))
        self.put(self.tail)


class Watcher:
    """Watches over a program until its end, or the time of its end."""

    def __init__(self, child, spec, sink, said):
        self.child, self.sink, self.said = child, sink, said
        self.deadline, self.pause = time.monotonic() + spec['seconds'], spec['limits']['signal_seconds']
        # A command has ended when nothing that it started holds its output any more.
        self.outlives = said is None
        self.streams = selectors.DefaultSelector()
        self.streams.register(child.stdout, selectors.EVENT_READ, sink)
        if said:
            self.streams.register(child.stderr, selectors.EVENT_READ, said)
        self.how, self.signals, self.due, self.gone = 'exited', [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], 0, None

    def watch(self):
        while not self.is_over(time.monotonic()):
            for key, _ in self.streams.select(0.1) if self.streams.get_map() else []:
                data = os.read(key.fd, 65536)
                if data:
                    key.data.write(data)
                else:
                    self.streams.unregister(key.fileobj)
            now = time.monotonic()
            if self.how == 'exited' and (self.gone is None or self.outlives):
                self.how = self.why_now(now)
            if self.how != 'exited' and self.signals and now >= self.due and (self.outlives or self.child.poll() is None):
                self.send(now)
            if self.gone is None and self.child.poll() is not None:
                self.gone = now
            if not self.streams.get_map():
                time.sleep(0.05)
        if self.how != 'exited':
            end_all()
        self.sink.end()
        code = self.child.returncode
        return {'how': self.how, 'code': 128 - code if code < 0 else code, 'stderr': self.said.text() if self.said else ''}

    def why_now(self, now):
        if now > self.deadline:
            return 'timeout'
        if os.path.exists(place('stop')):
            return 'cancelled'
        return 'flooded' if self.sink.flooded else 'exited'

    def send(self, now):
        try:
            os.killpg(self.child.pid, self.signals.pop(0))
            self.due = now + self.pause
        except ProcessLookupError:
            self.signals = []

    def is_over(self, now):
        if self.gone is None:
            return False
        if not self.streams.get_map():
            return True
        ending = self.how != 'exited' and not self.signals and now >= self.due
        return now > self.gone + 0.5 and (not self.outlives or ending)


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
        except OSError:
            pass  # a command has none
        try:
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


def whole_characters(data):
    """Length of `data` without a character at its end that is not whole."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte & 0xc0 != 0x80:
            size = 4 if byte >= 0xf0 else 3 if byte >= 0xe0 else 2 if byte >= 0xc0 else 1
            return len(data) - back if size > back else len(data)
    return len(data)


def show(log, start, seconds, max_bytes):
    until = time.monotonic() + seconds
    while True:
        ended = os.path.exists(place('end.json')) or not is_alive()
        try:
            status = os.lstat(log)
            size = status.st_size if stat.S_ISREG(status.st_mode) else None
        except OSError:
            size = None
        at = max(0, (size or 0) + start) if start < 0 else start
        if ended or (size or 0) > at or time.monotonic() >= until:
            break
        time.sleep(0.05)
    data = b''
    if size is not None and size > at:
        if seconds and not ended:
            time.sleep(0.1)  # more of what is printed together
        try:
            data = read(log, at, max_bytes)
        except OSError:
            size = None
    # The rest of a character that is being printed is not there yet.
    length = whole_characters(data) if len(data) == max_bytes or not ended else len(data)
    sys.stdout.buffer.write(json.dumps({'ended': ended, 'size': size, 'from': at, 'bytes': length}).encode() + b'\n')
    sys.stdout.buffer.write(data[:length].decode('utf-8', 'replace').encode())


if sys.argv[1] == 'start':
    start()
elif sys.argv[1] == 'look':
    look(int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]))
else:
    show(sys.argv[3], int(sys.argv[4]), float(sys.argv[5]), int(sys.argv[6]))
