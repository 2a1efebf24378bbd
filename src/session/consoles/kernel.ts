import { MAX_INTERACTIVE_CHARS } from '../../core/limits/consoles.ts'

/**
 * The process behind the notebook. Descriptor 3 is a socket: it brings `{code, marker}` as JSON lines and takes
 * `{type, …}`, first of all `begun`: from then on an interrupt is heard. What the code prints by Python goes there too,
 * so that it keeps its place among results; what programs and C print goes to descriptor 1, where `marker` follows at
 * the end of each cell. With IPython installed its InteractiveShell runs the code (`!cmd`, magics, rich display),
 * without it plain Python (last expression, await).
 */
export const KERNEL = `
import sys
sys.path.pop(0)
import ast, base64, builtins, importlib, importlib.util, io, json, linecache, os, signal, threading, time, traceback

def users_own(error):
    """Takes the frames of this file out of a traceback, and of all that led to it."""
    seen = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        first = last = None
        at = error.__traceback__
        while at is not None:
            following = at.tb_next
            if at.tb_frame.f_code.co_filename != __file__:
                if last is None:
                    first = at
                else:
                    last.tb_next = at
                last = at
            at = following
        if last is not None:
            last.tb_next = None
        error.__traceback__ = first
        error = error.__cause__ or error.__context__

class Link:
    """To the host. What is printed waits there for a moment, for more; an interrupt waits until a message is whole."""

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
        data = json.dumps(message, default=str).encode() + b'\\n'
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

def result(data, count):
    values = {mime: base64.b64encode(value).decode() if isinstance(value, bytes) else value
              for mime, value in sorted(data.items(), key=lambda item: item[0] != 'text/plain')}
    send(type='result', data=values, count=count)

def error(kind, value, lines):
    send(type='error', name=kind.__name__, value=str(value), lines=lines)

def ipython_driver():
    from IPython.core.displayhook import DisplayHook
    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets import Type
    from traitlets.config import Config

    class Hook(DisplayHook):
        def start_displayhook(self):
            pass

        def write_output_prompt(self):
            pass

        def write_format_data(self, format_dict, md_dict=None):
            result(format_dict, self.shell.execution_count)

        def finish_displayhook(self):
            pass

    class Publisher(DisplayPublisher):
        def publish(self, data, metadata=None, **_):
            result(data, None)

        def clear_output(self, wait=False):
            pass

    class Shell(InteractiveShell):
        displayhook_class = Type(Hook)
        display_pub_class = Type(Publisher)

        def _get_exc_info(self, exc_tuple=None):
            kind, thrown, _ = super()._get_exc_info(exc_tuple)
            users_own(thrown)
            return kind, thrown, thrown.__traceback__

        def _showtraceback(self, etype, evalue, stb):
            error(etype, evalue, stb if isinstance(stb, list) else [str(stb)])

        def enable_gui(self, gui=None):
            pass

        def init_user_ns(self):
            super().init_user_ns()
            # IPython's own end its main loop, which is none of this shell's.
            self.user_ns.update(exit=sys.exit, quit=sys.exit)

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = 'NoColor'
    shell = Shell.instance(config=config)
    return lambda code: shell.run_cell(code, store_history=True).result

def plain_driver():
    import asyncio
    space = sys.modules['__main__'].__dict__.__class__()
    space.update(__name__='__main__', __builtins__=__builtins__)
    count = 0

    def bundle(value):
        data = {'text/plain': repr(value)}
        for method, mime in (('_repr_html_', 'text/html'), ('_repr_markdown_', 'text/markdown'),
                             ('_repr_svg_', 'image/svg+xml'), ('_repr_png_', 'image/png'),
                             ('_repr_jpeg_', 'image/jpeg'), ('_repr_latex_', 'text/latex')):
            made = getattr(value, method)() if hasattr(type(value), method) else None
            if made is not None:
                data[mime] = made
        return data

    def display(*values):
        for value in values:
            result(bundle(value), None)

    space['display'] = display

    def evaluate(tree, name):
        mode = 'eval' if isinstance(tree, ast.Expression) else 'exec'
        value = eval(compile(tree, name, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), space)
        return asyncio.run(value) if asyncio.iscoroutine(value) else value

    def run(code):
        nonlocal count
        count += 1
        name = f'<cell {count}>'
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        try:
            tree = ast.parse(code, name)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            evaluate(tree, name)
            value = evaluate(ast.Expression(last.value), name) if last else None
            if value is not None:
                space['_'] = value
                result(bundle(value), count)
            return value
        except BaseException as thrown:
            users_own(thrown)
            frames = thrown.__traceback__
            error(type(thrown), thrown, ''.join(traceback.format_exception(type(thrown), thrown, frames)).splitlines())

    return run

def tell(value):
    try:
        send(type='value', text=str(value)[:${MAX_INTERACTIVE_CHARS}])
    except KeyboardInterrupt:
        raise
    except BaseException as thrown:
        name = type(thrown).__name__
        send(type='error', name=name, value='', lines=[name + ': the value of the last expression has no text'])

def no_input(*_):
    raise NotImplementedError('Python input() function is disabled.')

def main():
    builtins.input = no_input
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.set_inheritable(3, False)
    sys.stdout, sys.stderr = Stream('stdout', 1), Stream('stderr', 2)
    sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr
    if os.environ.get('MPLBACKEND') is None:
        inline = importlib.util.find_spec('matplotlib_inline') is not None
        os.environ['MPLBACKEND'] = 'module://matplotlib_inline.backend_inline' if inline else 'Agg'
    try:
        run = ipython_driver()
    except ImportError:
        run = plain_driver()
    sys.path.insert(0, '')
    given = os.fdopen(os.dup(3), 'r', encoding='utf-8')
    for line in given:
        request = json.loads(line)
        importlib.invalidate_caches()
        try:
            try:
                signal.signal(signal.SIGINT, link.interrupt)
                send(type='begun')
                value = run(request['code'])
                if request.get('value') and value is not None:
                    tell(value)
                del value
            finally:
                # A late signal must not end the process while it waits.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
        except KeyboardInterrupt as thrown:
            # The signal may have come so late that it was not ignored yet.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            error(KeyboardInterrupt, thrown, ['KeyboardInterrupt'])
        os.write(1, request['marker'].encode())
        send(type='done', threads=len(sys._current_frames()))

main()
`
