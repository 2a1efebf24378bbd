"""Counts the changes below the workspace, so that a command that changed nothing costs no listing.

The count is the one at the last listing when nothing changed since. A client of the loopback port gets the count and a
new line, or `-` when changes may have been missed. Without a connection a client assumes changes, so the watcher may die.

The kernel queues an event before the call that caused it returns; all events are read before an answer is given, so the
answer holds for everything that happened before the question. New directories are watched before the next answer; what
happened in them earlier is covered by the event of their creation. Not seen are writes through names outside of the
workspace (a hard link, a mount) and through memory.

The journal says which paths changed: a client of the other port, whose number is in a file beside this one, sends the count
of its last look and a new line, and gets the present count and a new line, and then records with NUL behind each: `d` and a
path that must be listed with all below it, `m` and one that was made, moved or removed, `w` and one that was written, `p` and
a directory on the way to such a path, and at last `end`. Without records everything must be listed. Paths may be too many,
never too few: each is the one at which the event came, and whatever moves a directory has a `d` of its own.

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
places, prefixes, refused, count, blind, written = {}, {}, set(), 1, events < 0, set()
MADE, TOUCHED, ATTRIBUTES = 0x40 | 0x80 | 0x100 | 0x200, 0x2 | 0x4 | 0x8, 0x4
MOVED_FROM, MOVED_TO, DELETED = 0x40, 0x80, 0x200
# Bytes of paths, so that an answer fits into the socket's buffer: whoever does not read it keeps nobody waiting.
MAX_JOURNAL_BYTES, MAX_ASKING = 96 * 1024, 8
# By path: the counts at the last event, at the last one that made or removed it, at the last that is for all below it, and at
# the last at which it was written. `moving` is a move of which only the first half came: its cookie, and up to which count that
# makes the journal doubtful. `doubt` is that for all of it.
journal, journal_bytes, floor, doubt, moving = {}, 0, 0, 0, None
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
            prefixes[wd] = b'.' + os.fsencode(place[len(ROOT):]) + b'/' if entered(place) else None
            try:
                if entered(place):
                    stack += [e.path for e in os.scandir(place) if e.is_dir(follow_symlinks=False)]
            except OSError as e:
                error = e.errno
        if error == REFUSED:
            refused.add(place)
        elif error and error not in VANISHED:
            blind = True


def lose():
    """Forgets the journal: who asks for what came until now must list everything."""
    global floor, journal_bytes
    journal.clear()
    journal_bytes, floor = 0, count


def note(path, mask, cookie):
    """Notes one event. What is written and then loses its name may have been another file's second name: that is `doubt`."""
    global journal_bytes, doubt, moving
    known = journal.get(path)
    if known is None:
        if journal_bytes > MAX_JOURNAL_BYTES:
            lose()
        known = journal[path] = [0, 0, 0, 0]
        journal_bytes += len(path) + 2
    touched = known[3]
    if moving and mask & MOVED_TO and cookie == moving[0]:
        known[3], moving = 0 if mask & IS_DIRECTORY else moving[1], None
    elif mask & MOVED_TO:
        known[3] = 0
    unmatched()
    known[0] = count
    if mask & MADE:
        known[1] = count
    if mask & IS_DIRECTORY:
        known[2] = count
        if mask & MOVED_FROM:
            below = path + b'/'
            doubt = max([doubt, *(other[3] for each, other in journal.items() if each.startswith(below))])
            moving = cookie, count
    elif mask & TOUCHED:
        known[3] = count
    elif mask & MOVED_FROM:
        moving, known[3] = (cookie, touched), 0
    elif mask & (MOVED_TO | DELETED):
        doubt = max(doubt, touched)


def unmatched():
    """Ends a move that did not end where it can be listed."""
    global moving, doubt
    if moving:
        doubt = max(doubt, moving[1])
    moving = None


def journal_since(since):
    """Records of what changed after the count `since`, which need not be kept for anybody who looked later."""
    global floor, journal_bytes
    unmatched()
    if since < max(floor, doubt) or since > count:
        return b''
    for path in [path for path, known in journal.items() if known[0] <= since]:
        del journal[path]
        journal_bytes -= len(path) + 2
    floor = since
    parents = set()
    for path in journal:
        path = path.rpartition(b'/')[0]
        while path != b'.' and path not in parents:
            parents.add(path)
            path = path.rpartition(b'/')[0]
    records = [b'p' + path for path in parents - journal.keys()]
    for path, (_, made, deep, _) in journal.items():
        records.append((b'd' if deep > since else b'm' if made > since else b'w') + path)
    return b'\0'.join([*records, b'end', b''])


def drain():
    global blind, count
    while True:
        try:
            data = os.read(events, 1 << 16)
        except BlockingIOError:
            break
        at = 0
        while at < len(data):
            wd, mask, cookie, length = struct.unpack_from('iIII', data, at)
            name = data[at + 16:at + 16 + length].split(b'\0', 1)[0]
            at += 16 + length
            count += 1
            if mask & WRITTEN and len(written) < MAX_WRITTEN:
                written.add((wd, name))
            elif mask & LET_GO and (wd, name) in written:
                written.discard((wd, name))
            elif mask & LET_GO and wd in places:
                libc.utimensat(-100, os.path.join(os.fsencode(places[wd]), name), NOW_AND_OMIT, 0x100)
            if mask & OVERFLOW or wd not in places or (not name and mask & ATTRIBUTES and places[wd] == ROOT):
                lose()
            elif name and prefixes[wd]:
                note(prefixes[wd] + name, mask, cookie)
            if mask & OVERFLOW:
                watch(ROOT)
            elif mask & (GONE | MOVED_SELF) and places.get(wd) == ROOT:
                blind = True
            elif mask & GONE:
                places.pop(wd, None)
                prefixes.pop(wd, None)
            elif mask & IS_DIRECTORY and mask & ARRIVED and wd in places and entered(places[wd]):
                watch(os.path.join(places[wd], os.fsdecode(name)))
    for place in list(refused):
        refused.discard(place)
        watch(place)
        lose()


def answer(connection):
    """Tells a client of the journal what it asks for; a client that goes on asking, or does not read, hears the end."""
    try:
        since = int(connection.recv(64))
        drain()
        connection.sendall(b'-\n' if blind or refused else b'%d\n%s' % (count, journal_since(since)))
    except (OSError, ValueError):
        pass
    connection.close()


server = socket.create_server(('127.0.0.1', 0), backlog=64)
journals = socket.create_server(('127.0.0.1', 0), backlog=64)
paths.add(PACKAGES)
for place in paths:
    watch(place)
watch(ROOT)
port = server.getsockname()[1]
try:
    with open(os.path.join(os.path.dirname(sys.argv[0]), 'journal-%d' % port), 'w') as file:
        file.write('%d\n' % journals.getsockname()[1])
except OSError:
    pass
print(port, flush=True)
null = os.open('/dev/null', os.O_RDWR)
for fd in (0, 1, 2):
    os.dup2(null, fd)
asking = []
while True:
    ready, _, _ = select.select([server, journals, events, *asking], [], [])
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
    for connection in [one for one in asking if one in ready]:
        asking.remove(connection)
        answer(connection)
    if journals in ready:
        connection, _ = journals.accept()
        connection.setblocking(False)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * MAX_JOURNAL_BYTES)
        asking.append(connection)
        for connection in asking[:-MAX_ASKING]:
            asking.remove(connection)
            connection.close()
