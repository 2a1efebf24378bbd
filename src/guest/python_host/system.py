"""What the host's processes ask of the kernel."""
import ctypes
import os

libc = ctypes.CDLL(None)


def leave(*descriptors):
    """Nothing is read from these any more, and nothing written to them."""
    null = os.open('/dev/null', os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(null, descriptor)
    os.close(null)
