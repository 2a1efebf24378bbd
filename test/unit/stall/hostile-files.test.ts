import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Format } from '../../security/stall/hostile-file.ts'
import { hostileFiles } from '../../security/stall/hostile-files.ts'
import { ReadingProcess } from '../../security/stall/reading-process.ts'

// Each format's files are read one after another, on a machine that may have other things to do.
vi.setConfig({ testTimeout: 300_000 })

/** Times what a plain page of a megabyte takes, which is about what an answer may take that somebody waits for. */
const MOST_PAGES = 30

const files = hostileFiles()
const formats = [...new Set(files.map(({ format }) => format))].sort()
const reading = new ReadingProcess()
afterAll(() => reading.stop())

async function troubleOf(format: Format): Promise<string[]> {
  const troubles: string[] = []
  for (const [at, file] of files.entries()) {
    if (file.format !== format) continue
    const found = await reading.read(at)
    if (found === null) troubles.push(`${file.name}: the reading process ended, or hung`)
    else if (found.pages > MOST_PAGES) troubles.push(`${file.name}: took the time of ${Math.round(found.pages)} pages`)
    else if (found.outcome.startsWith('fault')) troubles.push(`${file.name}: ${found.outcome}`)
  }
  return troubles
}

describe('hostile files', () => {
  it.each(formats)('of format %s are read or refused soon, within bounded memory', async (format) => {
    expect(await troubleOf(format)).toEqual([])
  })

  it('are the same bytes each time, from a kilobyte to five megabytes', () => {
    const { bytes } = files.find(({ format, name }) => format === 'csv' && name.startsWith('bytes')) ?? expect.fail()
    // Looked at as a whole: a matcher would compare megabytes one by one.
    expect(Buffer.compare(bytes(), bytes())).toBe(0)
    const sizes = files.filter(({ format }) => format === 'md').map((file) => file.bytes().length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5 * 1024 * 1024)
  })
})
