import { describe, expect, it, vi } from 'vitest'
import { MAX_WATCHERS, WATCH_BATCH_MS } from '../../../src/core/limits/watch.ts'
import { type WatcherSocket, Watchers } from '../../../src/session/watchers.ts'

class Socket implements WatcherSocket {
  readonly sent: string[] = []
  isClosed = false
  isGone = false

  send(message: string): void {
    if (this.isGone) throw new TypeError("Can't call WebSocket send() after close().")
    this.sent.push(message)
  }

  close(): void {
    this.isClosed = true
  }
}

/** Watchers with sockets of an earlier life of the object, and how often those were looked for. */
function watchersWith(kept: readonly Socket[]) {
  const looks = { count: 0 }
  const watchers = new Watchers(() => {
    looks.count += 1
    return kept
  })
  return { watchers, looks }
}

const batch = () => vi.advanceTimersByTime(WATCH_BATCH_MS)

describe('the watchers of a session', () => {
  it('are told once of commits that come together, also those that watched before the object left memory', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const [kept, fresh] = [new Socket(), new Socket()]
      const { watchers, looks } = watchersWith([kept])
      watchers.add(fresh)
      for (let n = 0; n < 1_000; n++) watchers.committed()
      batch()
      expect([kept.sent.length, fresh.sent.length]).toEqual([1, 1])
      watchers.committed()
      batch()
      expect([kept.sent.length, fresh.sent.length]).toEqual([2, 2])
      expect(looks.count).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('cost a session that has none no timer, and one look for sockets in all its commits', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { watchers, looks } = watchersWith([])
      for (let n = 0; n < 1_000; n++) watchers.committed()
      expect([vi.getTimerCount(), looks.count]).toEqual([0, 1])
    } finally {
      vi.useRealTimers()
    }
  })

  it('who are gone are forgotten, and keep the message from nobody', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const [gone, there] = [new Socket(), new Socket()]
      gone.isGone = true
      const { watchers } = watchersWith([gone, there])
      watchers.committed()
      batch()
      expect(there.sent.length).toBe(1)
      for (let n = 1; n < MAX_WATCHERS; n++) watchers.add(new Socket())
      expect(watchers.areFull).toBe(true)
      watchers.remove(there)
      expect(watchers.areFull).toBe(false)
      watchers.committed()
      watchers.close()
      batch()
      expect([there.sent.length, vi.getTimerCount()]).toEqual([1, 0])
    } finally {
      vi.useRealTimers()
    }
  })
})
