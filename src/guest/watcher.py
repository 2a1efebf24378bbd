"""Counts the changes below the workspace, so that a command that changed nothing costs no listing.

The count is what it was when the last listing was taken over. Whoever connects to the loopback port gets the count and a
new line, or `-` when changes may have been missed. Whoever cannot reach it takes "changed" for the answer, so it may die.

The kernel queues an event before the call that caused it returns; all events are read before an answer is given, so the
answer holds for everything that happened before the question. New directories are watched before the next answer; what
happened in them earlier is covered by the event of their creation. Not seen are writes through names outside of the
workspace (a hard link, a mount) and through memory.

A file that was open for writing and is let go of without a write since the last answer may have been changed through
memory, by a process that nobody else can look into, or on a file system that notes no such store. Its ctime is moved
then, so that a listing shows it as touched.

It makes the task's Python environment, too, since it has started Python already. The environment sees the system's packages,
so that it needs no pip of its own: some milliseconds where a full one takes 4.5 s.

Arguments: the workspace's directory, the environment's name in it, and then the names, `--` and the paths whose contents
are not watched. Prints its port when the environment is made, and its output ends.
"""
import os
import sys

ROOT = sys.argv[1]
ENVIRONMENT = os.path.join(ROOT, sys.argv[2])
PACKAGES = os.path.join(ENVIRONMENT, 'lib', 'python%d.%d' % sys.version_info[:2], 'site-packages')
CONFIGURATION = '''home = %s
include-system-site-packages = true
version = %d.%d.%d
executable = %s
command = %s -m venv --without-pip --system-site-packages %s
'''
PIP = '#!/bin/sh\nexec "${0%/*}/python" -m pip "$@"\n'


def make_environment():
    """Makes what `python3 -m venv --without-pip --system-site-packages` makes, whose module takes longer to load than that."""
    scripts = os.path.join(ENVIRONMENT, 'bin')
    for directory in (scripts, os.path.join(ENVIRONMENT, 'include', 'python%d.%d' % sys.version_info[:2]), PACKAGES):
        os.makedirs(directory, exist_ok=True)
    python = os.path.abspath(sys._base_executable)
    name = os.path.basename(python)
    link(python, os.path.join(scripts, name))
    for alias in ('python', 'python3', 'python3.%d' % sys.version_info[1]):
        link(name, os.path.join(scripts, alias))
    if sys.maxsize > 2**32:
        link('lib', os.path.join(ENVIRONMENT, 'lib64'))
    write(os.path.join(ENVIRONMENT, 'pyvenv.cfg'), CONFIGURATION % (
        os.path.dirname(python), *sys.version_info[:3], os.path.realpath(python), python, ENVIRONMENT))
    for pip in ('pip', 'pip3'):
        write(os.path.join(scripts, pip), PIP)
        os.chmod(os.path.join(scripts, pip), 0o755)
    templates = os.path.join(os.path.dirname(os.__file__), 'venv', 'scripts')
    for folder in ('common', 'posix'):
        for template in os.scandir(os.path.join(templates, folder)):
            if template.name.startswith('activate'):
                with open(template.path) as file:
                    write(os.path.join(scripts, template.name), activation(file.read()))


def activation(text):
    """Python's template for this environment. Some versions put the prompt into quotes or parentheses of the template's own."""
    name = os.path.basename(ENVIRONMENT)
    prompt = '(%s) ' % name
    if '("__VENV_PROMPT__' in text:
        prompt = name
    elif '"__VENV_PROMPT__' not in text:
        prompt = "'%s'" % prompt
    return text.replace('__VENV_DIR__', ENVIRONMENT).replace('__VENV_BIN_NAME__', 'bin').replace('__VENV_PROMPT__', prompt)


def link(target, path):
    if not os.path.lexists(path):
        os.symlink(target, path)


def write(path, text):
    with open(path, 'w') as file:
        file.write(text)


try:
    make_environment()
except OSError:
    pass

import ctypes
import select
import socket
import struct

split = sys.argv.index('--')
names, paths = set(sys.argv[3:split]), set(os.path.join(ROOT, p) for p in sys.argv[split + 1:])
libc = ctypes.CDLL(None, use_errno=True)
events = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
CHANGES = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
ONLY_DIRECTORIES, IS_DIRECTORY, ARRIVED = 0x1000000 | 0x2000000, 0x40000000, 0x80 | 0x100
MOVED_SELF, OVERFLOW, GONE = 0x800, 0x4000, 0x8000
VANISHED, REFUSED = (2, 20, 40), 13
WRITTEN, LET_GO, MAX_WRITTEN = 0x2 | 0x80 | 0x100, 0x8, 10000
places, refused, count, blind, written = {}, set(), 1, events < 0, set()
NOW_AND_OMIT = struct.pack('llll', 0, (1 << 30) - 1, 0, (1 << 30) - 2)


def entered(place):
    return place == ROOT or not (place in paths or os.path.basename(place) in names)


def watch(top):
    global blind
    stack = [top]
    while stack:
        place = stack.pop()
        wd = libc.inotify_add_watch(events, os.fsencode(place), CHANGES | ONLY_DIRECTORIES)
        error = 0 if wd >= 0 else ctypes.get_errno()
        if wd >= 0:
            places[wd] = place
            try:
                if entered(place):
                    stack += [e.path for e in os.scandir(place) if e.is_dir(follow_symlinks=False)]
            except OSError as e:
                error = e.errno
        if error == REFUSED:
            refused.add(place)
        elif error and error not in VANISHED:
            blind = True


def drain():
    global blind, count
    while True:
        try:
            data = os.read(events, 1 << 16)
        except BlockingIOError:
            break
        at = 0
        while at < len(data):
            wd, mask, _, length = struct.unpack_from('iIII', data, at)
            name = data[at + 16:at + 16 + length].split(b'\0', 1)[0]
            at += 16 + length
            count += 1
            if mask & WRITTEN and len(written) < MAX_WRITTEN:
                written.add((wd, name))
            elif mask & LET_GO and (wd, name) in written:
                written.discard((wd, name))
            elif mask & LET_GO and wd in places:
                libc.utimensat(-100, os.path.join(os.fsencode(places[wd]), name), NOW_AND_OMIT, 0x100)
            if mask & OVERFLOW:
                watch(ROOT)
            elif mask & (GONE | MOVED_SELF) and places.get(wd) == ROOT:
                blind = True
            elif mask & GONE:
                places.pop(wd, None)
            elif mask & IS_DIRECTORY and mask & ARRIVED and wd in places and entered(places[wd]):
                watch(os.path.join(places[wd], os.fsdecode(name)))
    for place in list(refused):
        refused.discard(place)
        watch(place)


server = socket.create_server(('127.0.0.1', 0), backlog=64)
paths.add(PACKAGES)
for place in paths:
    watch(place)
watch(ROOT)
print(server.getsockname()[1], flush=True)
null = os.open('/dev/null', os.O_RDWR)
for fd in (0, 1, 2):
    os.dup2(null, fd)
while True:
    ready, _, _ = select.select([server, events], [], [])
    drain()
    if server in ready:
        connection, _ = server.accept()
        drain()
        written.clear()
        try:
            connection.sendall(b'-\n' if blind or refused else b'%d\n' % count)
        except OSError:
            pass
        connection.close()
