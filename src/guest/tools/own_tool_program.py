"""A module around a client's Python, which is loaded with the names that the published server gives it.

`answer` describes or calls one function of it, and returns that as JSON. The client's Python is the source of the module
`own_tool_code` beside this one, and is run under another name.
"""
import base64
import importlib.util
import inspect
import json
import sys
import types

CODE_MODULE = 'own_tool_code'
found = {}
loaded = False


class ToolExecutionError(Exception):
    pass


def toolwrapper(name=None, enabled=True, disabled_reason=None, visible=True, **_):
    def label(function, name=None if callable(name) else name):
        found[name or function.__name__] = (function, enabled, disabled_reason, visible)
        return function
    return label(name) if callable(name) else label


def module(name, **names):
    made = types.ModuleType(name)
    made.__dict__.update(names)
    sys.modules[name] = made
    return made


own = module('own_tool', toolwrapper=toolwrapper, ToolExecutionError=ToolExecutionError)
for name, names in (('core', {}), ('core.register', {'toolwrapper': toolwrapper}),
                    ('core.exceptions', {'ToolExecutionError': ToolExecutionError})):
    module(name, __path__=[], **names)


def wrapped(value):
    if isinstance(value, (bytes, bytearray)):
        return {'type': 'binary', 'media_type': 'bytes', 'data': base64.b64encode(value).decode()}
    if isinstance(value, tuple):
        if len(value) > 1:
            return {'type': 'composite', 'data': [wrapped(part) for part in value]}
        return {'type': 'simple', 'data': value[0] if value else None}
    return value


async def work(name, arguments):
    global loaded
    if not loaded:
        code = importlib.util.find_spec(CODE_MODULE).loader.get_source(CODE_MODULE)
        exec(compile(code, '<tool>', 'exec'), own.__dict__)
        loaded = True
    if name not in found:
        return {'absent': sorted(map(str, found))[:20]}
    function, enabled, reason, visible = found[name]
    if not inspect.isroutine(function):
        return {'error': 'TypeError', 'message': 'only functions can be registered'}
    if not enabled:
        return {'error': 'RuntimeError', 'message': 'the tool is disabled' + (': ' + str(reason) if reason else '')}
    if arguments is None:
        return {'doc': str(inspect.getdoc(function) or ''), 'visible': bool(visible)}
    value = function(**arguments)
    return {'value': wrapped(await value if inspect.isawaitable(value) else value)}


def failed(error):
    known = isinstance(error, ToolExecutionError) and error.args
    if known and isinstance(error.args[0], (dict, list)):
        return {'detail': error.args[0]}
    return {'error': '' if known else type(error).__name__, 'message': str(error)}


async def answer(name, arguments):
    try:
        return json.dumps(await work(name, arguments), allow_nan=False)
    except BaseException as error:
        try:
            return json.dumps(failed(error), allow_nan=False)
        except Exception:
            return json.dumps({'error': type(error).__name__, 'message': ''})
