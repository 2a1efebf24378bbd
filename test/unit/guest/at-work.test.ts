import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { HOST_MODULES } from '../../../src/guest/consoles/programs.ts'
import { pythonProgram } from '../../../src/guest/python-program.ts'
import { HOST_SETTINGS } from '../../../src/session/consoles/host.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'toolyard-test-at-work-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Processes of its own, as in a sandbox: others that end meanwhile are a reason to look again. */
const ALONE = ['--dev-bind', '/', '/', '--unshare-pid', '--proc', '/proc', '--die-with-parent']

/** Runs Python that has a shell of the host, `own`, and what says whether it is at work. @returns what it prints, as JSON */
function trial(source: string): unknown {
  const TRIAL = `
import json, os, threading, time
from .consoles import activity
from .consoles.shells import Shell
shell = Shell('shell', True)
at_work = lambda: activity.any_at_work([shell], [])
state_of, other_processes = activity.state_of, activity.other_processes
children = lambda: {pid for pid in other_processes() if there(pid)}
def there(pid):
    try:
        state, parent, _ = state_of(pid)
        return parent == shell.process.pid and state not in 'ZX'
    except OSError:
        return False
def until(what):
    end = time.monotonic() + 30
    while not what():
        if time.monotonic() > end: raise SystemExit('it never came')
touch = lambda name: open(name, 'w').close()
${source}
shell.end()
`
  const { 'consoles.host': _, ...modules } = HOST_MODULES
  const program = pythonProgram({
    modules: { ...modules, trial: TRIAL },
    settings: { ...HOST_SETTINGS, WORKSPACE: directory },
  })
  return JSON.parse(
    execFileSync('bwrap', [...ALONE, 'python3', '-'], {
      input: program,
      encoding: 'utf8',
      timeout: 60_000,
      cwd: directory,
    }),
  )
}

it('a shell is at work that has been given a command and has not read it yet', () => {
  const source = `
shell.process.stdin, pipe = type('Late', (), {'write': lambda self, data: (given.wait(), pipe.write(data)), 'flush': lambda self: pipe.flush()})(), shell.process.stdin
given = threading.Event()
until(lambda: state_of(shell.process.pid)[0] == 'S')
before = at_work()
shell.write('touch done')
said = at_work()
given.set()
until(lambda: os.path.exists('done'))
until(lambda: not at_work())
print(json.dumps([before, said]))`
  expect(trial(source)).toEqual([false, true])
})

it('a shell is at work whose program ends, and whose next one begins, while it is looked at', () => {
  const source = `
for name in 'one', 'end': shell.write('sh -c "until [ -e %s ]; do sleep 0.01; done"' % name)
until(children)
first = []
def late(pid):
    said = state_of(pid)
    if pid == shell.process.pid and not first:
        first.append(children())
        touch('one')
        until(lambda: children() - first[0])
    return said
activity.state_of = late
said = at_work()
activity.state_of = state_of
touch('end')
until(lambda: not at_work())
print(json.dumps([len(first), said]))`
  expect(trial(source)).toEqual([1, true])
})

it('a shell is at work that begins a program after the processes were listed', () => {
  const source = `
until(lambda: state_of(shell.process.pid)[0] == 'S')
first = []
def early():
    listed = other_processes()
    if not first:
        first.append(listed)
        shell.write('sleep 60 & wait')
        until(children)
    return listed
activity.other_processes = early
print(json.dumps(at_work()))`
  expect(trial(source)).toBe(true)
})

it('a shell that runs one short program after the other is at work at each look', () => {
  const source = `
shell.write('until [ -e end ]; do sleep 0.001; done')
until(children)
looks = [at_work() for _ in range(400)]
touch('end')
until(lambda: not at_work())
print(json.dumps(looks.count(True)))`
  expect(trial(source)).toBe(400)
})
