import { describe, expect, it } from 'vitest'
import { BatchedWrites } from '../../../../src/session/resident/batched-writes.ts'

/** Writes that end when the test says so. */
function writes() {
  const under = [] as { readonly text: string; readonly end: PromiseWithResolvers<boolean> }[]
  const batched = new BatchedWrites((text) => {
    const end = Promise.withResolvers<boolean>()
    under.push({ text, end })
    return end.promise
  })
  return { batched, under, texts: () => under.map(({ text }) => text) }
}

describe('texts that are written to a resident program', () => {
  it('go at once where none is on its way, and together where one is', async () => {
    const { batched, under, texts } = writes()
    const first = batched.write('a')
    const others = [batched.write('b'), batched.write('c')]
    expect(texts()).toEqual(['a'])
    under[0]?.end.resolve(true)
    expect(await first).toBe(true)
    await expect.poll(texts).toEqual(['a', 'bc'])
    const last = batched.write('d')
    under[1]?.end.resolve(true)
    expect(await Promise.all(others)).toEqual([true, true])
    await expect.poll(texts).toEqual(['a', 'bc', 'd'])
    under[2]?.end.resolve(false)
    expect(await last).toBe(false)
  })

  it('fail with those that they went with, and those that follow are written', async () => {
    const { batched, under, texts } = writes()
    const first = batched.write('a')
    const second = batched.write('b')
    under[0]?.end.reject(new Error('broken'))
    await expect(first).rejects.toThrow('broken')
    await expect.poll(texts).toEqual(['a', 'b'])
    under[1]?.end.resolve(true)
    expect(await second).toBe(true)
  })
})
