import { Resolver } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { errnoOf } from '../json.ts'
import { EGRESS_CONNECT_MS, MAX_EGRESS_CONNECTIONS, RESOLVE_TIMEOUT_MS } from '../limits.ts'
import type { Destinations } from './destinations.ts'
import { listsHost } from './host-list.ts'
import { notListed, Refusal } from './refusal.ts'
import type { Target } from './target.ts'

/** Rules and name service for the connections of one sandbox. */
export interface EgressRules {
  readonly hosts: readonly string[]
  readonly destinations: Destinations
  /** IPv4 addresses of a name. */
  readonly resolve: (host: string) => Promise<readonly string[]>
}

/** Connections of one sandbox to listed hosts. */
export class EgressConnections {
  readonly #rules: EgressRules
  readonly #open = new Set<Socket>()
  /** Connections, with those that are being made. */
  #count = 0

  constructor(rules: EgressRules) {
    this.#rules = rules
  }

  /**
   * Connects to a host, at the address that was checked: a name that has another address a moment later gains nothing.
   * @throws Refusal
   */
  async open({ host, port }: Target): Promise<Socket> {
    const { hosts, destinations } = this.#rules
    if (!listsHost(hosts, host)) throw notListed(host, hosts)
    if (!destinations.mayUse(port))
      throw new Refusal(403, `${host}:${port} is not allowed: only the ports 80 and 443 are`)
    if (this.#count >= MAX_EGRESS_CONNECTIONS)
      throw new Refusal(503, `${MAX_EGRESS_CONNECTIONS} connections are open, which is the most; close some`)
    this.#count++
    try {
      const socket = await connected(await this.#address({ host, port }), port, host)
      this.#open.add(socket)
      socket.once('close', () => {
        this.#open.delete(socket)
        this.#count--
      })
      return socket
    } catch (error) {
      this.#count--
      throw error
    }
  }

  close(): void {
    for (const socket of this.#open) socket.destroy()
  }

  async #address({ host, port }: Target): Promise<string> {
    const { destinations, resolve } = this.#rules
    const own = destinations.ownAddress(host, port)
    if (own !== null) return own
    const addresses = await resolve(host).catch((error: unknown) => {
      throw new Refusal(502, `${host} could not be resolved (${errnoOf(error) ?? 'no answer'})`)
    })
    const reached = addresses.find((address) => destinations.mayReach(address, port))
    if (reached === undefined)
      throw new Refusal(403, `${host} has no public address that may be reached on port ${port}`)
    return reached
  }
}

/** Name service of the machine. Not the system's `getaddrinfo`: it takes threads that the daemon reads files with. */
export function machineResolver(): EgressRules['resolve'] {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: 2 })
  return (host) => resolver.resolve4(host)
}

function connected(address: string, port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, allowHalfOpen: true })
    const fails = (why: string) => {
      socket.destroy()
      reject(new Refusal(502, `${host}:${port} could not be connected to (${why})`))
    }
    const refused = (error: Error) => fails(errnoOf(error) ?? 'an error')
    socket.once('error', refused)
    socket.setTimeout(EGRESS_CONNECT_MS, () => fails('no answer'))
    socket.once('connect', () => {
      socket.off('error', refused)
      // Until the connection is used.
      socket.on('error', () => socket.destroy())
      socket.removeAllListeners('timeout').setTimeout(0)
      resolve(socket)
    })
  })
}
