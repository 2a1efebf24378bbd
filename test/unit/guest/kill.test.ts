import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KILL } from '../../../src/guest/bash/programs.ts'

const MARK = 987_654_323
const NOBODY = ['--reuid=65534', '--regid=65534', '--clear-groups']

let home: string
const processes: ChildProcess[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolyard-kill-'))
  chmodSync(home, 0o755)
})
afterEach(() => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

/** A process with the mark that says when it is there, and when it has ended. */
async function marked(script: string) {
  const child = spawn('bash', ['--norc', '-c', `ulimit -x ${MARK}; ${script}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.push(child)
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  return { pid: child.pid, ended, lives: () => child.exitCode === null && child.signalCode === null }
}

/** Ends what has the mark, from another process. @param more bash that defines functions over those of the script @returns its exit code */
async function kill(path = process.env.PATH ?? '', leader: readonly string[] = [], more = ''): Promise<number | null> {
  const script = `exec 2>/dev/null\n${KILL}${more}kill_marked ${MARK} 1 10`
  const [program = 'bash', ...args] = [...leader, 'bash', '--norc', '-c', script]
  const child = spawn(program, args, { env: { ...process.env, PATH: path } })
  processes.push(child)
  const [code] = await once(child, 'exit')
  return code
}

it('a process that hides from a look at it, as programs with secrets do, is ended by its mark', async () => {
  const hidden = 'import ctypes, time; ctypes.CDLL(None).prctl(4, 0); print("there", flush=True); time.sleep(600)'
  const process = await marked(`exec python3 -c '${hidden}'`)
  expect(await kill()).toBe(0)
  expect(await process.ended).toBe('SIGKILL')
})

it('a process that lives on for a while after it was killed, as on a busy machine, is waited for', async () => {
  const { pid, ended } = await marked('echo there; exec sleep 600')
  // A look takes no time, and the first half second of signals has no effect.
  const slow = `find_all_marked() { found=(); ! has_not_ended /proc/${pid} || found=(${pid}); }
kill() {
  local now=\${EPOCHREALTIME/[.,]/}
  : "\${due:=$((now + 500000))}"
  [[ $1 != -KILL ]] || ((now > due)) || return 0
  builtin kill "$@"
}
`
  expect(await kill(undefined, [], slow)).toBe(0)
  expect(await ended).toBe('SIGKILL')
})

describe.runIf(process.getuid?.() === 0)('a process of root, which a command started by sudo', () => {
  it('is ended as root', async () => {
    const process = await marked('echo there; exec sleep 600')
    spawnSync('mkfifo', [join(home, 'wanted'), join(home, 'done')])
    spawnSync('chmod', ['666', join(home, 'wanted'), join(home, 'done')])
    const root = spawn('bash', ['-c', `cd ${home}; while read -r line < wanted; do eval "$line"; echo > done; done`])
    processes.push(root)
    const sudo = `#!/bin/bash\n[ "$1" = -n ] || exit 1\nshift\necho "$*" > ${home}/wanted\nread -r < ${home}/done\n`
    writeFileSync(join(home, 'sudo'), sudo, { mode: 0o755 })
    expect(await kill(`${home}:${globalThis.process.env.PATH}`, ['setpriv', ...NOBODY])).toBe(0)
    expect(await process.ended).toBe('SIGKILL')
  })

  it('that cannot be ended is said to live, so that its sandbox is given up', async () => {
    const process = await marked('echo there; exec sleep 600')
    writeFileSync(join(home, 'sudo'), '#!/bin/bash\nexit 1\n', { mode: 0o755 })
    expect(await kill(`${home}:${globalThis.process.env.PATH}`, ['setpriv', ...NOBODY])).toBe(1)
    expect(process.lives()).toBe(true)
  })
})
