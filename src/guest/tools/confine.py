"""Starts a program that can open only the given files.

Arguments are directories to write in, `--`, directories to read, `--`, and the program. The kernel holds that (Landlock)
for the program and all that it starts; where the kernel cannot, the program runs without.
https://docs.kernel.org/userspace-api/landlock.html

TeX's own `openin_any` is not enough: it lets `~/file` pass by, Lua opens what it likes, and biber evaluates what the
document's control file and its own configuration say as Perl.
"""
import ctypes
import os
import struct
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REFER, TRUNCATE = 1, 2, 4, 8, 1 << 13, 1 << 14
SIGNALS, SOCKETS = 2, 1
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
NO_NEW_PRIVILEGES = 38
libc = ctypes.CDLL(None)


def confine(written, read):
    version = libc.syscall(CREATE_RULESET, None, 0, 1)
    if version < 1:
        return
    handled = (1 << 13) - 1 | (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0)
    rules = struct.pack('QQQ', handled, 0, SIGNALS | SOCKETS) if version >= 6 else struct.pack('Q', handled)
    ruleset = libc.syscall(CREATE_RULESET, rules, len(rules), 0)
    if ruleset < 0:
        return

    def allow(path, rights):
        try:
            place = os.open(path, os.O_PATH)
        except OSError:
            return
        rights &= handled if os.path.isdir(path) else OF_FILES & handled
        libc.syscall(ADD_RULE, ruleset, 1, struct.pack('=Qi', rights, place), 0)
        os.close(place)

    for path in ('/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/opt', '/var/lib', '/var/cache'):
        allow(path, EXECUTE | READ_FILE | READ_DIR)
    for path in ('/dev/null', '/dev/zero', '/dev/urandom', '/dev/random'):
        allow(path, READ_FILE | WRITE_FILE)
    for path in read:
        allow(path, READ_FILE | READ_DIR)
    for path in written:
        allow(path, handled & ~EXECUTE)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    libc.syscall(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


arguments = sys.argv[1:]
first = arguments.index('--')
second = arguments.index('--', first + 1)
confine(arguments[:first], arguments[first + 1:second])
program = arguments[second + 1:]
os.execvp(program[0], program)
