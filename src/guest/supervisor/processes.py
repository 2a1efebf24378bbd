"""Processes below the supervisor, and their marks."""
import os

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
    """Whether a process lives: False for one that is about to end."""
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
