import type { Schemas } from './generated/api.ts'
import type { Pages } from './pages.ts'
import type { RequestOptions, Transport } from './transport.ts'

/** Snapshots of a session: names for moments of its files, which do not expire. */
export class Snapshots {
  readonly #transport: Transport
  readonly #session: string

  constructor(transport: Transport, session: string) {
    this.#transport = transport
    this.#session = session
  }

  /** Names the files as they are now, or a commit. */
  create(snapshot: string, body: Schemas['NewSnapshot'] = {}, options?: RequestOptions): Promise<Schemas['Snapshot']> {
    const given = { path: { session: this.#session, snapshot }, body }
    return this.#transport.json('PUT /v1/sessions/{session}/snapshots/{snapshot}', given, options)
  }

  get(snapshot: string, options?: RequestOptions): Promise<Schemas['Snapshot']> {
    const path = { session: this.#session, snapshot }
    return this.#transport.json('GET /v1/sessions/{session}/snapshots/{snapshot}', { path }, options)
  }

  list(options?: RequestOptions): Pages<Schemas['SnapshotPage']> {
    const path = { session: this.#session }
    return this.#transport.pages('GET /v1/sessions/{session}/snapshots', { path }, options)
  }

  /** Takes the name away. */
  async delete(snapshot: string, options?: RequestOptions): Promise<void> {
    const path = { session: this.#session, snapshot }
    await this.#transport.json('DELETE /v1/sessions/{session}/snapshots/{snapshot}', { path }, options)
  }
}
