/**
 * The part of the supervisor that runs commands: each is a bash of its own, with its output in two files. What it costs
 * does not grow with what else runs: the supervisor adopts all that commands leave behind, so their processes are its
 * own children, and no list of all processes is read. Python; stands in `SUPERVISOR`.
 */
export const COMMANDS_PART = `# Commands

running = {}  # Command by process id
orphans = {}  # mark by process id, of what commands left behind

class Command:
    """One command, from its request to its reply."""

    def __init__(self, request):
        self.request, self.pid, self.times, self.late = request, None, [], False

    def begin(self):
        """Returns why it cannot begin, or None."""
        request = self.request
        sweep(request['sweep'], request['before'])
        try:
            os.chdir(WORKSPACE)
        except OSError:
            return 'gone'
        place = os.path.join(WORKSPACE, request['cwd']) if request['cwd'] else WORKSPACE
        try:
            if not os.path.isdir(place):
                os.makedirs(place, exist_ok=True)
            os.chdir(place)
        except OSError:
            return 'cwd'
        try:
            self.outputs = Outputs(request['id'])
        except FileExistsError:
            return 'taken'
        except OSError:
            return 'full'
        env = {**base, **request['env'], **FIXED, 'PWD': place}
        env['PATH'] = '%s/bin:%s' % (VENV, request['env'].get('PATH', path))
        script = '{ echo %s > /proc/self/oom_score_adj; ulimit -x %d; } 2>/dev/null; %s' % (oom, request['mark'], request['script'])
        try:
            self.pid = os.posix_spawn('/bin/bash', ['/bin/bash', '-c', script], env, setsid=True, setsigmask=(), setsigdef=IGNORED,
                file_actions=[(os.POSIX_SPAWN_OPEN, 0, '/dev/null', os.O_RDONLY, 0), *self.outputs.actions()])
        except (OSError, ValueError):
            self.outputs.close()
            return 'unable'
        finally:
            os.chdir('/')
        self.outputs.given()
        running[self.pid] = self
        guard()
        self.deadline = loop.later(request['seconds'], self.expire)

    def expire(self):
        """Kills it with its process group; what left that is found by its mark, from outside."""
        self.late = True
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except OSError:
            pass

    def ended(self, status, left):
        loop.drop(self.deadline)
        code = os.waitstatus_to_exitcode(status)
        self.reply = {'code': 128 - code if code < 0 else code, 'background': left, 'late': self.late}
        copies = [(end, name) for end, name in zip(self.outputs.ends, self.request['logs'] or ()) if end.size() > 2 * HALF]
        if copies and not self.late:
            loop.aside(lambda: [end.copy(name) for end, name in copies], lambda _: self.ask())
        else:
            self.ask()

    def ask(self):
        """What a copied output changed is seen by the watcher, so it is asked last."""
        self.reply.update(out=self.outputs.ends[0].text(), err=self.outputs.ends[1].text())
        self.reply['flooded'] = any(end.floods for end in self.outputs.ends)
        release(self.outputs)
        watched(self.request['watch'], self.answer)

    def answer(self, count):
        say(self.request['id'], watched=count, **self.reply)

class Outputs:
    """The files of both output channels. Whoever makes the first runs the command: from then on nobody else will."""

    def __init__(self, id):
        names = ['%s/%s.%s' % (STATE, id, channel) for channel in ('out', 'err')]
        self.writers, self.ends = [], []
        try:
            try:
                self.writers.append(made(names[0]))
            except FileExistsError:
                raise
            except OSError:
                repair()
                self.writers.append(made(names[0]))
            self.writers.append(made(names[1]))
            # By descriptor, since the command may put something else in place of the file.
            self.ends = [Captured(os.open('/proc/self/fd/%d' % writer, os.O_RDONLY)) for writer in self.writers]
        except OSError:
            self.given()
            raise

    def actions(self):
        return [(os.POSIX_SPAWN_DUP2, writer, at) for at, writer in enumerate(self.writers, 1)]

    def given(self):
        for writer in self.writers:
            os.close(writer)
        self.writers = []

    def close(self):
        self.given()
        for end in self.ends:
            os.close(end.descriptor)

def made(name):
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)

def repair():
    """Puts the directory of our own files back, or lets us into it."""
    try:
        os.chmod(STATE, 0o700 | os.stat(STATE).st_mode & 0o777)
    except OSError:
        pass
    if not os.path.isdir(STATE):
        try:
            os.unlink(STATE)
        except OSError:
            pass
    os.makedirs(STATE, exist_ok=True)

class Captured:
    """What a command printed on one channel."""

    def __init__(self, descriptor):
        self.descriptor, self.floods = descriptor, 0

    def size(self):
        return os.fstat(self.descriptor).st_size

    def text(self):
        size = self.size()
        if size <= 2 * HALF:
            return {'head': self.read(size, 0), 'tail': '', 'bytes': size}
        return {'head': self.read(HALF, 0), 'tail': self.read(HALF, size - HALF), 'bytes': size}

    def read(self, size, at):
        return os.pread(self.descriptor, size, at).decode('utf-8', 'replace')

    def copy(self, name):
        # A pipe that the command put there must not be waited for. Nor may a link of its be followed: our own
        # descriptors are open to us alone, and the requests and replies of others are behind them.
        os.makedirs(os.path.join(WORKSPACE, 'logs'), exist_ok=True)
        target = os.open(os.path.join(WORKSPACE, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_NOFOLLOW, 0o666)
        try:
            at, end = 0, min(self.size(), WHOLE)
            while at < end:
                sent = os.sendfile(target, self.descriptor, at, min(end - at, 1 << 24))
                if not sent:
                    break
                at += sent
        finally:
            os.close(target)

def sweep(names, before):
    """Removes what commands left that nobody needs."""
    if before:
        try:
            old = [name for name in os.listdir(STATE) if name[0] == 'c' and name < before and name.endswith(('.out', '.err', '.sh', '.in'))]
        except OSError:
            old = []
        names = [*names, *('%s/%s' % (STATE, name) for name in old)]
    for name in names:
        try:
            os.unlink(name)
        except OSError:
            pass

def reap():
    """Takes note of all that has ended."""
    ended = []
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if not pid:
            break
        orphans.pop(pid, None)
        if pid in running:
            ended.append((running.pop(pid), status))
    if ended:
        adopt()
        # What another command left while it runs on is that one's.
        left = left_behind() - {command.request['mark'] for command in running.values()}
        for command, status in ended:
            command.ended(status, bool(left))

def adopt():
    """Notes children that are no commands: commands started them, and have ended or let go of them."""
    for pid in children() - running.keys() - orphans.keys():
        if lives(pid):
            orphans[pid] = mark(pid)

def left_behind():
    """Marks of what commands left. The host of notebook and shells speaks for all that it started, by the mark that it has now."""
    left = set()
    for pid, known in orphans.items():
        now = mark(pid) if known is not None and known <= CONSOLES_AT_WORK else known
        if now != CONSOLES:
            left.add(now)
    return left

def children():
    # Twice, since a child that ends meanwhile may hide the next one in the list.
    found = set()
    try:
        for _ in range(2):
            with open('/proc/self/task/%d/children' % os.getpid(), 'rb') as file:
                found.update(map(int, file.read().split()))
        return found
    except FileNotFoundError:  # a kernel without it
        return {int(name) for name in os.listdir('/proc') if name.isdigit() and parent(name) == os.getpid()}

def parent(name):
    try:
        with open('/proc/%s/stat' % name, 'rb') as file:
            return int(file.read().rpartition(b')')[2].split()[1])
    except OSError:
        return None

def lives(pid):
    """False for one that is about to end."""
    try:
        return bool(os.readlink('/proc/%d/exe' % pid))
    except PermissionError:
        return True
    except OSError:
        return False

def mark(pid):
    try:
        with open('/proc/%d/limits' % pid, 'rb') as file:
            limits = file.read()
        return int(limits[limits.index(b'Max file locks') + 14:].split(None, 1)[0])
    except (OSError, ValueError):
        return None

def watched(port, done):
    """Tells \`done\` what the watcher has counted; None when it does not say so within a second."""
    if port is None:
        return done(None)
    link = socket.socket()
    link.setblocking(False)
    if link.connect_ex(('127.0.0.1', port)) not in (0, errno.EINPROGRESS):
        link.close()
        return done(None)
    def heard(ended=False):
        loop.drop(limit)
        loop.ignore(link.fileno())
        try:
            count = None if ended else link.recv(64).decode().strip()
        except (OSError, ValueError):
            count = None
        link.close()
        done(count)
    limit = loop.later(1, lambda: heard(True))
    loop.listen(link.fileno(), select.POLLIN, heard)

def run(request):
    command = Command(request)
    why = command.begin()
    if why:
        say(request['id'], unable=why)

def stop_command(id):
    for command in running.values():
        if command.request['id'] == id:
            command.expire()

`
