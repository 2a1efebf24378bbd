import type { Socket } from 'node:net'

/**
 * Joins two connections into one: bytes pass both ways, and a slow reader holds the other side back. Each side may end its
 * direction first; both are closed when one is, or when neither sends for `idleMs`.
 */
export function joinSockets(a: Socket, b: Socket, idleMs: number): void {
  joinOneWay(a, b, idleMs)
  joinOneWay(b, a, idleMs)
}

function joinOneWay(from: Socket, to: Socket, idleMs: number): void {
  from.setTimeout(idleMs, () => from.destroy())
  from.on('error', () => from.destroy())
  // What has come is still written.
  from.once('close', () => to.destroySoon())
  from.pipe(to)
}
