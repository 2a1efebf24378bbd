import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const SCRIPT = join(ROOT, 'scripts/console-pictures.mjs')
const KEPT = join(ROOT, 'docs/console')

/** Width and height of a PNG, from its header. */
async function sizeOf(file: string): Promise<readonly [width: number, height: number]> {
  const bytes = await readFile(file)
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

/** Twenty-nine screens, with a server and a browser for them. */
const PICTURES_MS = 300_000

it(
  'makes each picture of docs/console again, of the screen that it shows',
  async () => {
    const target = await mkdtemp(join(tmpdir(), 'toolyard-pictures-of-'))
    try {
      // Ends with 1 where a screen does not come whole, and where pictures are too large.
      await promisify(execFile)(process.execPath, [SCRIPT, target])
      const names = (await readdir(target)).sort()
      expect(names).toEqual((await readdir(KEPT)).sort())
      const sizes = async (folder: string) => Promise.all(names.map((name) => sizeOf(join(folder, name))))
      expect(await sizes(target)).toEqual(await sizes(KEPT))
    } finally {
      await rm(target, { recursive: true, force: true })
    }
  },
  PICTURES_MS,
)
