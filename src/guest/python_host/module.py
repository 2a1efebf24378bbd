"""A module's own process: loads the module from memory and serves calls, one after another.

The module shares this process, so it can make up its own answers; no other module's data is here.
"""
import importlib
import json
import os
import sys
import types

from ..settings import MAX_PYTHON_RESULT_BYTES, VENV_DIR, WORKSPACE
from .errors import raised, unloadable
from .functions import asked_function
from .lagent_actions import asked_action, asked_descriptions
from .sources import Sources, use_environment
from .values import returned, settled, to_json

ASKED = {'function': asked_function, 'describe': asked_descriptions, 'action': asked_action}
main = None


def serve(link):
    # Nothing is secret in the host's program, but a module expects an empty __main__.
    sys.modules['__main__'] = types.ModuleType('__main__')
    for line in link.makefile('rb'):
        request = json.loads(line)
        reply = answer(request)
        try:
            reply = reply.encode()
        except UnicodeEncodeError:
            # A model's text can have half of a surrogate pair: an action's answer shows it unchanged.
            if request['do'] != 'function':
                reply = json.dumps(json.loads(reply)).encode()
            else:
                reply = json.dumps(raised(ValueError('the result has half of a surrogate pair, which is no text'))).encode()
        if len(reply) > MAX_PYTHON_RESULT_BYTES:
            reply = json.dumps({'how': 'tooLarge', 'bytes': len(reply)}).encode()
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        note_mapped()
        link.sendall(request['id'].encode() + b' ' + reply + b'\n')


def note_mapped():
    """Moves the ctime of mapped files: stores into them may leave no mark, and no other process may look into this one."""
    with open('/proc/self/maps', 'rb') as maps:
        lines = [line.rstrip(b'\n').split(None, 5) for line in maps if b's ' in line]
    here = os.fsencode(WORKSPACE) + b'/'
    for path in {line[5] for line in lines if len(line) == 6 and line[1][1:2] == b'w' and line[1][3:4] == b's'}:
        if path.startswith(here):
            try:
                times = os.lstat(path)
                os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns), follow_symlinks=False)
            except OSError:
                pass  # the file was removed, or belongs to another user


def answer(request):
    global main
    try:
        if main is None:
            prepare(request['load'])
        module = importlib.import_module(main)
        entry = ASKED[request['do']](module, request)
    except BaseException as error:
        return json.dumps(unloadable(error))
    try:
        value = settled(entry())
        return returned(value if request['do'] == 'function' else to_json(value))
    except BaseException as error:
        return json.dumps(raised(error))


def prepare(load):
    global main
    main = load['main']
    sys.meta_path.insert(0, Sources(load['files']))
    if load['environment']:
        use_environment(os.path.join(WORKSPACE, VENV_DIR))
