import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { pythonProgram } from '../../../src/guest/python-program.ts'
import { SUPERVISOR_MODULES } from '../../../src/guest/supervisor/programs.ts'
import { SUPERVISOR_SETTINGS } from '../../../src/session/supervisor/program.ts'

/**
 * Whether the supervisor's reply says that something runs on in the background. Its own code looks at real processes: a shell that is
 * killed and leaves a process, which is killed in turn when its parent has listed it, and has not looked at it yet.
 * @param left command line of that process
 */
function leaves(left: string): boolean {
  const trial = `
import os, signal
from .supervisor import commands
from .supervisor.loop import loop
from .supervisor.running import running

def end(command, status, left):
    for pid in listed(): os.kill(pid, signal.SIGKILL)
    print(left, flush=True)
    os._exit(0)

class Shell:
    request, deadline, ended = {'mark': 0}, [0, 0, None], end

listed = commands.children
def children():
    now = listed()
    if left in now:
        os.kill(left, signal.SIGKILL)
        while commands.lives(left): pass
    return now
commands.children = children

output, given = os.pipe()
shell = os.posix_spawn('/bin/bash', ['bash', '-c', ${JSON.stringify(`${left} & wait`)}], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, given, 1)])
left = int(os.read(output, 20))
running[shell] = Shell()
os.kill(shell, signal.SIGKILL)
loop.run()`
  const { 'supervisor.supervisor': _, ...modules } = SUPERVISOR_MODULES
  const program = pythonProgram({ modules: { ...modules, trial }, settings: SUPERVISOR_SETTINGS })
  return execFileSync('python3', ['-'], { input: program, encoding: 'utf8', timeout: 60_000 }) === 'True\n'
}

it('a process is in the background whose parent ended while it was looked at', () => {
  expect(leaves(`bash -c 'sleep 60 & echo $$; wait'`)).toBe(true)
})

it('a process that ended while it was looked at is in the background no more', () => {
  expect(leaves(`bash -c 'echo $$; exec sleep 60'`)).toBe(false)
})
