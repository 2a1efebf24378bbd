import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type ListenOptions, type Server } from 'node:net'

const LOWEST = 10_000
/** A name in the kernel's abstract socket space for each port that a test of this machine has; free when its process ends. */
const taken: Server[] = []

/**
 * Free TCP port of 127.0.0.1, which nobody else gets until this process ends: no other test, and no connection either,
 * since the kernel takes those ports from a range of its own.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (firstOfTheKernel() - LOWEST))
    const claim = await listening({ path: `\0toolyard-test-port-${port}` })
    const server = claim && (await listening({ port, host: '127.0.0.1' }))
    if (!server) {
      claim?.close()
      continue
    }
    taken.push(claim.unref())
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Listener on a port. @returns null when another process has the port */
function listening(where: ListenOptions): Promise<Server | null> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(null))
    server.listen(where, () => resolve(server))
  })
}

const firstOfTheKernel = () => Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10)
