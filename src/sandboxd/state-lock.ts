import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { errnoOf } from './json.ts'

/**
 * Makes sure that one daemon at a time uses a state directory. The lock is a name in the kernel's abstract socket space,
 * which is free again the moment its holder ends, however it ends. Elsewhere than on Linux there is no lock.
 * @param name from `stateName`
 * @returns a function that gives it up; `null` when another daemon holds it
 */
export async function lockState(name: string): Promise<(() => void) | null> {
  if (process.platform !== 'linux') return () => {}
  const server = createServer((socket) => socket.destroy())
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(`\0toolyard-sandboxd-${name}`, resolve)
    })
  } catch (error) {
    if (errnoOf(error) === 'EADDRINUSE') return null
    throw error
  }
  return () => void server.close()
}

/** A short name for a state directory: what an earlier daemon left in the kernel is found again by it. */
export function stateName(stateDir: string): string {
  return createHash('sha256').update(stateDir).digest('hex').slice(0, 16)
}
