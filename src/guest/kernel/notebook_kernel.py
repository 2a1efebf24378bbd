"""The kernel behind the notebook.

Descriptor 3 is a socket: it brings {"code", "marker", "value", "env"} as JSON lines and takes {"type", ...}, first of all `begun`:
from then on an interrupt is heard. Python's output goes there too, so that it keeps its place among
results; output of programs and C goes to descriptor 1, where `marker` follows at the end of each cell. `value` is the
number of characters of the last expression's value that are wanted as text, `env` the environment of this cell alone.
"""
import base64
import builtins
import importlib
import io
import json
import os
import signal
import sys
import threading
import time

from .drivers import Output, make_driver


class Link:
    """Writer to the host. Output waits there for a moment, for more; an interrupt waits until a message is whole."""

    def __init__(self):
        self.forked()
        os.register_at_fork(after_in_child=self.forked)

    def forked(self):
        self.lock, self.printed, self.size, self.depth, self.late = threading.RLock(), [], 0, 0, False
        threading.Thread(target=self.keep_up, daemon=True).start()

    def keep_up(self):
        while True:
            time.sleep(0.05)
            self.flush()

    def interrupt(self, *_):
        if self.depth:
            self.late = True
        else:
            raise KeyboardInterrupt

    def whole(self, work):
        if threading.current_thread() is not threading.main_thread():
            with self.lock:
                return work()
        self.depth += 1
        try:
            with self.lock:
                work()
        finally:
            self.depth -= 1
            if self.late and not self.depth:
                self.late = False
                raise KeyboardInterrupt

    def print(self, name, text):
        def add():
            self.printed.append((name, text))
            self.size += len(text)
            if self.size > 32768:
                self.write_printed()
        self.whole(add)

    def flush(self):
        if self.printed:
            self.whole(self.write_printed)

    def write_printed(self):
        printed, self.printed, self.size = self.printed, [], 0
        at = 0
        while at < len(printed):
            name, end = printed[at][0], at
            while end < len(printed) and printed[end][0] == name:
                end += 1
            self.write({'type': 'stream', 'name': name, 'text': ''.join(text for _, text in printed[at:end])})
            at = end

    def send(self, **message):
        def work():
            self.write_printed()
            self.write(message)
        self.whole(work)

    def write(self, message):
        data = json.dumps(message, default=str).encode() + b'\n'
        while data:
            data = data[os.write(3, data):]


link = Link()
send = link.send


class Stream(io.TextIOBase):
    encoding, errors = 'utf-8', 'replace'

    def __init__(self, name, descriptor):
        self.name, self.descriptor = name, descriptor

    def writable(self):
        return True

    def flush(self):
        link.flush()

    def fileno(self):
        return self.descriptor

    @property
    def buffer(self):
        return Bytes(self)

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError('write() argument must be str, not ' + type(text).__name__)
        for at in range(0, len(text), 65536):
            link.print(self.name, text[at:at + 65536])
        return len(text)


class Bytes(io.RawIOBase):
    def __init__(self, stream):
        self.stream = stream

    def writable(self):
        return True

    def write(self, data):
        self.stream.write(bytes(data).decode('utf-8', 'replace'))
        return len(data)


class HostOutput(Output):
    # IPython's own versions end its main loop, which this shell lacks.
    names = {'exit': sys.exit, 'quit': sys.exit}

    def result(self, data, count):
        values = {mime: base64.b64encode(value).decode() if isinstance(value, bytes) else value
                  for mime, value in sorted(data.items(), key=lambda item: item[0] != 'text/plain')}
        send(type='result', data=values, count=count)

    def error(self, kind, value, lines):
        send(type='error', name=kind.__name__, value=str(value), lines=lines)


def tell(value, max_chars):
    try:
        send(type='value', text=str(value)[:max_chars])
    except KeyboardInterrupt:
        raise
    except BaseException as thrown:
        name = type(thrown).__name__
        send(type='error', name=name, value='', lines=[name + ': the value of the last expression has no text'])


def no_input(*_):
    raise NotImplementedError('Python input() function is disabled.')


def set_environment(env):
    """Sets variables. Returns a function that takes back those which still have the given value: others the code changed itself."""
    environ = os.environ
    before = {name: environ.get(name) for name in env}
    environ.update(env)

    def take_back():
        for name, value in before.items():
            if environ.get(name) != env[name]:
                continue
            if value is None:
                del environ[name]
            else:
                environ[name] = value
    return take_back


def main():
    builtins.input = no_input
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.set_inheritable(3, False)
    sys.stdout, sys.stderr = Stream('stdout', 1), Stream('stderr', 2)
    sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr
    run = make_driver(HostOutput(), [main.__code__.co_filename])
    sys.path.insert(0, '')
    given = os.fdopen(os.dup(3), 'r', encoding='utf-8')
    for line in given:
        request = json.loads(line)
        importlib.invalidate_caches()
        take_back = set_environment(request.get('env') or {})
        try:
            try:
                signal.signal(signal.SIGINT, link.interrupt)
                send(type='begun')
                value = run(request['code'])
                if request.get('value') and value is not None:
                    tell(value, request['value'])
                del value
            finally:
                # A late signal must not end the process while it waits.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
        except KeyboardInterrupt as thrown:
            # The signal may have come so late that it was not ignored yet.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            HostOutput().error(KeyboardInterrupt, thrown, ['KeyboardInterrupt'])
        take_back()
        os.write(1, request['marker'].encode())
        send(type='done', threads=len(sys._current_frames()))


main()
