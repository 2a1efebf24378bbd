/**
 * Reads changed files for a time, by `npm run fuzz -- SECONDS [SEED]`: each must be read or refused, soon.
 * Each failure is printed with its seed, and its file is kept in a temporary directory. Exits with 1 after any failure.
 */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { caseRunner, fuzzCase } from '../test/security/stall/fuzz.ts'

// pdf.js leaves promises behind that fail; the process that reads documents for the server lets them, too.
process.on('unhandledRejection', () => {})

const [seconds = '60', first = '1'] = process.argv.slice(2)
const until = performance.now() + Number(seconds) * 1000
const run = await caseRunner()
let directory = ''
let wrong = 0
let seed = Number(first)
for (; performance.now() < until; seed++) {
  const fuzz = fuzzCase(seed)
  const trouble = await run(fuzz)
  if (trouble === null) continue
  wrong++
  directory ||= await mkdtemp(join(tmpdir(), 'toolyard-fuzz-'))
  const file = join(directory, `${seed}.${fuzz.format}`)
  await writeFile(file, fuzz.bytes)
  console.log(`seed ${seed}: ${trouble}\n  ${file}`)
}
console.log(`${seed - Number(first)} files from seed ${first}, ${wrong} wrong`)
process.exitCode = wrong === 0 ? 0 : 1
