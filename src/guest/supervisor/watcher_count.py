"""Count of the workspace's watcher."""
import errno
import select
import socket

from .loop import loop

def watched(port, done):
    """Calls `done` with the watcher's count; None when it does not answer within a second."""
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
