import { HOST_AT_WORK_MARK, HOST_MARK } from '../machine/marks.ts'

/**
 * The part of the host that tells whether anything goes on though nobody asks, and what the watcher has counted, so that
 * a question that changed nothing costs no listing. Python; stands in `HOST`.
 *
 * A kernel or a shell that waits for its next input changes no file, unless it has threads of Python, or a file of the
 * workspace mapped: stores into that are seen by nobody (docs/decisions/025).
 */
export const REST_PART = `# What goes on though nobody asks

MAPPED = re.compile(rb'^\\S+ ...s \\S+ \\S+ [1-9]\\d* +(?! |/usr/|/lib|/opt/|/etc/|/dev/|/memfd:|/SYSV)', re.M)

class Rest:
    def __init__(self):
        self.lock, self.requests, self.port = threading.Lock(), 0, None

    def begin(self, port):
        with self.lock:
            self.port = port or self.port
            self.requests += 1
            show(True)

    def end(self):
        """Returns whether something goes on."""
        with self.lock:
            self.requests -= 1
            return self.look()

    def keep_up(self):
        with self.lock:
            self.look()

    def look(self):
        at_work = self.requests > 0 or goes_on()
        show(at_work)
        return at_work

    def watched(self):
        """The watcher's count; None when it cannot be asked."""
        if self.port is None:
            return None
        try:
            with socket.create_connection(('127.0.0.1', self.port), 1) as watcher:
                return watcher.recv(64).decode().strip()
        except (OSError, ValueError):
            return None

def show(at_work):
    try:
        resource.setrlimit(10, (${HOST_AT_WORK_MARK} if at_work else ${HOST_MARK}, ${HOST_AT_WORK_MARK}))
    except (OSError, ValueError):
        pass

def goes_on():
    if notebook.busy() or scratch.busy():
        return True
    waiting = {shell.process.pid: None for shell in all_shells()}
    for one in [notebook, *scratch.all()]:
        kernel = one.kernel
        if kernel:
            waiting[kernel.process.pid] = kernel
    for pid, state, threads in ours():
        if pid not in waiting or state != 'S':
            return True
        kernel = waiting[pid]
        if kernel and (kernel.threads > 2 and threads > 2 or maps_files(pid)):
            return True
    return False

def all_shells():
    return [shell for shell in [interactive.shell, *list(executor.shells.values())] if shell]

def ours():
    """All that the host started, and what that started."""
    own = os.getpid()
    for name in os.listdir('/proc'):
        if name.isdigit() and int(name) != own:
            try:
                with open('/proc/%s/limits' % name, 'rb') as file:
                    limits = file.read()
                at = limits.find(b'Max file locks')
                if int(limits[at + 14:].split(None, 1)[0]) > ${HOST_MARK}:
                    continue
                with open('/proc/%s/stat' % name) as file:
                    fields = file.read().rpartition(')')[2].split()
                if fields[0] not in 'ZX':
                    yield int(name), fields[0], int(fields[17])
            except (OSError, ValueError, IndexError):
                pass

def maps_files(pid):
    try:
        with open('/proc/%d/maps' % pid, 'rb') as file:
            return MAPPED.search(file.read()) is not None
    except OSError:
        return True

`
