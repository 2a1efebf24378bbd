"""The object `tools` of code that a model wrote: each attribute is a tool of the session, and each call of one a call of the session."""
import json
import os
import socket
import threading


class ToolError(Exception):
    """What a tool could not do, or why it was not called.

    `tool`: its name; `code`: a word such as `not_found`; `retry_after`: seconds until a call may be let in, after `rate_limited`.
    """

    def __init__(self, tool, code, message, retry_after=None):
        super().__init__('%s: %s (%s)' % (tool, message, code))
        self.tool, self.code, self.retry_after = tool, code, retry_after


# Tracebacks name it by the module that code imports it from.
ToolError.__module__ = 'toolyard'


class Line:
    """The line to the session, shared by all threads: one reads for all that wait."""

    def __init__(self):
        number = os.environ.pop('TOOLYARD_CALLS', None)
        self.link = None if number is None else socket.socket(fileno=int(number))
        if self.link:
            # Programs that the code starts may not call.
            self.link.set_inheritable(False)
        os.register_at_fork(after_in_child=self.close)
        self.count, self.waiting, self.ready = 0, {}, threading.Condition()
        self.writing, self.reader = threading.Lock(), None

    def close(self):
        """In a forked process: two that read the same answers would lose them."""
        self.link = None

    def ask(self, tool, args):
        if self.link is None:
            raise ToolError(tool, 'unavailable', 'tools cannot be called from here: only the code itself calls them, and no process that it starts')
        line = json.dumps({'tool': tool, 'args': args}, default=plain).encode() + b'\n'
        # Answers name their calls by the order of the lines.
        with self.writing:
            with self.ready:
                self.count += 1
                number = self.count
                self.waiting[number] = None
            if self.reader is None:
                self.reader = threading.Thread(target=self.read, daemon=True)
                self.reader.start()
            try:
                self.link.sendall(line)
            except OSError:
                self.end()
        with self.ready:
            while self.waiting[number] is None:
                self.ready.wait()
            return self.waiting.pop(number)

    def read(self):
        try:
            with self.link.makefile('rb') as lines:
                for line in lines:
                    number, _, text = line.partition(b' ')
                    answer = json.loads(text)
                    with self.ready:
                        if int(number) in self.waiting:
                            self.waiting[int(number)] = answer
                        self.ready.notify_all()
        except (OSError, ValueError):
            pass
        self.end()

    def end(self):
        """Ends all that wait: the session has cut the line."""
        with self.ready:
            for number, answer in self.waiting.items():
                if answer is None:
                    self.waiting[number] = ENDED
            self.ready.notify_all()


ENDED = {'error': {'code': 'unavailable', 'message': 'the session takes no more calls of this run'}}


def plain(value):
    """Values that JSON does not have, as near as it has."""
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError('an argument of a tool must be JSON; %s is not' % type(value).__name__)


class Tool:
    def __init__(self, name, line):
        self.__name__, self._line = name, line

    def __call__(self, *given, **args):
        name = self.__name__
        if given:
            if len(given) > 1 or not isinstance(given[0], dict):
                raise TypeError('%s takes its arguments by name: tools.%s(name=value)' % (name, name))
            args = {**given[0], **args}
        answer = self._line.ask(name, args)
        if 'error' in answer:
            raise ToolError(name, **answer['error'])
        return answer['data']

    def __repr__(self):
        return '<tool %s>' % self.__name__


class Tools:
    """`tools.NAME(argument=value)` calls a tool and returns its fields; `tools['NAME']` is one whose name Python does not take."""

    def __init__(self):
        self._line = Line()
        self.ToolError = ToolError
        # For `from tools import tools`.
        self.tools = self

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return Tool(name, self._line)

    def __getitem__(self, name):
        return Tool(name, self._line)

    def call(self, name, args=None):
        return Tool(name, self._line)(args or {})
