import { execFileSync } from 'node:child_process'
import { cp, lstat, mkdir, mkdtemp, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { arch, platform } from 'node:process'
import { afterEach, beforeEach, expect, it } from 'vitest'

const SCRIPT = join(import.meta.dirname, '../../../scripts/link-node.mjs')
const PACKAGE = `node-${platform}-${arch}`

/** A checkout with the script and packages alone. */
let checkout: string
beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'toolyard-link-node-'))
  await cp(SCRIPT, join(checkout, 'scripts/link-node.mjs'))
  await mkdir(join(checkout, 'node_modules/.bin'), { recursive: true })
})
afterEach(() => rm(checkout, { recursive: true, force: true }))

const link = () => join(checkout, 'node_modules/.bin/node')
const run = () => execFileSync(process.execPath, [join(checkout, 'scripts/link-node.mjs')])

async function bring(): Promise<void> {
  await mkdir(join(checkout, 'node_modules', PACKAGE, 'bin'), { recursive: true })
  await writeFile(join(checkout, 'node_modules', PACKAGE, 'bin/node'), '')
}

it('links the Node that npm brought and did not link', async () => {
  await bring()
  run()
  expect(await readlink(link())).toBe(`../${PACKAGE}/bin/node`)
})

it('mends a link that leads nowhere', async () => {
  await bring()
  await symlink('../gone/bin/node', link())
  run()
  expect(await readlink(link())).toBe(`../${PACKAGE}/bin/node`)
})

it('leaves the link that npm made, and makes none where npm brought no Node', async () => {
  await bring()
  await writeFile(link(), 'of npm')
  run()
  expect((await lstat(link())).isFile()).toBe(true)
  await rm(link())
  await rm(join(checkout, 'node_modules', PACKAGE), { recursive: true })
  run()
  await expect(lstat(link())).rejects.toThrow('ENOENT')
})
