"""Sockets to others that nobody waits for."""

# More is copied for nothing: a socket takes less at once.
MOST_BYTES = 1 << 20


def give(link, data):
    """Sends as much of the bytearray as the socket takes now, and leaves the rest in it. Raises OSError when the other end is gone."""
    try:
        while data:
            del data[:link.send(data[:MOST_BYTES])]
    except BlockingIOError:
        pass
