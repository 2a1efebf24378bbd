import { MAX_OUTPUT_BYTES, MAX_OUTPUT_FILE_BYTES } from '../../core/limits/sandbox.ts'
import { MAX_COMMAND_OUTPUT_BYTES, SHELLS_IDLE_MS } from '../../core/limits/shells.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { SANDBOX_HOME, SANDBOX_ROOT } from '../../core/workspace-path.ts'
import { HOST_AT_WORK_MARK, HOST_MARK } from '../machine/marks.ts'
import { STATE_DIRECTORY } from '../machine/place.ts'
import { COMMANDS_PART } from './commands.ts'
import { CONSOLE_PART } from './console-part.ts'
import { FLOODS_PART } from './floods.ts'
import { LOOP_PART } from './loop.ts'

/** Environment variable in which the supervisor finds the PATH for commands. */
export const SUPERVISOR_PATH = 'TOOLYARD_SHELL_PATH'

/**
 * Python of the supervisor: the process in the sandbox that runs commands, and passes questions on to the host of notebook and
 * shells. One request per line of stdin, one reply per line of stdout, both JSON with an `id`; `do` names what is asked, one of
 * `HANDLERS`. No handler may wait for anybody: see `Loop`.
 *
 * The process is not `dumpable`: Linux then lets no other one of the same user read its memory, descriptors or environment. Any
 * of these can kill and stop it. Commands go on without the supervisor, and the session ends them by their mark.
 */
export const SUPERVISOR = `
import collections, ctypes, errno, heapq, json, os, select, signal, socket, threading, time
WORKSPACE, HOME, STATE = ${[SANDBOX_ROOT, SANDBOX_HOME, STATE_DIRECTORY].map((place) => JSON.stringify(place)).join(', ')}
VENV = WORKSPACE + '/${VENV_DIR}'
HALF, WHOLE, MOST = ${MAX_OUTPUT_BYTES / 2}, ${MAX_OUTPUT_FILE_BYTES}, ${MAX_COMMAND_OUTPUT_BYTES}
IDLE, CONSOLES, CONSOLES_AT_WORK = ${SHELLS_IDLE_MS / 1000}, ${HOST_MARK}, ${HOST_AT_WORK_MARK}
FIXED = {'HOME': HOME, 'BASH_ENV': '', 'VIRTUAL_ENV': VENV}
# Those that Python ignores, and its children would.
IGNORED = [signal.SIGPIPE, signal.SIGXFSZ]
path = os.environ.pop('${SUPERVISOR_PATH}', os.environ.get('PATH', ''))
base = dict(os.environ)

def own_score():
    """When memory runs out, commands go first. Returns the score that they begin with."""
    try:
        with open('/proc/self/oom_score_adj', 'r+') as file:
            score = int(file.read())
            file.write(str(min(score, 300)))
        return score
    except (OSError, ValueError):
        return 0

oom = own_score()
libc = ctypes.CDLL(None)
libc.prctl(4, 0, 0, 0, 0)  # not dumpable
libc.prctl(15, b'toolyard', 0, 0, 0)  # its name: who kills all Python by name means others
libc.prctl(36, 1, 0, 0, 0)  # adopts what its children leave behind

${LOOP_PART}
saying = threading.Lock()

def say(id, **reply):
    data = json.dumps({'id': id, **reply}, ensure_ascii=False).encode() + b'\\n'
    with saying:
        while data:
            data = data[os.write(1, data):]

${COMMANDS_PART}
${CONSOLE_PART}
${FLOODS_PART}
# Requests

def stop(request):
    stop_command(request['id'])
    stop_question(request['id'])

HANDLERS = {'run': run, 'console': Question, 'stop': stop, 'ping': lambda request: say(request['id'], pong=True)}
given, heard_at = bytearray(), time.monotonic()

def hear():
    global heard_at
    data = os.read(0, 1 << 20)
    if not data:
        os._exit(0)
    heard_at = time.monotonic()
    given.extend(data)
    *lines, given[:] = given.split(b'\\n')
    for line in lines:
        request = json.loads(line)
        try:
            HANDLERS[request['do']](request)
        except Exception as error:
            say(request['id'], failed=type(error).__name__)

def rest():
    """Ends where nobody asks and nothing is left."""
    left = heard_at + IDLE - time.monotonic()
    if left <= 0 and not running and not orphans:
        os._exit(0)
    loop.later(max(left, 1), rest)

loop = Loop()
loop.listen(0, select.POLLIN, hear)
rest()
loop.run()
`
