import { spawn } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { MAX_OUTPUT_BYTES } from '../../src/core/limits/sandbox.ts'
import { VENV_DIR } from '../../src/core/task-layout.ts'
import { parentPath, ROOT, SANDBOX_ROOT, type WorkspacePath, workspacePath } from '../../src/core/workspace-path.ts'
import { type Command, type CommandResult, INPUT_FILE, type Output, type Runner } from '../../src/ports/runner.ts'
import type { Change, Workspace } from '../../src/ports/workspace.ts'
import { toOutput } from '../../src/session/sandbox/output.ts'

/**
 * Runner without a sandbox: real bash on this machine, in a directory of its own that holds the workspace's files. It keeps
 * the port's contract, so that the tools' scripts for bash, pip and git are proven by running them.
 */
export class RunnerFake implements Runner {
  /** Commands of the tools, in order. */
  readonly commands: Command[] = []
  /** Fields of the next results, as a real runner would set them. */
  next: Partial<Pick<CommandResult, 'conflicts' | 'notes' | 'generation' | 'restored'>> = {}
  readonly #directory = mkdtempSync(join(tmpdir(), 'runner-'))
  readonly #workspace: Workspace
  readonly #env: Readonly<Record<string, string>>

  /** @param env environment of every command, e.g. where pip finds packages */
  constructor(workspace: Workspace, env: Readonly<Record<string, string>> = {}) {
    this.#workspace = workspace
    this.#env = env
    onTestFinished(() => rmSync(this.#directory, { recursive: true, force: true }))
  }

  async run(command: Command): Promise<CommandResult> {
    this.commands.push(command)
    await this.#push()
    const cwd = this.#place(command.cwd)
    mkdirSync(cwd, { recursive: true })
    const environment = this.#place(VENV_DIR)
    const input = command.input && (await this.#written(await command.input()))
    const { exitCode, stdout, stderr, timedOut } = await bash(
      command.script.replaceAll(SANDBOX_ROOT, this.#directory),
      {
        cwd,
        timeoutMs: command.timeoutMs,
        env: {
          HOME: this.#directory,
          PATH: `${environment}/bin:${process.env.PATH}`,
          GIT_CONFIG_NOSYSTEM: '1',
          ...this.#env,
          ...command.env,
          ...(input && { [INPUT_FILE]: input }),
        },
      },
    )
    if (input) rmSync(input, { force: true })
    await this.#pull()
    const seen = (bytes: Buffer, channel: string) => this.#output(bytes, `${command.label}.${channel}.txt`, command)
    return {
      exitCode: timedOut ? -1 : exitCode,
      stdout: seen(stdout, 'stdout'),
      stderr: seen(stderr, 'stderr'),
      timedOut,
      conflicts: [],
      notes: [],
      generation: 1,
      ...this.next,
    }
  }

  /** Content of all files in the machine: where a secret could be left. */
  everything(): string {
    return [...this.#walk(ROOT, () => true)]
      .map(([path, stats]) => `${path}\n${stats.isFile() ? readFileSync(this.#place(path), 'latin1') : ''}`)
      .join('\n')
  }

  async #written(content: ReadableStream<Uint8Array>): Promise<string> {
    const file = join(mkdtempSync(join(tmpdir(), 'runner-input-')), 'input')
    onTestFinished(() => rmSync(dirname(file), { recursive: true, force: true }))
    await writeFile(file, content)
    return file
  }

  #place = (path: WorkspacePath) => join(this.#directory, path)

  #output(bytes: Buffer, file: string, { secrets = [], maxChars }: Command): Output {
    const text = bytes.toString().replaceAll(this.#directory, SANDBOX_ROOT)
    const capped = bytes.length > MAX_OUTPUT_BYTES
    const half = MAX_OUTPUT_BYTES / 2
    const [head, tail] = capped ? [text.slice(0, half), text.slice(-half)] : [text, '']
    return toOutput({ head, tail, bytes: bytes.length, capped }, workspacePath(`logs/${file}`), secrets, maxChars)
  }

  async #push(): Promise<void> {
    const { entries } = this.#workspace.list(ROOT, { recursive: true })
    const listed = new Set(entries.map(({ path }) => path))
    for (const [path] of this.#walk(ROOT))
      if (!listed.has(path)) rmSync(this.#place(path), { recursive: true, force: true })
    for (const { path, kind, ...entry } of entries) {
      const place = this.#place(path)
      if (kind === 'directory') mkdirSync(place, { recursive: true })
      else if ('target' in entry) {
        rmSync(place, { force: true })
        symlinkSync(entry.target, place)
      } else {
        mkdirSync(this.#place(parentPath(path)), { recursive: true })
        writeFileSync(place, (await this.#workspace.read(path)) ?? '')
      }
    }
  }

  async #pull(): Promise<void> {
    const changes: Change[] = []
    const found = new Set<WorkspacePath>()
    for (const [path, stats] of this.#walk(ROOT)) {
      found.add(path)
      const known = this.#workspace.stat(path)
      if (stats.isDirectory()) {
        if (!known) changes.push({ op: 'mkdir', path })
      } else if (stats.isSymbolicLink()) {
        if (!known) changes.push({ op: 'link', path, target: readlinkSync(this.#place(path)) })
      } else if (stats.isFile()) {
        const content = new Uint8Array(readFileSync(this.#place(path)))
        const before = await this.#workspace.read(path)
        if (!before || Buffer.compare(before, content) !== 0) changes.push({ op: 'write', path, content })
      }
    }
    for (const { path } of this.#workspace.list(ROOT, { recursive: true }).entries) {
      if (!found.has(path)) changes.push({ op: 'remove', path })
    }
    if (changes.length > 0) await this.#workspace.commit(changes)
  }

  /** Entries outside of the virtual environment, parents before children. */
  *#walk(
    directory: WorkspacePath,
    into = (path: WorkspacePath) => path !== VENV_DIR,
  ): Generator<[WorkspacePath, Stats]> {
    for (const name of readdirSync(this.#place(directory))) {
      const path = workspacePath(`${directory}/${name}`)
      const stats = lstatSync(this.#place(path))
      yield [path, stats]
      if (stats.isDirectory() && into(path) && existsSync(this.#place(path))) yield* this.#walk(path, into)
    }
  }
}

interface Ended {
  readonly exitCode: number
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly timedOut: boolean
}

/** Runs a script in a process group of its own, with an empty standard input, and ends the group at the deadline. */
function bash(
  script: string,
  { cwd, env, timeoutMs }: { readonly cwd: string; readonly env: Record<string, string>; readonly timeoutMs: number },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script], {
      cwd,
      env: env as NodeJS.ProcessEnv, // the Worker's variables are declared there as always set; bash needs none
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk) => stdout.push(chunk))
    child.stderr.on('data', (chunk) => stderr.push(chunk))
    let timedOut = false
    const timer = setTimeout(
      () => {
        timedOut = true
        if (child.pid) process.kill(-child.pid, 'SIGKILL')
      },
      Math.min(timeoutMs, 2 ** 31 - 1),
    )
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ exitCode: code ?? -1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), timedOut })
    })
  })
}
