import { CONSOLE_PART } from './console-part.ts'

/** Environment variable in which the supervisor finds the PATH for commands. */
export const SUPERVISOR_PATH = 'TOOLYARD_SHELL_PATH'

/**
 * The process in the sandbox that takes requests by stdin, one line of JSON each, and prints one reply each, so that no
 * call has to start a program for what another process does for it.
 */
export const SUPERVISOR = `
import json, os, select, socket
os.environ['PATH'] = os.environ.pop('${SUPERVISOR_PATH}', os.environ.get('PATH', ''))

class Loop:
    def __init__(self):
        self.poll, self.listeners = select.poll(), {}

    def listen(self, descriptor, events, listener):
        self.listeners[descriptor] = listener
        self.poll.register(descriptor, events)

    def ignore(self, descriptor):
        del self.listeners[descriptor]
        self.poll.unregister(descriptor)

    def run(self):
        while True:
            for descriptor, _ in self.poll.poll():
                if descriptor in self.listeners:
                    self.listeners[descriptor]()

def say(id, **reply):
    data = json.dumps({'id': id, **reply}, ensure_ascii=False).encode() + b'\\n'
    while data:
        data = data[os.write(1, data):]

${CONSOLE_PART}
HANDLERS = {'console': Question, 'stop': lambda request: stop_question(request['id'])}
given = bytearray()

def hear():
    data = os.read(0, 1 << 20)
    if not data:
        os._exit(0)
    given.extend(data)
    *lines, given[:] = given.split(b'\\n')
    for line in lines:
        request = json.loads(line)
        HANDLERS[request['do']](request)

loop = Loop()
loop.listen(0, select.POLLIN, hear)
loop.run()
`
