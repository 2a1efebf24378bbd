import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { SHELL_MODULES } from '../../../src/guest/consoles/programs.ts'
import { pythonProgram } from '../../../src/guest/python-program.ts'

// Kills are apart in time, so that whoever is left could speak. A set of numbers begins anywhere: hence several shells.
const TRIAL = `
import json, os, subprocess, time
from .processes import end_group, members
kill, said = os.kill, []
def slowly(pid, how):
    kill(pid, how)
    time.sleep(0.03)
os.kill = slowly
for _ in range(8):
    subprocess.run(['true'])
    shell = subprocess.Popen(['/bin/bash'], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    shell.stdin.write(b'(sleep 60; true) | sleep 60\\n')
    shell.stdin.close()
    while len(members(shell.pid)) < 4:
        time.sleep(0.01)
    group = set(members(shell.pid))
    end_group(shell.pid)
    shell.wait()
    errors = shell.stderr.read().decode()
    # A killed process closes its files a moment before it is gone; one that was spared sleeps for a minute.
    patience = time.monotonic() + 1
    while group & set(members(shell.pid)) and time.monotonic() < patience:
        time.sleep(0.01)
    said.append([errors, sorted(group & set(members(shell.pid)))])
print(json.dumps(said))
`

it('ends a shell with all that it started, and none of them tells of it', () => {
  const program = pythonProgram({ modules: { processes: SHELL_MODULES.processes, trial: TRIAL }, settings: {} })
  const output: unknown = JSON.parse(execFileSync('python3', ['-c', program], { encoding: 'utf8', timeout: 20_000 }))
  expect(output).toEqual(Array(8).fill(['', []]))
})
