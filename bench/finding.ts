import { readFile } from 'node:fs/promises'
import { randomOf } from '../test/support/random.ts'
import type { Caller } from './caller.ts'
import { compare } from './measure.ts'
import type { Row } from './print.ts'

/** Files of the task, and the size of each: 100 MB together. */
const FILES = 10_000
const QUICK_FILES = 1_000
const FILE_BYTES = 10_000
const FILES_PER_UPLOAD = 200

/** Searches: for a word, a pattern with a word in it, and one without. Each is in one of 200 files. */
const SEARCHES = [
  { what: 'a word', text: 'needle_42', regex: false },
  { what: 'a pattern', text: '\\bneedle_\\d+\\(', regex: true },
  { what: 'a pattern without a word', text: '\\b[a-z]+_\\d\\d\\(', regex: true },
] as const

/** Part of an answer of `file_search`. */
interface Found {
  readonly files_searched: number
  readonly truncated?: boolean
}

/** Program that searches in the sandbox, and what it is called in the table. */
interface Rival {
  readonly name: string
  readonly command: (pattern: string) => string
}

/**
 * Measures `file_search` over many files beside ripgrep in a sandbox that runs, and in one that must first be made and get the
 * files. Where the sandbox has no `rg` and RIPGREP names no program, grep takes its place, and the rows say so.
 */
export async function findingCalls(
  call: Caller,
  quick: boolean,
  progress: (what: string) => (done: number) => void,
): Promise<Row[]> {
  const files = quick ? QUICK_FILES : FILES
  await call.create('finding')
  await upload(call, files, progress(`${files} files`))
  const search = async ({ text, regex }: (typeof SEARCHES)[number]) => {
    const args = { search_text: text, regex, case_sensitive: true }
    const { data } = (await call.tool('finding', 'file_search', args)) as { readonly data: Found }
    // One that stopped early is not comparable.
    if (data.truncated || data.files_searched < files)
      throw new Error(`only ${data.files_searched} files were searched`)
  }
  // Nothing runs in the task yet: the first command pays for the sandbox and for the files.
  const began = performance.now()
  await search(SEARCHES[0])
  const aloneMs = performance.now() - began
  const commanded = performance.now()
  const rival = await rivalIn(call)
  await shell(call, rival.command(SEARCHES[0].text))
  const firstMs = performance.now() - commanded
  const rows: Row[] = [
    {
      what: `file_search for a word in ${files} files`,
      ms: aloneMs,
      floor: `${rival.name}, first command of the task`,
      floorMs: firstMs,
      limit: { ratio: 0.5 },
    },
  ]
  for (const one of SEARCHES) {
    const works = { ours: () => search(one), theirs: () => shell(call, rival.command(one.text)) }
    const size = { rounds: quick ? 3 : 4, perRound: 3, concurrent: 1 }
    const times = await compare(works, size, progress(`finding ${one.what}`))
    rows.push({
      what: `file_search for ${one.what} in ${files} files`,
      ms: times.ours,
      floor: `${rival.name}, warm`,
      floorMs: times.theirs,
      limit: { ratio: 8 },
    })
  }
  await call.remove('/api/task/finding')
  return rows
}

const shell = (call: Caller, command: string) => call.tool('finding', 'execute_shell', { command, workdir: '.' })

async function rivalIn(call: Caller): Promise<Rival> {
  const rg = (program: string): Rival => ({
    name: 'ripgrep in the sandbox',
    command: (pattern) => `${program} -n --no-messages -e '${pattern}' upload/files > /dev/null`,
  })
  const { RIPGREP } = process.env
  if (RIPGREP) {
    const content = (await readFile(RIPGREP)).toString('base64')
    const files = [{ filename: 'rg', content, is_base64: true }]
    await call.tool('finding', 'file_upload', { files })
    await shell(call, 'chmod +x upload/rg')
    return rg('upload/rg')
  }
  const answer = (await shell(call, 'command -v rg || true')) as { readonly data?: { readonly stdout?: string } }
  if (answer.data?.stdout?.includes('rg')) return rg('rg')
  return {
    name: 'grep in the sandbox (no ripgrep here)',
    command: (pattern) => `grep -rnP -e '${pattern}' upload/files > /dev/null`,
  }
}

async function upload(call: Caller, count: number, progress: (done: number) => void): Promise<void> {
  const draw = randomOf(58)
  for (let first = 0; first < count; first += FILES_PER_UPLOAD) {
    const files = Array.from({ length: FILES_PER_UPLOAD }, (_, at) => ({
      filename: `d${first / FILES_PER_UPLOAD}/f${first + at}.py`,
      content: source(draw, (first + at) % FILES_PER_UPLOAD === 7),
    }))
    await call.tool('finding', 'file_upload', { files, target_path: 'files' })
    progress((first + FILES_PER_UPLOAD) / count)
  }
}

const WORDS =
  'import return value result for in range print index data model layer batch epoch loss train self None'.split(' ')

/** Text of a file like a program. */
function source(draw: () => number, hasNeedle: boolean): string {
  const lines: string[] = []
  let chars = 0
  while (chars < FILE_BYTES) {
    const words = Array.from({ length: 8 }, () => WORDS[Math.floor(draw() * WORDS.length)])
    const line = `    ${words.join(' ')} = ${Math.floor(draw() * 1e6)}`
    lines.push(line)
    chars += line.length + 1
  }
  if (hasNeedle) lines[Math.floor(lines.length / 2)] = '    x = needle_42(value)'
  return lines.join('\n')
}
