import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { GROUP_PART } from '../../../src/session/consoles/host-group.ts'
import { SHELLS_PART } from '../../../src/session/consoles/host-shells.ts'
import { OUTPUT_PART } from '../../../src/session/machine/python-output.ts'

/** What it reads comes seconds late, as on a machine that has much else to do. */
const TRIAL = `
import fcntl, json, os, queue, resource, secrets, select, signal, struct, subprocess, sys, termios, threading, time
WORKSPACE, HALF, WHOLE = os.getcwd(), 32768, 1 << 20
class Refused(Exception): pass
${GROUP_PART}
${OUTPUT_PART}
${SHELLS_PART}
read = os.read
def late(descriptor, size):
    data = read(descriptor, size)
    if threading.current_thread() is not threading.main_thread():
        time.sleep(1.5)
    return data
os.read = late
print(json.dumps(Executor().call('echo said; echo wrong >&2; exit 3', None, False, False, 30, 30)))
`

it('a command has all that it printed in its answer, however late that is read', () => {
  const said: unknown = JSON.parse(execFileSync('python3', ['-c', `${TRIAL}os._exit(0)`], { encoding: 'utf8' }))
  expect(said).toMatchObject({ code: 3, stdout: 'said\n', stderr: 'wrong\n' })
})
