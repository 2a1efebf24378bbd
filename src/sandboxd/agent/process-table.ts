import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { RpcError } from './connect-json.ts'
import { type Boot, workingDirectory } from './environment.ts'
import { MAX_PROCESSES } from './limits.ts'
import type { ProcessSpec } from './process-spec.ts'
import { startPty } from './pty.ts'
import { RunningProcess } from './running-process.ts'
import { adopt, limited, refusal, spawnOrRefuse } from './spawning.ts'

/** The commands that run now. One that has ended is forgotten, as in E2B. */
export class ProcessTable {
  readonly #boot: Boot
  readonly #running = new Map<number, RunningProcess>()
  #starting = 0

  constructor(boot: Boot) {
    this.#boot = boot
  }

  list(): RunningProcess[] {
    return [...this.#running.values()]
  }

  /** Command by pid or tag. @throws RpcError `not_found` */
  get(selector: { pid: number | null; tag: string | null }): RunningProcess {
    const found =
      selector.pid === null
        ? this.list().find((process) => process.spec.tag === selector.tag && selector.tag !== null)
        : this.#running.get(selector.pid)
    if (found === undefined) {
      throw new RpcError('not_found', `process with pid ${selector.pid ?? `tag ${selector.tag}`} not found`)
    }
    return found
  }

  /** Starts a command. @throws RpcError `invalid_argument`, `not_found`, `resource_exhausted` */
  async start(spec: ProcessSpec): Promise<RunningProcess> {
    if (this.#running.size + this.#starting >= MAX_PROCESSES) {
      throw new RpcError('resource_exhausted', `at most ${MAX_PROCESSES} commands can run at the same time`)
    }
    const cwd = workingDirectory(this.#boot, spec.cwd)
    this.#starting++
    try {
      const process = spec.terminal === null ? await this.#startPlain(spec, cwd) : await startPty(this.#boot, spec, cwd)
      this.#running.set(process.pid, process)
      process.onEnd(() => this.#running.delete(process.pid))
      return process
    } finally {
      this.#starting--
    }
  }

  async #startPlain(spec: ProcessSpec, cwd: string): Promise<RunningProcess> {
    const [cmd, ...args] = limited(this.#boot, [spec.cmd, ...spec.args])
    // `detached` gives each command its own session and process group, so that a kill reaches all of it and nothing else.
    const child = spawnOrRefuse(() =>
      spawn(cmd ?? '', args, {
        cwd,
        env: { ...this.#boot.env, ...Object.fromEntries(spec.envs) },
        detached: true,
        stdio: [spec.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      }),
    )
    if (child.pid === undefined) {
      const [error] = await once(child, 'error')
      throw refusal(error)
    }
    adopt(this.#boot, child)
    return new RunningProcess({
      spec,
      pid: child.pid,
      child,
      outputs: [
        ['stdout', child.stdout],
        ['stderr', child.stderr],
      ],
      resize: null,
    })
  }
}
