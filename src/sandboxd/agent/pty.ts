import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { asNumber, parseObject } from '../json.ts'
import { RpcError } from './connect-json.ts'
import type { Boot } from './environment.ts'
import type { ProcessSpec } from './process-spec.ts'
import { RunningProcess } from './running-process.ts'
import { adopt, limited, spawnOrRefuse } from './spawning.ts'

/**
 * Starts a command on a terminal. Node cannot open one, so a Python helper holds it: bytes pass through its stdin and
 * stdout, sizes and the shell's pid through descriptor 3 (`py/pty.py`).
 * @throws RpcError `unimplemented` without Python
 */
export async function startPty(boot: Boot, spec: ProcessSpec, cwd: string): Promise<RunningProcess> {
  const size = spec.terminal ?? { cols: 80, rows: 24 }
  const helper = ['-I', '-S', `${boot.runtime}/pty.py`, String(size.rows), String(size.cols)]
  const child = spawnOrRefuse(() =>
    spawn('python3', [...helper, ...limited(boot, [spec.cmd, ...spec.args])], {
      cwd,
      env: { ...boot.env, ...Object.fromEntries(spec.envs) },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    }),
  )
  if (child.pid === undefined) {
    await once(child, 'error')
    throw new RpcError('unimplemented', 'terminals need python3, which this host does not have')
  }
  adopt(boot, child)
  const control = child.stdio[3] as Duplex // 'pipe' above: a socket in both directions
  control.on('error', () => {})
  const pid = await Promise.race([firstPid(control), once(child, 'exit').then(() => null)])
  if (pid === null) throw new RpcError('invalid_argument', 'the terminal could not be opened')
  return new RunningProcess({
    spec,
    pid,
    child,
    outputs: [['pty', child.stdout]],
    resize: ({ rows, cols }) => control.write(`${JSON.stringify({ rows, cols })}\n`),
  })
}

async function firstPid(control: Duplex): Promise<number | null> {
  const lines = createInterface({ input: control })
  const [line] = await once(lines, 'line')
  return asNumber(parseObject(String(line))?.pid)
}
