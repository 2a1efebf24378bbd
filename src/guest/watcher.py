"""Counts the changes below the workspace, so that a command that changed nothing costs no listing.

The count is the one at the last listing when nothing changed since. A client of the loopback port gets the count and a
new line, or `-` when changes may have been missed. Without a connection a client assumes changes, so the watcher may die.

The kernel queues an event before the call that caused it returns; all events are read before an answer is given, so the
answer holds for everything that happened before the question. New directories are watched before the next answer; what
happened in them earlier is covered by the event of their creation. Not seen are writes through names outside of the
workspace (a hard link, a mount) and through memory.

A file that was open for writing and is let go of without a write since the last answer may have been changed through
memory, by a process that nobody else can look into, or on a file system that notes no such store. Its ctime is moved
then, so that a listing shows it as touched.

It makes the task's Python environment, too, beside the watcher: it has started Python already. The environment sees the
system's packages, so that it needs no pip of its own: 0.1 s where a full one takes 4.5 s.

Input, by lines: the workspace's directory, the environment's name in it, and then the names, `--` and the paths whose
contents are not watched. Arguments would stand in every process list. Prints its port; its output ends when the
environment is made.
"""
import os
import signal
import sys

os.setsid()
with open(0, 'rb') as given:
    ROOT, name, *unwatched = os.fsdecode(given.read()).split('\n')[:-1]
os.open('/dev/null', os.O_RDONLY)
ENVIRONMENT = os.path.join(ROOT, name)
PACKAGES = os.path.join(ENVIRONMENT, 'lib', 'python%d.%d' % sys.version_info[:2], 'site-packages')
# One attempt more, in the place of five with pauses: without an index, a command waits for nothing.
PIP = '#!/bin/sh\nexport PIP_RETRIES="${PIP_RETRIES-1}"\nexec "${0%/*}/python" -m pip "$@"\n'


def make_environment():
    """Makes the environment in another process, which loads the needed modules."""
    try:
        os.makedirs(PACKAGES, exist_ok=True)
    except OSError:
        pass
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    if os.fork() == 0:
        try:
            import venv
            venv.EnvBuilder(system_site_packages=True, symlinks=True).create(ENVIRONMENT)
            for name in ('pip', 'pip3'):
                with open(os.path.join(ENVIRONMENT, 'bin', name), 'w') as file:
                    file.write(PIP)
                os.chmod(file.name, 0o755)
        finally:
            os._exit(0)


make_environment()

import ctypes
import select
import socket
import struct

split = unwatched.index('--')
names, paths = set(unwatched[:split]), set(os.path.join(ROOT, p) for p in unwatched[split + 1:])
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(15, b'toolyard-watch', 0, 0, 0)  # PR_SET_NAME: killing all Python by name must not kill this
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
