import { describe, expect, it } from 'vitest'
import { SESSION_IDLE_MS } from '../../../src/core/limits/sessions.ts'
import { nodeState } from '../../../src/session/node-state.ts'

const NOW = 1_000_000_000
const LONG_AGO = NOW - SESSION_IDLE_MS

describe('the state of a node', () => {
  it('is running for half an hour after it was made, visited or used', () => {
    expect(nodeState({ createdAt: NOW }, LONG_AGO, NOW)).toBe('running')
    expect(nodeState({ createdAt: LONG_AGO, visitedAt: NOW }, LONG_AGO, NOW)).toBe('running')
    expect(nodeState({ createdAt: LONG_AGO, visitedAt: LONG_AGO }, LONG_AGO + 1, NOW)).toBe('running')
  })

  it('is idle from then on, until it is visited as it reconnects', () => {
    expect(nodeState({ createdAt: LONG_AGO }, LONG_AGO, NOW)).toBe('idle')
    expect(nodeState({ createdAt: 0, visitedAt: LONG_AGO, closed: false }, LONG_AGO, NOW)).toBe('idle')
  })

  it('is closed while its client has closed it, however lately it was used', () => {
    expect(nodeState({ createdAt: NOW, visitedAt: NOW, closed: true }, NOW, NOW)).toBe('closed')
  })
})
