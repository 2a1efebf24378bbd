import { expect, it } from 'vitest'
import { bothSlots, slots } from '../../../src/core/slots.ts'

/** Work that ends when it is let go, and what is under way of it. */
function works() {
  const ends: (() => void)[] = []
  const begun: string[] = []
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.push(() => resolve(name)))
    },
    endFirst: () => ends.shift()?.(),
  }
}

/** All that can go on without anybody's doing has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

it('so many run at once, and the others in their order', async () => {
  const { begun, work, endFirst } = works()
  const slot = slots(2)
  const all = ['a', 'b', 'c', 'd'].map((name) => slot(work(name)))
  await settled()
  expect(begun).toEqual(['a', 'b'])
  for (const next of ['c', 'd']) {
    endFirst()
    await settled()
    expect(begun.at(-1)).toBe(next)
  }
  endFirst()
  endFirst()
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
})

it('work that fails gives its place back', async () => {
  const slot = slots(1)
  await expect(slot(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await slot(async () => 1)).toBe(1)
})

it('who leaves the queue never begins, and holds up nobody behind', async () => {
  const { begun, work, endFirst } = works()
  const slot = slots(1)
  const leaving = new AbortController()
  const first = slot(work('first'))
  const left = slot(work('left'), leaving.signal)
  const last = slot(work('last'))
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await expect(slot(work('late'), leaving.signal)).rejects.toThrow('gone')
  endFirst()
  await settled()
  endFirst()
  await Promise.all([first, last])
  expect(begun).toEqual(['first', 'last'])
})

it('one kind of work leaves a place to the other, and both together have no more than there are', async () => {
  const { begun, work } = works()
  const shared = slots(3)
  const [one, other] = [bothSlots(slots(2), shared), bothSlots(slots(2), shared)]
  for (const name of ['one', 'one', 'one']) void one(work(name))
  for (const name of ['other', 'other']) void other(work(name))
  await settled()
  expect(begun).toEqual(['one', 'one', 'other'])
})
