import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SANDBOX_ROOT } from '../../../src/core/workspace-path.ts'
import type { Sandbox } from '../../../src/ports/sandbox.ts'
import { STATE_DIRECTORY } from '../../../src/session/sandbox/place.ts'
import { KnownFiles } from '../../../src/session/sync/known.ts'
import { HardLinks } from '../../../src/session/sync/links.ts'
import { planPush } from '../../../src/session/sync/plan.ts'
import { push } from '../../../src/session/sync/push.ts'
import { NOTHING } from '../../support/no-sandbox.ts'
import { largeContent, openWorkspace, write } from '../workspace/open.ts'

const MEBIBYTE = 1024 * 1024

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'toolyard-push-'))
  for (const name of ['state', 'files', 'bin']) mkdirSync(join(directory, name))
  // Says, when an archive is unpacked, how many of its parts the disk still has.
  const tar = execFileSync('bash', ['-c', 'command -v tar']).toString().trim()
  writeFileSync(
    join(directory, 'bin', 'tar'),
    `#!/bin/bash\n${tar} "$@"\nended=$?\ncat >/dev/null\nls ${join(directory, 'state')} | wc -l >> ${join(directory, 'left')}\nexit $ended\n`,
    { mode: 0o755 },
  )
})
afterEach(() => {
  execFileSync('chmod', ['-R', 'u+rwx', directory])
  rmSync(directory, { recursive: true, force: true })
})

const place = (text: string) =>
  text.replaceAll(STATE_DIRECTORY, join(directory, 'state')).replaceAll(SANDBOX_ROOT, join(directory, 'files'))

/** This machine as the sandbox, with files of one part at most. */
function machine(partBytes: number) {
  const parts: number[] = []
  const sandbox: Sandbox = {
    ...NOTHING,
    run: async (script) => {
      const env = { ...process.env, PATH: `${join(directory, 'bin')}:${process.env.PATH}` }
      const { status, stdout, stderr } = spawnSync('bash', ['-c', place(script)], { env })
      return { exitCode: status ?? -1, stdout: stdout.toString(), stderr: stderr.toString() }
    },
    writeStream: async (path, content) => {
      const bytes = new Uint8Array(await new Response(content as BodyInit).arrayBuffer())
      expect(bytes.length).toBeLessThanOrEqual(partBytes)
      parts.push(bytes.length)
      writeFileSync(place(path), bytes)
    },
  }
  return { sandbox, parts }
}

/** Carries a workspace with one large file in a directory of that mode. */
async function carried(content: Uint8Array, partBytes: number) {
  const { workspace: shared, sql } = openWorkspace()
  const workspace = shared.forCall('call')
  await workspace.commit([write('d/a', content)])
  const known = new KnownFiles(sql)
  const { sandbox, parts } = machine(partBytes)
  const sides = {
    workspace,
    known,
    links: new HardLinks(sql),
    sandbox,
    signal: new AbortController().signal,
    logError: () => undefined,
  }
  const end = await push(planPush(workspace, known, null), sides, null, null, partBytes)
  const left = readFileSync(join(directory, 'left'), 'utf8').trim().split('\n').map(Number)
  return { end, parts, left, known }
}

/** Bytes that no packing makes fewer. */
const random = (size: number) => {
  const bytes = largeContent(size)
  for (let at = 0; at < size; at += 65_536)
    crypto.getRandomValues(bytes.subarray(at, at + 65_536) as Uint8Array<ArrayBuffer>)
  return bytes
}

describe('an archive that is carried in in several files', () => {
  it('leaves the disk file by file while it is unpacked, so that not all of it is there twice', async () => {
    const content = random(5 * MEBIBYTE)
    const { end, parts, left } = await carried(content, MEBIBYTE)
    expect(end).not.toBe('outdated')
    expect(parts.length).toBeGreaterThan(4)
    expect(readFileSync(join(directory, 'files', 'd', 'a')).equals(content)).toBe(true)
    expect(left).toEqual([0])
    expect(readdirSync(join(directory, 'state'))).toEqual([])
  })

  it.each([
    ['as it is where packing makes it no smaller', random(17 * MEBIBYTE), [17, 18]],
    ['packed where that makes it smaller', new Uint8Array(17 * MEBIBYTE), [0, 1]],
  ])('goes over %s', async (_, content, [least = 0, most = 0]) => {
    const { parts } = await carried(content, 4 * MEBIBYTE)
    expect(readFileSync(join(directory, 'files', 'd', 'a')).equals(content)).toBe(true)
    const bytes = parts.reduce((total, part) => total + part, 0)
    expect(bytes).toBeGreaterThan(least * MEBIBYTE)
    expect(bytes).toBeLessThan(most * MEBIBYTE)
  })

  it('is unpacked again where a directory is closed, which is opened then', async () => {
    const content = random(3 * MEBIBYTE)
    mkdirSync(join(directory, 'files', 'd'))
    chmodSync(join(directory, 'files', 'd'), 0o555)
    const { parts, left } = await carried(content, MEBIBYTE)
    expect(readFileSync(join(directory, 'files', 'd', 'a')).equals(content)).toBe(true)
    expect(statSync(join(directory, 'files', 'd', 'a')).size).toBe(content.length)
    expect(left.every((files) => files === parts.length)).toBe(true)
    expect(readdirSync(join(directory, 'state'))).toEqual([])
  })
})
