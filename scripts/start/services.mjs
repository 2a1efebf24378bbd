import { openListeners } from './listeners.mjs'
import { ownSecret } from './machine.mjs'
import { newReaderToken, readerService } from './reader.mjs'
import { sandboxHostPort, sandboxHostService } from './sandbox-host.mjs'
import { Service } from './service.ts'
import { allowedHosts, openTenant, port } from './settings.mjs'
import { workerService } from './worker.mjs'

/** The servers of `npm start`: sandbox host, reader of documents, Worker. Each is started again when it ends or hangs. */
export class Services {
  #children
  #onFailure
  #byName = new Map()

  /**
   * @param children runner of the services
   * @param onFailure called with an error when one of them cannot be started again
   */
  constructor(children, onFailure) {
    this.#children = children
    this.#onFailure = onFailure
  }

  /** Starts all. @returns how sandboxes are isolated @throws Error when one does not serve */
  async start(adminToken) {
    const children = this.#children
    const [apiSocket, hostSocket, readerSocket] = await openListeners([port, await sandboxHostPort(), 0])
    const beside = await this.#startBeside(hostSocket, readerSocket, newReaderToken())
    const bindings = {
      ADMIN_TOKEN: adminToken,
      SECRETS_KEY: ownSecret('secrets-key'),
      OPEN_TENANT: openTenant,
      // Empty is as not set, and the bundle stays the same.
      PIP_INDEX_URL: process.env.PIP_INDEX_URL ?? '',
      ...(allowedHosts && { DANGEROUSLY_ALLOW_HOSTS: allowedHosts }),
      ...beside.bindings,
    }
    await this.#lookAfter(await workerService(children, apiSocket, bindings))
    return beside.isolation
  }

  /**
   * Starts all but the Worker, which somebody else runs.
   * @param ports of the sandbox host and of the reader
   * @returns how sandboxes are isolated, and the variables by which a Worker reaches them
   * @throws Error when one does not serve
   */
  async startBeside(ports, readerToken) {
    const [hostSocket, readerSocket] = await openListeners(ports)
    return this.#startBeside(hostSocket, readerSocket, readerToken)
  }

  async #startBeside(hostSocket, readerSocket, readerToken) {
    const sandboxHost = sandboxHostService(this.#children, hostSocket)
    const reader = readerService(this.#children, readerSocket, readerToken)
    const [{ isolation }] = await Promise.all([this.#lookAfter(sandboxHost), this.#lookAfter(reader)])
    return { isolation, bindings: { ...(await sandboxHost.bindings(isolation)), ...reader.bindings } }
  }

  /** Takes note that a child has ended by itself. @returns whether it is one of the servers, and is started again */
  ended(name, cause) {
    return this.#byName.get(name)?.ended(cause) ?? false
  }

  /** Leaves them to their ends: from now on none is started again. */
  stop() {
    for (const service of this.#byName.values()) service.stop()
  }

  #lookAfter(spec) {
    const surroundings = { children: this.#children, onFailure: this.#onFailure, log: console.error }
    const service = new Service(spec, surroundings)
    this.#byName.set(spec.name, service)
    return service.start()
  }
}
