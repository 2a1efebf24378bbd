import { describe, expect, it } from 'vitest'
import { FairQueue, type Release } from '../../../src/readerd/fair-queue.ts'

const NEVER = new AbortController().signal

/** Who begins, in order, when each that runs ends before the next one is looked at. */
function open(running = 2) {
  const queue = new FairQueue({ running, runningOfOwner: running - 1 || 1, waitingOfOwner: 3, owners: 3 })
  const begun: string[] = []
  const held: Release[] = []
  const ask = async (name: string, signal: AbortSignal = NEVER) => {
    const release = await queue.take(name[0] ?? '', signal)
    if (!release) return 'full'
    begun.push(name)
    held.push(release)
    return 'begun'
  }
  /** The oldest that runs ends. */
  const endOne = async () => {
    held.shift()?.()
    await settled()
  }
  return { ask, begun, endOne }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('the turns of readings', () => {
  it('leave a place free for others while one owner has many', async () => {
    const { ask, begun } = open(2)
    for (const name of ['a1', 'a2', 'b1']) void ask(name)
    await settled()
    expect(begun).toEqual(['a1', 'b1'])
  })

  it('go round the owners, and keep the order of each', async () => {
    const { ask, begun, endOne } = open(1)
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void ask(name)
    for (let end = 0; end < 6; end++) await endOne()
    await settled()
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  })

  it('refuse what would wait behind too many, of one owner or of all', async () => {
    const { ask } = open(1)
    const first = ask('a0')
    await settled()
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) void ask(name)
    expect(await first).toBe('begun')
    expect(await ask('a4')).toBe('full')
    expect(await ask('d1')).toBe('full')
  })

  it('pass over one that does not wait any more', async () => {
    const { ask, begun, endOne } = open(1)
    const gone = new AbortController()
    void ask('a1')
    const left = ask('a2', gone.signal)
    void ask('a3')
    gone.abort(new Error('went away'))
    await expect(left).rejects.toThrow('went away')
    await endOne()
    expect(begun).toEqual(['a1', 'a3'])
  })

  it('give a place back once, however often that is said', async () => {
    const queue = new FairQueue({ running: 1, runningOfOwner: 1, waitingOfOwner: 9, owners: 9 })
    const release = await queue.take('a', NEVER)
    release?.()
    release?.()
    const second = await queue.take('a', NEVER)
    let third = false
    void queue.take('a', NEVER).then(() => {
      third = true
    })
    await settled()
    expect([second !== null, third]).toEqual([true, false])
  })
})
