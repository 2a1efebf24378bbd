import { SANDBOX_ROOT } from '../../core/workspace-path.ts'

/**
 * A small process in the sandbox that knows whether anything below the workspace changed since it was last asked to
 * forget, so that a command that changed nothing costs no listing. It answers on a loopback port of the sandbox:
 * `q` → `0` or `1`, `r` → forgets, then `0`. Whoever cannot reach it takes "changed" for the answer, so it may die.
 *
 * The kernel queues an event before the call that caused it returns; all events are read before a question is answered,
 * so the answer holds for everything that happened before the question. New directories are watched before the next
 * answer; what happened in them earlier is covered by the event of their creation.
 *
 * Arguments: the names and then `--` and the paths whose contents are not watched. Prints its port.
 */
export const WATCHER = `
import ctypes, os, select, socket, struct, sys
split = sys.argv.index('--')
names, paths = set(sys.argv[1:split]), set(os.path.join('${SANDBOX_ROOT}', p) for p in sys.argv[split + 1:])
libc = ctypes.CDLL(None, use_errno=True)
events = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
CHANGES = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
ONLY_DIRECTORIES, IS_DIRECTORY, OVERFLOW, GONE = 0x1000000 | 0x2000000, 0x40000000, 0x4000, 0x8000
places, changed, blind = {}, True, events < 0

def watch(top):
    global blind
    stack = [top]
    while stack:
        place = stack.pop()
        wd = libc.inotify_add_watch(events, os.fsencode(place), CHANGES | ONLY_DIRECTORIES)
        if wd < 0:
            if ctypes.get_errno() == 28:
                blind = True
            continue
        places[wd] = place
        if place in paths or (place != '${SANDBOX_ROOT}' and os.path.basename(place) in names):
            continue
        try:
            stack += [e.path for e in os.scandir(place) if e.is_dir(follow_symlinks=False)]
        except OSError:
            pass

def drain():
    global changed
    while True:
        try:
            data = os.read(events, 1 << 16)
        except BlockingIOError:
            return
        at = 0
        while at < len(data):
            wd, mask, _, length = struct.unpack_from('iIII', data, at)
            name = data[at + 16:at + 16 + length].split(b'\\0', 1)[0]
            at += 16 + length
            changed = True
            if mask & OVERFLOW:
                watch('${SANDBOX_ROOT}')
            elif mask & GONE:
                places.pop(wd, None)
            elif mask & IS_DIRECTORY and mask & 0x180 and wd in places:
                place = places[wd]
                if not (place in paths or os.path.basename(place) in names):
                    watch(os.path.join(place, os.fsdecode(name)))

server = socket.create_server(('127.0.0.1', 0), backlog=64)
for place in paths:
    watch(place)
watch('${SANDBOX_ROOT}')
print(server.getsockname()[1], flush=True)
null = os.open('/dev/null', os.O_RDWR)
for fd in (0, 1, 2):
    os.dup2(null, fd)
while True:
    ready, _, _ = select.select([server, events], [], [])
    drain()
    if server in ready:
        connection, _ = server.accept()
        connection.settimeout(0.2)
        try:
            question = connection.recv(1)
            drain()
            if question == b'r':
                changed = False
            connection.sendall(b'1' if changed or blind else b'0')
        except OSError:
            pass
        connection.close()
`
