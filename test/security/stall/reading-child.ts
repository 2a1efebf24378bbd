import { utf8 } from './hostile-file.ts'
import { hostileFiles } from './hostile-files.ts'
import { outcomeOf, readAs } from './readers.ts'

/** What reading one file took in a process of its own. */
export interface Reading {
  readonly outcome: string
  /** Time of the processor, as a multiple of what a plain page of a megabyte takes in the same process. */
  readonly pages: number
  /** Memory of the process at its most, in MiB. */
  readonly peakMib: number
}

const PLAIN_PAGE = utf8(
  '<p>Some text with <b>bold</b> words, and <a href="https://a.example">a link</a>.</p>'.repeat(12_000),
)

const processorMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = processorMs()
  await work()
  return processorMs() - before
}

let plainPageMs = 0
/** Reads the file with that place in the table. */
async function readOne(at: number): Promise<Reading> {
  if (plainPageMs === 0) {
    await readAs('html', PLAIN_PAGE) // loads and warms
    plainPageMs = await costOf(() => readAs('html', PLAIN_PAGE))
  }
  const file = hostileFiles()[at]
  if (!file) throw new Error(`there is no file ${at}`)
  const bytes = file.bytes()
  let outcome = ''
  const cost = await costOf(async () => {
    outcome = await outcomeOf(file.format, bytes)
  })
  return { outcome, pages: cost / plainPageMs, peakMib: process.resourceUsage().maxRSS / 1024 }
}

process.on('message', (at: number) => {
  void readOne(at).then((reading) => process.send?.(reading))
})
