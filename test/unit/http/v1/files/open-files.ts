import { LinkSigner } from '../../../../../src/auth/link-signer.ts'
import type { Scope } from '../../../../../src/auth/principal.ts'
import type { SentCall } from '../../../../../src/core/packed-call.ts'
import type { LinkParts } from '../../../../../src/http/dialects/v1/files/link-parts.ts'
import type { SessionApi } from '../../../../../src/session/api.ts'
import type { Caller } from '../../../../../src/tenant/api.ts'
import { catalog } from '../../../../../src/tools/catalog.ts'
import type { Sandboxd } from '../../../../support/sandboxd.ts'
import { sessionBench } from '../../../../support/session-bench.ts'
import { openV1 } from '../open.ts'

/** The files of a session `s` over the v1 dialect, without a sandbox. */
export function openFiles() {
  const bench = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd)
  const { session } = bench
  const services = {
    tools: catalog.list(),
    toolkits: catalog.toolkits(),
    session: () => ({
      files: session.files,
      links: session.links,
      call: (call: SentCall, by?: Caller) => session.call(call, by),
    }),
  }
  const state = { isKeyAlive: true, released: 0 }
  const links: LinkParts = {
    linkSigner: new LinkSigner('key of the server'),
    linked: async ({ tenant, session: name }) =>
      state.isKeyAlive && tenant === 'acme' && name === 's'
        ? { session: services.session() as unknown as SessionApi, release: () => void state.released++ } // no more is asked for
        : null,
  }
  const { app, inTenant } = openV1(services as never, links) // no more of them is asked for
  /** Sends a request that has no key. */
  const open = (
    method: string,
    url: string,
    { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
  ) =>
    Promise.resolve(
      app.fetch(new Request(`http://localhost${url}`, { method, headers, ...(body !== undefined && { body }) }), {
        requestId: 'r',
        caller: { failure: { code: 'unauthenticated', message: 'this request has no API key' } },
      }),
    )
  /** Sends a request to `/v1/sessions/s` + path. */
  const send = (
    method: string,
    path: string,
    {
      body,
      headers = {},
      scopes = ['execute'],
    }: { body?: BodyInit | object; headers?: Record<string, string>; scopes?: Scope[] } = {},
  ): Promise<Response> => {
    const raw = body instanceof Uint8Array || typeof body === 'string' || body === undefined
    const sent = raw ? body : JSON.stringify(body)
    return Promise.resolve(
      app.fetch(
        new Request(`http://localhost/v1/sessions/s${path}`, {
          method,
          headers,
          ...(sent !== undefined && { body: sent as BodyInit }),
        }),
        inTenant('acme', scopes),
      ),
    )
  }
  const json = async (...request: Parameters<typeof send>) => {
    const answer = await send(...request)
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const put = async (path: string, content: string) =>
    (await send('PUT', `/files/${path}`, { body: content })).headers.get('ETag') ?? ''
  return { ...bench, send, json, put, open, state }
}
