/**
 * Python that starts a program which opens no file but those it is told: arguments are directories to write in, `--`,
 * directories to read, `--`, and the program. The kernel holds that (Landlock) for the program and all that it starts;
 * where the kernel cannot, the program runs without.
 *
 * TeX's own `openin_any` is not enough: it lets `~/file` pass by, Lua opens what it likes, and biber evaluates what the
 * document's control file and its own configuration say as Perl.
 * @see https://docs.kernel.org/userspace-api/landlock.html
 */
export const CONFINE = `
import ctypes, os, struct, sys
arguments = sys.argv[1:]
first = arguments.index('--')
second = arguments.index('--', first + 1)
written, read, program = arguments[:first], arguments[first + 1:second], arguments[second + 1:]
libc = ctypes.CDLL(None)
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REFER, TRUNCATE = 1, 2, 4, 8, 1 << 13, 1 << 14
version = libc.syscall(444, None, 0, 1)
handled = (1 << 13) - 1 | (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0)
of_files = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
signals, sockets = 2, 1
rules = struct.pack('QQQ', handled, 0, signals | sockets) if version >= 6 else struct.pack('Q', handled)
ruleset = libc.syscall(444, rules, len(rules), 0) if version >= 1 else -1
def allow(path, rights):
    try:
        place = os.open(path, os.O_PATH)
    except OSError:
        return
    rights &= handled if os.path.isdir(path) else of_files & handled
    libc.syscall(445, ruleset, 1, struct.pack('=Qi', rights, place), 0)
    os.close(place)
if ruleset >= 0:
    for path in ('/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/opt', '/var/lib', '/var/cache'):
        allow(path, EXECUTE | READ_FILE | READ_DIR)
    for path in ('/dev/null', '/dev/zero', '/dev/urandom', '/dev/random'):
        allow(path, READ_FILE | WRITE_FILE)
    for path in read:
        allow(path, READ_FILE | READ_DIR)
    for path in written:
        allow(path, handled & ~EXECUTE)
    libc.prctl(38, 1, 0, 0, 0)
    libc.syscall(446, ruleset, 0)
    os.close(ruleset)
os.execvp(program[0], program)
`
