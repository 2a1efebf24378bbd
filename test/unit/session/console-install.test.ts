import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DIRECTORY, INSTALL } from '../../../src/session/consoles/scripts.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolyard-install-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const PROGRAMS = ['kernel.py', 'client.py', 'host.py']

async function install(): Promise<number> {
  const place = INSTALL.replaceAll(DIRECTORY, join(directory, 'consoles'))
  const bash = spawn('bash', { stdio: ['pipe', 'ignore', 'ignore'] })
  bash.stdin.end(`set -e\nfor time in $(seq 20); do ${place}; done`)
  const [code] = await once(bash, 'exit')
  return code
}

it('calls that begin at once install programs that are whole at each moment', async () => {
  let isOver = false
  const installed = Promise.all(Array.from({ length: 6 }, install)).finally(() => (isOver = true))
  const seen = new Map(PROGRAMS.map((name) => [name, new Set<string>()]))
  while (!isOver) {
    for (const name of PROGRAMS) {
      const text = await readFile(join(directory, 'consoles', name), 'utf8').catch(() => null)
      if (text !== null) seen.get(name)?.add(text)
    }
  }
  expect(await installed).toEqual(Array(6).fill(0))
  expect([...seen.values()].map(({ size }) => size)).toEqual([1, 1, 1])
  expect((await readdir(join(directory, 'consoles'))).sort()).toEqual([...PROGRAMS].sort())
})
