import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { processorMsOf } from '../../../bench/processor.ts'
import type { Reading } from './reading-child.ts'

/** Memory for what lives long in it, in MiB: of a process that needs more nothing is left but a message. */
const HEAP_MIB = 768
/** Time of the processor far beyond what any file may take; what has not ended by then never does. */
const HUNG_MS = 90_000
/** Time between two looks at the process: one that used no processor in between waits for what does not come. */
const LOOK_MS = 15_000

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
      const used = () => (child.pid === undefined ? 0 : processorMsOf(child.pid))
      const begun = used()
      let before = begun
      // By its own time, which a busy machine does not make longer.
      const looks = setInterval(() => {
        const now = used()
        if (now === before || now - begun > HUNG_MS) over(null)
        before = now
      }, LOOK_MS)
      const over = (reading: Reading | null) => {
        clearInterval(looks)
        child.off('exit', ended)
        resolve(reading)
      }
      const ended = () => over(null)
      child.once('exit', ended)
      child.once('message', (message) => over(message as Reading))
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
