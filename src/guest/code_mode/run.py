"""Runs the file of code that a model wrote, which the first argument names, with `tools` at hand."""
import builtins
import importlib.machinery
import os
import sys
import traceback
import types

from .tools import ToolError, Tools

PLACE = sys.argv[1]


def run(source):
    tools = Tools()
    add('toolyard', tools=tools, ToolError=ToolError)
    builtins.tools, builtins.ToolError = tools, ToolError
    sys.meta_path.insert(0, Finder(tools))
    main = add('__main__', __file__=PLACE)
    sys.argv, sys.path[0] = [PLACE], os.getcwd()
    try:
        exec(compile(source, PLACE, 'exec', dont_inherit=True), main.__dict__)
    except Exception as error:
        sys.stdout.flush()
        show(error)
        sys.exit(1)


class Finder:
    """Gives `import tools` what is there without it, unless the task has a module of that name: a directory is one when it has Python."""

    def __init__(self, tools):
        self.tools = tools

    def find_spec(self, name, path=None, target=None):
        if name != 'tools':
            return None
        others = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)
        found = next(filter(None, others), None)
        return found if found and (found.loader or has_python(found)) else importlib.machinery.ModuleSpec(name, self)

    def create_module(self, spec):
        return self.tools

    def exec_module(self, module):
        pass


def has_python(found):
    return any(name.endswith('.py') for place in found.submodule_search_locations for name in os.listdir(place))


def add(name, **values):
    module = sys.modules[name] = types.ModuleType(name)
    module.__dict__.update(values)
    return module


def show(error):
    """Prints the traceback without our own lines: those of a failed call end where the code made it."""
    shown = traceback.TracebackException.from_exception(error)
    shown.stack = traceback.StackSummary.from_list([frame for frame in shown.stack if not is_ours(frame.filename)])
    print(''.join(shown.format()), end='', file=sys.stderr)


def is_ours(name):
    return name.startswith('<code_mode.') or name == os.path.join(os.path.dirname(PLACE), 'run.py')


with open(PLACE, 'rb') as file:
    text = file.read()
run(text)
