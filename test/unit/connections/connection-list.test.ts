import { describe, expect, it } from 'vitest'
import { ConnectionList } from '../../../src/connections/connection-list.ts'
import {
  ENDED_CONNECTIONS_AT_ONCE,
  MAX_CONNECTION_LOOKS,
  MAX_MCP_CONNECTIONS,
} from '../../../src/core/limits/connections.ts'

/** A list of connections, the first of them the longest unused. `inUse` are those that do not rest. */
function opened(count: number, inUse: ReadonlySet<string> = new Set()) {
  const stored = new Map(Array.from({ length: count }, (_, at) => [`listed/t/${at}`, at]))
  const ended: string[] = []
  const parts: ConstructorParameters<typeof ConnectionList>[0] = {
    storage: {
      list: async () => new Map(stored),
      put: async (key, time) => void stored.set(key, time),
      delete: async (key) => stored.delete(key),
    },
    endResting: async (name) => {
      if (inUse.has(name)) return Date.now()
      ended.push(name)
      return null
    },
    end: async (name) => void ended.push(name),
  }
  return { list: new ConnectionList(parts), again: () => new ConnectionList(parts), stored, ended }
}

const first = (count: number) => new Set(Array.from({ length: count }, (_, at) => `t/${at}`))

describe('a list of connections', () => {
  it('has room for MAX_MCP_CONNECTIONS, and then ends the one that was not used for longest', async () => {
    const { list, stored, ended } = opened(MAX_MCP_CONNECTIONS - 1)
    expect(await list.add('t/new')).toBe(true)
    expect(ended).toEqual([])
    expect(await list.add('t/newer')).toBe(true)
    expect([ended, stored.size, stored.has('listed/t/0')]).toEqual([['t/0'], MAX_MCP_CONNECTIONS, false])
  })

  it('passes over those in use, and looks at others the next time', async () => {
    const { list, ended } = opened(MAX_MCP_CONNECTIONS, first(3))
    expect(await list.add('t/new')).toBe(true)
    expect(await list.add('t/newer')).toBe(true)
    expect(ended).toEqual(['t/3', 't/4'])
  })

  it('refuses a new one where MAX_CONNECTION_LOOKS are in use, and finds one that rests behind them the next time', async () => {
    const { list, stored, ended } = opened(MAX_MCP_CONNECTIONS, first(MAX_CONNECTION_LOOKS))
    expect(await list.add('t/new')).toBe(false)
    expect([ended, stored.size, stored.has('listed/t/new')]).toEqual([[], MAX_MCP_CONNECTIONS, false])
    expect(await list.add('t/new')).toBe(true)
    expect(ended).toEqual([`t/${MAX_CONNECTION_LOOKS}`])
  })

  it('ends one for each of two that come at once', async () => {
    const { list, ended } = opened(MAX_MCP_CONNECTIONS)
    expect(await Promise.all([list.add('t/new'), list.add('t/newer')])).toEqual([true, true])
    expect(ended.toSorted()).toEqual(['t/0', 't/1'])
  })

  it('ends all of them, some at a time, also those in use', async () => {
    const { list, stored, ended } = opened(ENDED_CONNECTIONS_AT_ONCE + 1, first(3))
    expect([await list.endSome(), ended.length]).toEqual([true, ENDED_CONNECTIONS_AT_ONCE])
    expect([await list.endSome(), ended.length, stored.size]).toEqual([false, ENDED_CONNECTIONS_AT_ONCE + 1, 0])
    expect(await list.endSome()).toBe(false)
  })

  it('has room again for each that has ended, also after a restart', async () => {
    const { list, again, ended } = opened(MAX_MCP_CONNECTIONS)
    await list.remove('t/7')
    expect(await again().add('t/new')).toBe(true)
    expect(ended).toEqual([])
  })
})
