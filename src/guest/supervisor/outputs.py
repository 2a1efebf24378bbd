"""Files of commands' output, and the parts of them for an answer."""
import os

from ..settings import HALF_OUTPUT_BYTES, MAX_OUTPUT_FILE_BYTES, STATE_DIRECTORY, WORKSPACE

class Outputs:
    """Creates the files of both output channels. Only the creator of the first runs the command."""

    def __init__(self, id, mark):
        self.mark = mark
        names = ['%s/%s.%s' % (STATE_DIRECTORY, id, channel) for channel in ('out', 'err')]
        self.writers, self.ends = [], []
        try:
            try:
                self.writers.append(make_file(names[0]))
            except FileExistsError:
                raise
            except OSError:
                repair()
                self.writers.append(make_file(names[0]))
            self.writers.append(make_file(names[1]))
            # By descriptor, since the command may replace the file.
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


def make_file(name):
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)


def repair():
    """Restores the directory of our own files, or our access to it."""
    try:
        os.chmod(STATE_DIRECTORY, 0o700 | os.stat(STATE_DIRECTORY).st_mode & 0o777)
    except OSError:
        pass
    if not os.path.isdir(STATE_DIRECTORY):
        try:
            os.unlink(STATE_DIRECTORY)
        except OSError:
            pass
    os.makedirs(STATE_DIRECTORY, exist_ok=True)


class Captured:
    """Output of a command on one channel."""

    def __init__(self, descriptor):
        self.descriptor, self.floods, self.checks = descriptor, 0, 0
        # True when a process of another command wrote there.
        self.mixed = False

    def size(self):
        return os.fstat(self.descriptor).st_size

    def text(self):
        size = self.size()
        if size <= 2 * HALF_OUTPUT_BYTES:
            return {'head': self.read(size, 0), 'tail': '', 'bytes': size}
        return {'head': self.read(HALF_OUTPUT_BYTES, 0), 'tail': self.read(HALF_OUTPUT_BYTES, size - HALF_OUTPUT_BYTES), 'bytes': size}

    def read(self, size, at):
        return self.bytes(size, at).decode('utf-8', 'replace')

    def bytes(self, size, at):
        return os.pread(self.descriptor, size, at)

    def copy(self, name):
        # A pipe that the command put there must not be waited for. Nor may a link of its be followed: our own
        # descriptors are open to us alone, and the requests and replies of others are behind them.
        os.makedirs(os.path.join(WORKSPACE, 'logs'), exist_ok=True)
        target = os.open(os.path.join(WORKSPACE, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_NOFOLLOW, 0o666)
        try:
            at, end = 0, min(self.size(), MAX_OUTPUT_FILE_BYTES)
            while at < end:
                sent = os.sendfile(target, self.descriptor, at, min(end - at, 1 << 24))
                if not sent:
                    break
                at += sent
        finally:
            os.close(target)


def sweep(names, before):
    """Removes files of commands that nobody needs."""
    if before:
        try:
            old = [name for name in os.listdir(STATE_DIRECTORY) if name[0] == 'c' and name < before and name.endswith(('.out', '.err', '.sh', '.in'))]
        except OSError:
            old = []
        names = [*names, *('%s/%s' % (STATE_DIRECTORY, name) for name in old)]
    for name in names:
        try:
            os.unlink(name)
        except OSError:
            pass
