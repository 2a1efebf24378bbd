import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** Time that a child has to finish its work when it is ended. */
const STOP_MS = 10_000

/**
 * The processes that `npm start` runs, by name. Each is the leader of a process group, which ends as a whole, and none
 * outlives this process, however it ends.
 */
export class Children {
  #running = new Map()
  #onEnd
  #lock = []

  /** @param onEnd called with name and cause, e.g. "SIGKILL", when a child ends unexpectedly */
  constructor(onEnd) {
    this.#onEnd = onEnd
  }

  /** Lets every further child hold this descriptor as well: a lock that is free when the last of them is gone. */
  hold(descriptor) {
    this.#lock = [descriptor]
  }

  /**
   * Starts a program. Its stdout is a pipe, and so is its stderr with `stderr: 'pipe'`; else it writes to the terminal.
   * @param options `descriptors`: open in the child from 3 on
   * @returns the child process
   */
  start(name, program, args, { env, cwd, stderr = 'inherit', stopMs = STOP_MS, descriptors = [] }) {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', stderr, ...descriptors, ...this.#lock],
      // A group of its own: a Ctrl-C in the terminal reaches this script alone, which then stops them in order.
      detached: true,
    })
    const ended = new Promise((resolve) => {
      child.once('error', resolve)
      child.once('exit', resolve)
    })
    const running = { child, ended, guard: child.pid ? guard(child.pid) : null, wanted: false, stopMs }
    this.#running.set(name, running)
    child.on('error', (error) => this.#ended(name, running, error.message))
    child.on('exit', (code, signal) => this.#ended(name, running, signal ?? code))
    return child
  }

  /**
   * Starts a program that says on stdout, in a line of JSON with `"ready": true`, that it serves and where.
   * @returns that line
   * @throws Error when it ends before
   */
  async startServer(name, program, args, options) {
    const child = this.start(name, program, args, options)
    for await (const line of createInterface({ input: child.stdout })) {
      const ready = line.startsWith('{') ? JSON.parse(line) : {}
      if (ready.ready) {
        child.stdout.resume()
        return ready
      }
    }
    await this.#running.get(name)?.ended
    throw new Error(`the ${name} did not start; what it said is above`)
  }

  /** Runs a program to its end. @throws Error with its output when it fails */
  async run(name, program, args, options) {
    const child = this.start(name, program, args, { ...options, stderr: 'pipe' })
    const running = this.#running.get(name)
    running.wanted = true
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-10_000)
      })
    }
    await new Promise((resolve) => {
      child.once('error', resolve)
      child.once('close', resolve)
    })
    await this.end(name)
    if (child.exitCode !== 0) throw new Error(`${name} failed:\n${output}`)
  }

  /**
   * Ends a child and all of its own children.
   * @param signal SIGTERM lets it finish its work, for a while; SIGKILL does not
   */
  async end(name, signal = 'SIGTERM') {
    const running = this.#running.get(name)
    if (running === undefined) return
    running.wanted = true
    const { child, ended, guard, stopMs } = running
    if (signal === 'SIGKILL') killGroup(child.pid)
    else child.kill(signal)
    const impatience = setTimeout(() => killGroup(child.pid), stopMs)
    await ended
    clearTimeout(impatience)
    killGroup(child.pid)
    guard?.kill('SIGKILL')
    if (this.#running.get(name) === running) this.#running.delete(name)
  }

  /** Ends all children, the latest first, so that each keeps its dependencies until it is gone. */
  async endAll() {
    for (const name of [...this.#running.keys()].reverse()) await this.end(name)
  }

  #ended(name, running, cause) {
    if (!running.wanted) this.#onEnd(name, cause)
  }
}

/** Kills a child's group when this process is gone and could not, as after `kill -9`: the pipe is closed then. */
function guard(pid) {
  const script = 'cat > /dev/null; kill -s KILL -- "-$0"'
  return spawn('sh', ['-c', script, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // no process is left
  }
}
