import { expect, it } from 'vitest'
import { slots, slotsOfKinds } from '../../../src/core/slots.ts'

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

it('each kind of work has a place whatever the others do, and all together have no more than there are', async () => {
  const { begun, work, endFirst } = works()
  const { of } = slotsOfKinds(5, ['one', 'two', 'three'])
  const all = [...'123456'].map((n) => of.one(work(`one ${n}`)))
  await settled()
  expect(begun).toEqual(['one 1', 'one 2', 'one 3'])
  all.push(of.two(work('two 1')), of.two(work('two 2')), of.three(work('three')))
  await settled()
  expect(begun.slice(3)).toEqual(['two 1', 'three'])
  // The place goes to who waited first, of any kind.
  endFirst()
  await settled()
  expect(begun.slice(5)).toEqual(['one 4'])
  for (let ended = 0; ended < all.length; ended++) {
    endFirst()
    await settled()
  }
  expect(await Promise.all(all)).toHaveLength(9)
  void Promise.all([of.one(work('again')), of.one(work('again')), of.one(work('again'))])
  await settled()
  expect(begun.slice(9)).toEqual(['again', 'again', 'again'])
})

it('who leaves the queue of a kind never begins, and holds up nobody behind', async () => {
  const { begun, work, endFirst } = works()
  const { of } = slotsOfKinds(2, ['one', 'two'])
  const leaving = new AbortController()
  const first = of.one(work('first'))
  const left = of.one(work('left'), leaving.signal)
  const last = of.one(work('last'))
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  endFirst()
  await settled()
  endFirst()
  await Promise.all([first, last])
  expect(begun).toEqual(['first', 'last'])
})

it('a place is held where each kind keeps one, and is there again for who waits once it is freed', async () => {
  const { begun, work } = works()
  const { of, hold } = slotsOfKinds(4, ['one', 'two'])
  const [free, freeOther] = [hold(), hold()]
  expect(hold()).toBeNull()
  for (const name of ['one', 'more', 'most']) void of.one(work(name))
  void of.two(work('two'))
  await settled()
  expect(begun).toEqual(['one', 'two'])
  free?.()
  free?.()
  await settled()
  expect(begun).toEqual(['one', 'two', 'more'])
  freeOther?.()
  await settled()
  expect(begun.at(-1)).toBe('most')
})
