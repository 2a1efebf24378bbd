"""Runs code for a kernel: by IPython's InteractiveShell where it is installed (`!cmd`, magics, rich display), else by plain Python (last expression, await).

A kernel gives an `Output`, and gets a function that runs one text of code and returns the value of its last expression.
"""
import ast
import builtins
import contextlib
import importlib.util
import linecache
import logging
import os
import sys
import traceback
import types


class Output:
    """Receiver of everything that the code shows."""

    # Names that the code finds besides Python's own.
    names = {}

    def begin(self, count):
        """Begins the execution of that number."""

    def result(self, data, count):
        """Shows `data`, values by MIME type. `count` is the execution's number for the value of its last expression, else None."""
        raise NotImplementedError

    def error(self, kind, value, lines):
        raise NotImplementedError

    def add_formatters(self, shell):
        """Prepares IPython for further displays."""

    def more_data(self, value):
        """Further values of an object by their MIME types, for runs without IPython; None for those left out."""
        return {}


def make_driver(output, own_files=()):
    """Makes a driver. `own_files` are names of the kernel's own code, which no traceback shows."""
    if os.environ.get('MPLBACKEND') is None:
        inline = importlib.util.find_spec('matplotlib_inline') is not None
        os.environ['MPLBACKEND'] = 'module://matplotlib_inline.backend_inline' if inline else 'Agg'
    # matplotlib lists the machine's fonts at its first import, and says so where that takes five seconds.
    logging.getLogger('matplotlib.font_manager').addFilter(lambda record: 'building the font cache' not in record.getMessage())
    own = {remove_frames.__code__.co_filename, *own_files}
    try:
        with left_out():
            return ipython_driver(output, own)
    except ImportError:
        return plain_driver(output, own)


def remove_frames(error, own):
    """Takes the frames of our own files out of a traceback, and of those of its causes."""
    seen = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        first = last = None
        at = error.__traceback__
        while at is not None:
            following = at.tb_next
            if at.tb_frame.f_code.co_filename not in own:
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


# What IPython loads and no kernel needs: a terminal, and completion. It is almost half of what a kernel's start costs.
TERMINAL, COMPLETION = 'IPython.terminal.embed', 'jedi'


@contextlib.contextmanager
def left_out():
    """IPython is imported and set up without a terminal and completion, which code can import afterwards."""
    if 'IPython' in sys.modules or COMPLETION in sys.modules:
        yield
        return
    stand_in = types.ModuleType(TERMINAL)
    stand_in.embed = None
    # None makes an import fail as if nothing were installed.
    sys.modules.update({TERMINAL: stand_in, COMPLETION: None})
    try:
        yield
    finally:
        del sys.modules[TERMINAL], sys.modules[COMPLETION]
    package = sys.modules['IPython']
    del package.embed
    package.__getattr__ = missing_name


def missing_name(name):
    """Names of the package IPython that are imported when they are asked for."""
    if name != 'embed':
        raise AttributeError("module 'IPython' has no attribute %r" % name)
    from IPython.terminal.embed import embed
    return embed


def ipython_driver(output, own):
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
            output.result(format_dict, self.shell.execution_count)

        def finish_displayhook(self):
            pass

    class Publisher(DisplayPublisher):
        def publish(self, data, metadata=None, **_):
            output.result(data, None)

        def clear_output(self, wait=False):
            pass

    class Shell(InteractiveShell):
        displayhook_class = Type(Hook)
        display_pub_class = Type(Publisher)

        def _get_exc_info(self, exc_tuple=None):
            kind, thrown, _ = super()._get_exc_info(exc_tuple)
            remove_frames(thrown, own)
            return kind, thrown, thrown.__traceback__

        def _showtraceback(self, etype, evalue, stb):
            output.error(etype, evalue, stb if isinstance(stb, list) else [str(stb)])

        def enable_gui(self, gui=None):
            pass

        def init_user_ns(self):
            super().init_user_ns()
            self.user_ns.update(output.names)

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = 'NoColor'
    shell = Shell.instance(config=config)
    output.add_formatters(shell)

    def run(code):
        output.begin(shell.execution_count)
        return shell.run_cell(code, store_history=True).result

    return run


REPRESENTATIONS = (
    ('_repr_html_', 'text/html'), ('_repr_markdown_', 'text/markdown'), ('_repr_svg_', 'image/svg+xml'),
    ('_repr_png_', 'image/png'), ('_repr_jpeg_', 'image/jpeg'), ('_repr_latex_', 'text/latex'),
)


def plain_driver(output, own):
    import asyncio

    space = types.ModuleType('__main__').__dict__
    space['__builtins__'] = builtins
    count = 0

    def bundle(value):
        made = {mime: getattr(value, name)() for name, mime in REPRESENTATIONS if hasattr(type(value), name)}
        data = {'text/plain': repr(value), **made, **output.more_data(value)}
        return {mime: each for mime, each in data.items() if each is not None}

    def display(*values):
        for value in values:
            output.result(bundle(value), None)

    space['display'] = display

    def evaluate(tree, name):
        mode = 'eval' if isinstance(tree, ast.Expression) else 'exec'
        value = eval(compile(tree, name, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), space)
        return asyncio.run(value) if asyncio.iscoroutine(value) else value

    def run(code):
        nonlocal count
        count += 1
        output.begin(count)
        name = f'<cell {count}>'
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        try:
            tree = ast.parse(code, name)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            evaluate(tree, name)
            value = evaluate(ast.Expression(last.value), name) if last else None
            if value is not None:
                space['_'] = value
                output.result(bundle(value), count)
            return value
        except BaseException as thrown:
            remove_frames(thrown, own)
            frames = thrown.__traceback__
            output.error(type(thrown), thrown, ''.join(traceback.format_exception(type(thrown), thrown, frames)).splitlines())

    return run
