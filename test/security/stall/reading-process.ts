import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Reading } from './reading-child.ts'

/** Memory for what lives long in it, in MiB: of a process that needs more nothing is left but a message. */
const HEAP_MIB = 768
/** Far beyond what any file may take; what has not ended by then never does. */
const HUNG_MS = 90_000

/** Reads files of the table one after another in a process of its own, which a file may end or hang. */
export class ReadingProcess {
  #child: ChildProcess | null = null

  /** @returns what it took; null when the process ended, or did not answer and was ended */
  async read(at: number): Promise<Reading | null> {
    this.#child ??= fork(fileURLToPath(new URL('./reading-child.ts', import.meta.url).href), [], {
      execArgv: [`--max-old-space-size=${HEAP_MIB}`, '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const child = this.#child
    const reading = await new Promise<Reading | null>((resolve) => {
      const hung = setTimeout(() => resolve(null), HUNG_MS)
      const ended = () => resolve(null)
      child.once('exit', ended)
      child.once('message', (message) => {
        clearTimeout(hung)
        child.off('exit', ended)
        resolve(message as Reading)
      })
      child.send(at)
    })
    if (reading === null) this.stop()
    return reading
  }

  stop(): void {
    this.#child?.kill('SIGKILL')
    this.#child = null
  }
}
