"""System calls of the host's processes."""
import ctypes
import os

libc = ctypes.CDLL(None)


def leave(*descriptors):
    """Points descriptors at /dev/null, for reading and writing."""
    null = os.open('/dev/null', os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(null, descriptor)
    os.close(null)
