import { ActionReturn } from '../action-return.ts'
import type { ApiCaller } from '../base-action.ts'

/** Toolyard server that runs the actions that come with Lagent. */
export interface ServerOptions {
  /** E.g. `http://localhost:8001`. */
  readonly url: string
  /** API key; none for a local server. */
  readonly key?: string
  /** The session whose files and sandbox calls have. Default: `lagent`. */
  readonly session?: string
}

/** Runs the APIs of an action on a server: `POST /lagent/execute`. What refuses the request is the call's error. */
export const serverCaller =
  (action: string, { url, key, session }: ServerOptions): ApiCaller =>
  async (api, args) => {
    const response = await fetch(new URL('lagent/execute', url.endsWith('/') ? url : `${url}/`).href, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key !== undefined && { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify({
        name: api === 'run' ? action : `${action}.${api}`,
        inputs: args,
        ...(session !== undefined && { session }),
      }),
    })
    const answer: unknown = await response.json()
    if (response.ok) return Object.assign(new ActionReturn(), answer)
    const { detail } = answer as { readonly detail?: unknown }
    throw new Error(`${url} answered ${response.status}: ${String(detail ?? 'no reason')}`)
  }
