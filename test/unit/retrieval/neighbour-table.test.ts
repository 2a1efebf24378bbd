import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { neighbourTable } from '../../../src/retrieval/neighbour-table.ts'

const bytes = Uint8Array.from(readFileSync('src/assets/neighbours.bin')).buffer

describe('neighbourTable()', () => {
  it('is read at the first question, and kept once for all who ask later', async () => {
    let read = 0
    const table = neighbourTable(async () => {
      read++
      return bytes
    })
    expect(read).toBe(0)
    const first = await table()
    expect([await table(), read]).toEqual([first, 1])
  })

  it('is read by another request when the first one is cut off and its reading never ends', async () => {
    const readings = [new Promise<ArrayBuffer>(() => {}), Promise.resolve(bytes)]
    const table = neighbourTable(() => readings.shift() ?? Promise.reject(new Error('read once more')))
    void table()
    const second = await table()
    expect(await table()).toBe(second)
  })

  it('is read again after it could not be read', async () => {
    const readings = [Promise.reject(new Error('not there')), Promise.resolve(bytes)]
    const table = neighbourTable(() => readings.shift() ?? Promise.reject(new Error('read once more')))
    await expect(table()).rejects.toThrow('not there')
    await expect(table()).resolves.toBeDefined()
  })
})
