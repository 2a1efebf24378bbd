import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { SHELL_MODULES } from '../../../src/guest/consoles/programs.ts'
import { pythonProgram } from '../../../src/guest/python-program.ts'
import { LIVE_SETTINGS } from '../../../src/session/live/settings.ts'
import { HOST_MARK } from '../../../src/session/sandbox/marks.ts'

/** What it reads comes seconds late, as on a machine that has much else to do. */
const TRIAL = `
import json, os, threading, time
from .consoles.executor import Executor
read = os.read
def late(descriptor, size):
    data = read(descriptor, size)
    if threading.current_thread() is not threading.main_thread():
        time.sleep(1.5)
    return data
os.read = late
print(json.dumps(Executor().call('echo said; echo wrong >&2; exit 3', None, False, False, 30, 30)))
`

const SETTINGS = {
  WORKSPACE: process.cwd(),
  HALF_OUTPUT_BYTES: 32_768,
  MAX_OUTPUT_FILE_BYTES: 1 << 20,
  HOST_MARK,
  ...LIVE_SETTINGS,
  MAX_CONSOLE_COMMAND_SECONDS: 60,
  MAX_SHELLS: 4,
}

it('a command has all that it printed in its answer, however late that is read', () => {
  const program = pythonProgram({ modules: { ...SHELL_MODULES, trial: TRIAL }, settings: SETTINGS })
  const output: unknown = JSON.parse(
    execFileSync('python3', ['-c', `${program}\nimport os\nos._exit(0)`], { encoding: 'utf8' }),
  )
  expect(output).toMatchObject({ code: 3, stdout: 'said\n', stderr: 'wrong\n' })
})

const KEPT = `
import json
from .consoles.executor import Executor
executor = Executor()
def kept(command, shell=None, wait=30):
    return executor.call(command, shell, False, False, 3600, wait, True)
first = kept('cd /; WORD=kept')
number = first['shell_id']
second = kept('sleep 0.4; echo "$WORD in $PWD"', number)
begun = kept('read LINE; sleep 0.2; echo "read $LINE"; read MORE', number, 0)
given = kept('a line', number)
others = [kept('true')['shell_id'] for _ in range(4)]
ended = kept('echo gone', number)
print(json.dumps([first, second, begun, given, ended, len(executor.shells), number in others]))
`

it('a kept shell is there for the next command, waits for the end of each, and makes room for another one', () => {
  const program = pythonProgram({ modules: { ...SHELL_MODULES, trial: KEPT }, settings: SETTINGS })
  const output = JSON.parse(
    execFileSync('python3', ['-c', `${program}\nimport os\nos._exit(0)`], { encoding: 'utf8' }),
  ) as unknown[]
  const [first, second, begun, given, ended, shells, isAmongOthers] = output
  expect(first).toMatchObject({ code: null, stdout: '' })
  expect(second).toMatchObject({ code: null, stdout: 'kept in /\n' })
  expect(begun).toEqual({ shell_id: (first as { shell_id: number }).shell_id, pending: true })
  expect(given).toMatchObject({ code: null, stdout: 'read a line\n' })
  expect([ended, shells, isAmongOthers]).toEqual([{ unknown: true }, SETTINGS.MAX_SHELLS, false])
})
