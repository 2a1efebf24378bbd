import type { Scope } from '../../../../../src/auth/principal.ts'
import type { SentCall } from '../../../../../src/core/packed-call.ts'
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
      call: (call: SentCall, by?: Caller) => session.call(call, by),
    }),
  }
  const { app, inTenant } = openV1(services as never) // no more of them is asked for
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
  return { ...bench, send, json, put }
}
