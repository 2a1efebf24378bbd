import { withAnySignal } from '../../core/any-signal.ts'
import { fail } from '../../core/failure.ts'
import {
  MAX_PYTHON_ARGUMENT_CHARS,
  MAX_PYTHON_MODULES,
  MAX_PYTHON_REQUIREMENTS,
  MAX_PYTHON_SOURCE_CHARS,
} from '../../core/limits/python.ts'
import { PACKAGES_INSTALL_MS } from '../../core/limits/sandbox.ts'
import { SESSION, say } from '../../core/saying/saying.ts'
import { sha256 } from '../../core/sha256.ts'
import { ROOT } from '../../core/workspace-path.ts'
import type { Python, PythonAsk, PythonCall, PythonModule, PythonReply } from '../../ports/python.ts'
import { INSTALL_SCRIPT, lastWords } from '../../tools/packages/install-script.ts'
import { requirement } from '../../tools/packages/requirement.ts'
import { Mask } from '../../tools/registered/masked.ts'
import type { Machine, Ready } from '../machine/machine.ts'
import type { SessionRunner } from '../machine/session-runner.ts'
import { HostGone, type HostLink, type HostRequest } from './link.ts'
import { HostReply, readEnd, readPrinted } from './reply.ts'

interface PythonParts {
  readonly runner: SessionRunner
  readonly machine: Machine
  readonly link: HostLink
  /** What ends the call. */
  readonly signals: readonly AbortSignal[]
}

/** The `Python` port for one call. */
export class SessionPython implements Python {
  readonly #parts: PythonParts

  constructor(parts: PythonParts) {
    this.#parts = parts
  }

  async call(
    { module, ask, timeoutMs, secrets = [], ran: told }: PythonCall,
    signal?: AbortSignal,
  ): Promise<PythonReply> {
    checkSize(module, ask)
    const hash = hashOf(module)
    await this.#install(module.requirements)
    const mask = new Mask(secrets)
    const signals = [...this.#parts.signals, ...(signal ? [signal] : [])]
    const { ran, news } = await this.#parts.runner.within(timeoutMs, async (ready) => {
      const request = {
        do: 'call',
        module: hash,
        ask,
        seconds: timeoutMs / 1000,
        hide: mask.forms,
        watch: ready.state.watchPort,
      }
      const ran = await withAnySignal(signals, (stopped) => this.#ask(ready, module, request, stopped))
      told?.(ran.ms)
      const isUnchanged = ran.watched !== null && ran.watched === ready.state.watched
      return { ran, ended: { background: ran.background, changed: !isUnchanged } }
    })
    return {
      ...readEnd(ran, mask),
      stdout: readPrinted(ran.out),
      stderr: readPrinted(ran.err),
      ms: ran.ms,
      warm: ran.warm,
      news,
    }
  }

  /** The source goes along only when the host does not have it. */
  async #ask(
    { sandbox }: Ready,
    { files, main, requirements, environment }: PythonModule,
    request: Omit<HostRequest, 'id'> & { readonly seconds: number },
    signal: AbortSignal,
  ) {
    const load = { files, main, environment: environment === 'task' || requirements.length > 0 }
    for (const more of [{}, { load }, { load }]) {
      const id = crypto.randomUUID()
      const reply = HostReply.safeParse(
        await this.#parts.link.ask(sandbox, { ...request, ...more, id }, signal).catch(goneToFailure),
      )
      if (!reply.success) return fail('upstream', NO_REPLY)
      if ('full' in reply.data) return fail('limit_exceeded', FULL)
      if ('waited' in reply.data) return fail('timeout', WAITED)
      if (!('unknown' in reply.data)) return reply.data
    }
    return fail('upstream', NO_REPLY)
  }

  /** What the session has not asked for yet; what it has is in each of its sandboxes. */
  async #install(requirements: readonly string[]): Promise<void> {
    const { machine, runner } = this.#parts
    const had = new Set(machine.packages.specs())
    for (const { spec, shown, secrets } of requirements.map(requirement)) {
      if (had.has(spec)) continue
      if (secrets.length > 0)
        fail(
          'invalid_input',
          `${shown} has a credential; packages of a Python module are kept, so its URL must have none`,
        )
      const installed = await runner.run({
        script: INSTALL_SCRIPT,
        cwd: ROOT,
        env: { TOOLYARD_REQUIREMENT: spec },
        timeoutMs: PACKAGES_INSTALL_MS,
        label: 'pip_install',
      })
      if (installed.exitCode !== 0 || installed.timedOut) {
        const why = installed.timedOut
          ? 'it took too long (PACKAGES_INSTALL_MS)'
          : lastWords({ stdout: installed.stdout.text, stderr: installed.stderr.text })
        fail('upstream', `the package ${shown} could not be installed: ${why}`)
      }
      machine.packages.add([spec])
    }
  }
}

function checkSize({ files, main, requirements }: PythonModule, ask: PythonAsk): void {
  const chars = Object.values(files).reduce((sum, text) => sum + text.length, 0)
  if (chars > MAX_PYTHON_SOURCE_CHARS) {
    fail(
      'limit_exceeded',
      `the module has ${chars} characters; at most ${MAX_PYTHON_SOURCE_CHARS} are taken (MAX_PYTHON_SOURCE_CHARS)`,
    )
  }
  if (requirements.length > MAX_PYTHON_REQUIREMENTS) {
    fail(
      'limit_exceeded',
      `the Python module names ${requirements.length} packages; at most ${MAX_PYTHON_REQUIREMENTS} are taken (MAX_PYTHON_REQUIREMENTS)`,
    )
  }
  const place = main.replaceAll('.', '/')
  const isThere = `${place}.py` in files || `${place}/__init__.py` in files
  // What is required may bring it.
  if (!isThere && requirements.length === 0) {
    const names = Object.keys(files)
    fail(
      'invalid_input',
      names.length === 0
        ? `the Python module ${main} has no code: whoever made it must give that, or a package that brings it`
        : `the module ${main} is in none of the files; there is ${names.slice(0, 5).join(', ')}`,
    )
  }
  const asked = JSON.stringify(ask).length
  if (asked > MAX_PYTHON_ARGUMENT_CHARS) {
    fail(
      'limit_exceeded',
      say`the arguments have ${asked} characters as JSON; at most ${MAX_PYTHON_ARGUMENT_CHARS} are taken (MAX_PYTHON_ARGUMENT_CHARS). Write them into a file of the ${SESSION}`,
    )
  }
}

/** Names a module's process: whoever brings the same module gets the same one. */
function hashOf({ files, main, requirements, environment }: PythonModule): string {
  const content = JSON.stringify([
    main,
    requirements,
    environment,
    Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)),
  ])
  return sha256(content)
}

function goneToFailure(thrown: unknown): never {
  if (thrown instanceof HostGone) fail('upstream', NO_REPLY, { cause: thrown })
  throw thrown
}

const NO_REPLY =
  'the process that runs Python modules ended while this ran, or does not answer; its memory may be full. Call again: it is started anew'
const FULL = `${MAX_PYTHON_MODULES} Python modules of the session run at this moment (MAX_PYTHON_MODULES); call again when one has ended`
const WAITED =
  'an earlier call of the same Python module runs still, and its calls run one after another; call again later'
