import { expect, it } from 'vitest'
import { hashOf } from '../../support/blobs-memory.ts'
import { largeContent, openWorkspace, text, write } from './open.ts'

/** A workspace whose contents are all in the store, the small ones in SQLite as well. */
async function storedWorkspace() {
  const at = openWorkspace({})
  const { workspace } = at
  await workspace.commit([write('small', 'text'), write('large', largeContent(100_000, 1))])
  while (await workspace.flush());
  return at
}

it('a workspace that was set back refers to its contents again, and has those sent anew of which it has a copy', async () => {
  const { workspace, blobs } = await storedWorkspace()
  blobs.references.clear()
  blobs.contents.delete(hashOf('text'))
  expect(await workspace.reclaim('')).toEqual({ held: 1, missing: 0, missingFiles: [], next: null })
  expect(workspace.needsFlush()).toBe(true)
  while (await workspace.flush());
  expect([...blobs.references.values()].map(({ size }) => size)).toEqual([1, 1])
  expect(blobs.contents.size).toBe(2)
})

it('a workspace whose contents are gone counts those of its history, names its files, and can be used and flushed', async () => {
  const { workspace, blobs } = await storedWorkspace()
  await workspace.commit([write('large', largeContent(100_000, 2))])
  while (await workspace.flush());
  blobs.contents.clear()
  blobs.references.clear()
  expect(await workspace.reclaim('')).toEqual({ held: 0, missing: 2, missingFiles: ['large'], next: null })
  while (await workspace.flush());
  expect(workspace.needsFlush()).toBe(false)
  expect(await text(workspace, 'small')).toBe('text')
  await expect(text(workspace, 'large')).rejects.toMatchObject({ failure: { code: 'upstream' } })
  await workspace.commit([write('large', largeContent(100_000, 2))])
  expect((await text(workspace, 'large'))?.length).toBe(100_000)
  expect(await workspace.reclaim('')).toMatchObject({ missing: 1, missingFiles: [] })
})
