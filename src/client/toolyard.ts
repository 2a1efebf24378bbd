import type { Operations, Schemas } from './generated/api.ts'
import type { Pages } from './pages.ts'
import type { Answer, GivenArguments, ListRoute, Route } from './routes.ts'
import { Sessions } from './sessions.ts'
import { type RequestOptions, type ToolyardOptions, Transport } from './transport.ts'

/** Client of a server: sessions with their files, calls and history; and any operation of `/v1` by its route. */
export class Toolyard {
  readonly sessions: Sessions
  readonly #transport: Transport

  /** @throws TypeError for a `baseUrl` that is no URL */
  constructor(options: ToolyardOptions) {
    this.#transport = new Transport(options)
    this.sessions = new Sessions(this.#transport)
  }

  /** Tools that calls can name. @param query `q` finds those that do what it says */
  tools(
    query: Omit<NonNullable<Operations['GET /v1/tools']['query']>, 'cursor' | 'format' | 'strict'> = {},
    options?: RequestOptions,
  ): Pages<Schemas['CallableToolPage']> {
    return this.#transport.pages('GET /v1/tools', { query }, options) as Pages<Schemas['CallableToolPage']>
  }

  /** Any operation of the API, by its method and path: `request('GET /v1/keys/current')`. @throws ApiError, ConnectionError */
  request<R extends Route>(route: R, ...[given, options]: GivenArguments<R, RequestOptions>): Promise<Answer<R>> {
    return this.#transport.json(route, given ?? NOTHING, options)
  }

  /** Any operation whose answer is no JSON, or is read as it comes. @throws as {@link request} */
  raw<R extends Route>(route: R, ...[given, options]: GivenArguments<R, RequestOptions>): Promise<Response> {
    return this.#transport.raw(route, given ?? NOTHING, options)
  }

  /** Any list of the API. */
  pages<R extends ListRoute>(route: R, ...[given, options]: GivenArguments<R, RequestOptions>) {
    return this.#transport.pages(route, given ?? NOTHING, options)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the parts of a request that needs none, which its type has checked
const NOTHING: any = {}
