import { randomOf } from '../../support/random.ts'
import { changed, SEEDS } from './fuzz-seeds.ts'
import { type Format, utf8 } from './hostile-file.ts'
import { outcomeOf, readAs } from './readers.ts'

export interface FuzzCase {
  readonly seed: number
  readonly format: Format
  readonly bytes: Uint8Array
}

/** The case of a seed: which file, what is changed in it, and how. */
export function fuzzCase(seed: number): FuzzCase {
  const random = randomOf(seed)
  const pick = () => SEEDS[Math.floor(random() * SEEDS.length)] ?? (SEEDS[0] as (typeof SEEDS)[number])
  const file = pick()
  return { seed, format: file.format, bytes: changed(file, pick(), random) }
}

/** Times what a plain page of 100 KB takes: files here have a few kilobytes, and those that unpack to more are refused. */
const MOST_PAGES = 60
const PLAIN_PAGE = utf8(
  '<p>Some text with <b>bold</b> words, and <a href="https://a.example">a link</a>.</p>'.repeat(1_200),
)

/** Reads one case. @returns what is wrong with how that ended; null when nothing is */
export type RunCase = (fuzz: FuzzCase) => Promise<string | null>

/** A runner of cases, which knows what a plain page takes in this process. */
export async function caseRunner(): Promise<RunCase> {
  for (const seed of SEEDS) await outcomeOf(seed.format, seed.bytes) // loads and warms
  await readAs('html', PLAIN_PAGE)
  const plainMs = Math.max(5, await costOf(() => readAs('html', PLAIN_PAGE)))
  return async ({ format, bytes }) => {
    let outcome = ''
    const cost = await costOf(async () => {
      outcome = await outcomeOf(format, bytes)
    })
    if (outcome.startsWith('fault')) return outcome
    return cost > MOST_PAGES * plainMs
      ? `took ${Math.round(cost)} ms, ${Math.round(cost / plainMs)} times a plain page`
      : null
  }
}

async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
