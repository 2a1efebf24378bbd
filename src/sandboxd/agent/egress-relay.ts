import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { joinSockets } from './joined-sockets.ts'
import { EGRESS_IDLE_MS, MAX_RELAYED } from './limits.ts'

/** The one way out of a sandbox with a list of hosts. */
export interface Egress {
  /** Path inside the sandbox of the socket that the daemon's proxy listens on. */
  readonly socketPath: string
  /** Port of the sandbox's loopback for programs, which know proxies by a port. */
  readonly port: number
}

/**
 * Relays connections to the daemon's proxy. It checks nothing: code of the sandbox may use the socket as it likes, so all
 * checks are in the daemon.
 */
export async function relayEgress({ socketPath, port }: Egress): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    joinSockets(client, connect({ path: socketPath, allowHalfOpen: true }), EGRESS_IDLE_MS)
  })
  server.maxConnections = MAX_RELAYED
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}
