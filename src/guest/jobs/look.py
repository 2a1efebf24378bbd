"""Looks at a job: its new lines, or the new part of its log, and whether it has ended."""
import json
import os
import stat
import sys
import time

from .place import is_alive, place, read


def look(offset, seconds, max_line_bytes):
    until = time.monotonic() + seconds
    while True:
        alive, end, size = is_alive(), None, 0
        try:
            size = os.path.getsize(place('out'))
        except OSError:
            pass  # a command has none
        try:
            end = json.loads(read('end.json', 0, max_line_bytes))
        except (OSError, ValueError, RecursionError):
            pass
        if end or not alive or size > offset or time.monotonic() >= until:
            break
        time.sleep(0.05)
    if size > offset and not end and seconds:
        time.sleep(0.2)
    for _ in range(20):
        if not end or not alive:
            break
        time.sleep(0.05)
        alive = is_alive()
    text = b''
    try:
        text = read('out', offset, 2 * max_line_bytes)
    except OSError:
        pass
    sys.stdout.buffer.write(json.dumps({'alive': alive, 'end': end, 'more': len(text) == 2 * max_line_bytes}).encode() + b'\n')
    sys.stdout.buffer.write(text[:text.rfind(b'\n') + 1])


def whole_characters(data):
    """Length of `data` without a character at its end that is not whole."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte & 0xc0 != 0x80:
            size = 4 if byte >= 0xf0 else 3 if byte >= 0xe0 else 2 if byte >= 0xc0 else 1
            return len(data) - back if size > back else len(data)
    return len(data)


def show(log, start, seconds, max_bytes):
    until = time.monotonic() + seconds
    incomplete = 0
    while True:
        ended = os.path.exists(place('end.json')) or not is_alive()
        try:
            status = os.lstat(log)
            size = status.st_size if stat.S_ISREG(status.st_mode) else None
        except OSError:
            size = None
        at = max(0, (size or 0) + start) if start < 0 else start
        is_over = ended or time.monotonic() >= until
        if not is_over and (size or 0) <= at + incomplete:
            time.sleep(0.05)
            continue
        data = b''
        if size is not None and size > at:
            if seconds and not ended:
                time.sleep(0.1)  # more of what is printed together
            try:
                data = read(log, at, max_bytes)
            except OSError:
                size = None
        # The rest of a character that is being printed is not there yet.
        length = whole_characters(data) if len(data) == max_bytes or not ended else len(data)
        incomplete = len(data)
        if length > 0 or is_over:
            break
        time.sleep(0.05)
    sys.stdout.buffer.write(json.dumps({'ended': ended, 'size': size, 'from': at, 'bytes': length}).encode() + b'\n')
    sys.stdout.buffer.write(data[:length].decode('utf-8', 'replace').encode())
