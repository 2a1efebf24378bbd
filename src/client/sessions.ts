import type { Operations, Schemas } from './generated/api.ts'
import type { Pages } from './pages.ts'
import { Session } from './session.ts'
import type { RequestOptions, Transport } from './transport.ts'

type Listed = Operations['GET /v1/sessions']
type NewSession = Schemas['NewSession']

/** A new session, and what becomes of it. */
export interface SessionToCreate extends NewSession {
  /** Whether the session stays when `await using` ends; one that was there already stays in any case. */
  readonly keep?: boolean
  /** `return`: one of this name that is there already is taken, as it is. */
  readonly if_exists?: 'return' | 'fail' | undefined
}

/** Sessions of the tenant. */
export class Sessions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Makes a session. `await using` deletes it at its end, unless `keep` is set. @throws ConflictError for a name that is taken */
  async create(
    { keep = false, if_exists, ...session }: SessionToCreate = {},
    options?: RequestOptions,
  ): Promise<Session> {
    const given = { query: { if_exists }, body: session }
    const { response, body } = await this.#transport.send('POST /v1/sessions', given, options, 'text')
    const { name } = JSON.parse(body) as Schemas['Session']
    return new Session(this.#transport, name, keep || response.status === 200)
  }

  /** A session by its name, of which nobody is asked: a request about one that is not there says so. */
  open(name: string): Session {
    return new Session(this.#transport, name)
  }

  /** Sessions, newest first. */
  list(query: Listed['query'] = {}, options?: RequestOptions): Pages<Listed['answer']> {
    return this.#transport.pages('GET /v1/sessions', { query }, options)
  }
}
