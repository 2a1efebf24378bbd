"""The host's own directory, which has this program in it."""
import os
import shutil
import sys

DIRECTORY = os.path.dirname(os.path.abspath(sys.argv[0]))


def place(name):
    return os.path.join(DIRECTORY, name)


def remove(name):
    """Removes whatever code of the task may have put there."""
    try:
        os.unlink(place(name))
    except OSError:
        shutil.rmtree(place(name), ignore_errors=True)
