import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { socketDirectory } from '../agent-socket.ts'
import type { NetworkException } from '../config.ts'
import { machineResolver } from '../egress/connections.ts'
import { destinations } from '../egress/destinations.ts'
import { egressProxy } from '../egress/egress-proxy.ts'
import type { HostUser } from './host-user.ts'
import { hostAddresses } from './network.ts'

/** The way out of one sandbox with a list of hosts. */
export interface EgressSocket {
  /** Path on the host of the socket that the proxy listens on, which is mounted into the sandbox. */
  readonly path: string
  close(): void
}

/**
 * Starts a proxy for one sandbox, on a socket in a directory of its own.
 * @param user the host user of the sandbox, who alone may connect
 */
export async function openEgress(dir: string, { hosts, exceptions, user }: EgressOptions): Promise<EgressSocket> {
  const own = join(dir, 'egress')
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  chmodSync(own, user === null ? 0o700 : 0o711)
  const directory = socketDirectory(own)
  const proxy = egressProxy({
    hosts,
    destinations: destinations(exceptions, hostAddresses()),
    resolve: machineResolver(),
  })
  let isOpen = true
  const close = () => {
    // Once: the descriptor's number may be another's by now.
    if (!isOpen) return
    isOpen = false
    proxy.close()
    directory.close()
  }
  try {
    proxy.server.listen(join(directory.base, 'proxy'))
    await once(proxy.server, 'listening')
    const path = join(own, 'proxy')
    chmodSync(path, 0o600)
    if (user !== null) chownSync(path, user.uid, user.gid)
    return { path, close }
  } catch (error) {
    close()
    throw error
  }
}

interface EgressOptions {
  readonly hosts: readonly string[]
  readonly exceptions: readonly NetworkException[]
  readonly user: HostUser | null
}
