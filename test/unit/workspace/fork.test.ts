import { expect, it } from 'vitest'
import type { SessionWorkspace } from '../../../src/workspace/workspace.ts'
import type { MemoryBlobs } from '../../support/blobs-memory.ts'
import { link, openWorkspace, text, tree, write } from './open.ts'

// Within what a Durable Object takes for one value.
const MAX_TEXT_BYTES = 2_000_000

it('passes the longest paths, which need most room as JSON, in texts that a database takes', async () => {
  const { workspace: origin } = openWorkspace({ nodeId: 'origin' })
  const folder = (name: string) => Array.from({ length: 11 }, () => `${name}${'\u0001'.repeat(253)}`).join('/')
  const files = Array.from({ length: 400 }, (_, at) => write(`${folder('d')}/${String(at).padStart(4, '0')}`, `${at}`))
  await origin.commit([...files, link('z', 'a'.repeat(4_000)), write('empty', '')])

  const { fork, texts } = await forkOf(origin)

  expect(Math.max(...texts.map((each) => Buffer.byteLength(each)))).toBeLessThan(MAX_TEXT_BYTES)
  expect(tree(fork)).toEqual(tree(origin))
  expect([...fork.entries()]).toEqual([...origin.entries()])
  expect(fork.totals()).toEqual(origin.totals())
  expect(await text(fork, `${folder('d')}/0234`)).toBe('234')
  expect(await text(fork, 'empty')).toBe('')
})

it('keeps of contents that are not sent only those of its own files, and sends them', async () => {
  const { workspace: origin, blobs } = openWorkspace({ nodeId: 'origin' })
  await origin.commit([write('a', 'first'), write('b', 'same'), write('c', 'same')])
  const commit = origin.headSeq()
  await origin.commit([write('a', 'second')])

  const { fork } = await forkOf(origin, commit, blobs)

  expect(await text(fork, 'a')).toBe('first')
  expect(await text(fork, 'c')).toBe('same')
  expect(fork.needsFlush()).toBe(true)
  while (await fork.flush());
  expect(fork.needsFlush()).toBe(false)
})

async function forkOf(origin: SessionWorkspace, commit = origin.headSeq(), blobs?: MemoryBlobs) {
  const { workspace: fork } = openWorkspace({ nodeId: 'fork', ...(blobs && { blobs }) })
  const texts: string[] = []
  await fork.fillFrom({
    async entries(after) {
      const page = origin.forkEntries(commit, after)
      texts.push(...page.texts)
      return page
    },
    unsent: async (after) => origin.forkContents(after),
    share: async () => undefined,
  })
  return { fork, texts }
}
