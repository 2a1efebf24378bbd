import { LinkSigner } from '../../../../../src/auth/link-signer.ts'
import type { Scope } from '../../../../../src/auth/principal.ts'
import type { Actor } from '../../../../../src/core/actor.ts'
import type { SentCall } from '../../../../../src/core/packed-call.ts'
import type { LinkParts } from '../../../../../src/http/dialects/v1/files/link-parts.ts'
import type { SessionApi } from '../../../../../src/session/api.ts'
import type { Caller } from '../../../../../src/tenant/api.ts'
import type { FilesNote } from '../../../../../src/tenant/audit-api.ts'
import { catalog } from '../../../../../src/tools/catalog.ts'
import { NO_TOOLS } from '../../../../support/no-tools.ts'
import { V1_ANSWERS } from '../../../../support/openapi/answers.ts'
import type { Sandboxd } from '../../../../support/sandboxd.ts'
import { sessionBench } from '../../../../support/session-bench.ts'
import { openV1 } from '../open.ts'

/** The files of a session `s` over the v1 dialect, without a sandbox. */
export function openFiles() {
  const bench = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd)
  const { session } = bench
  const noted: (FilesNote & { readonly by: Actor })[] = []
  const services = {
    now: () => Date.now(),
    tools: catalog.list(),
    toolkits: catalog.toolkits(),
    tenant: {
      ...NO_TOOLS,
      audit: { ...NO_TOOLS.audit, noteFiles: async (note: FilesNote, by: Actor) => void noted.push({ ...note, by }) },
    },
    session: () => ({
      files: session.files,
      history: session.fileHistory,
      snapshots: session.snapshots,
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
  /** Sends a request, and checks that the document allows its answer. */
  const fetched = async (path: string, init: RequestInit, scope: ReturnType<typeof inTenant> | typeof NOBODY) => {
    const response = await app.fetch(new Request(`http://localhost${path}`, init), scope)
    await V1_ANSWERS.check(String(init.method), path, response)
    return response
  }
  /** Sends a request that has no key. */
  const open = (
    method: string,
    url: string,
    { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
  ) => fetched(url, { method, headers, ...(body !== undefined && { body }) }, NOBODY)
  /** Sends a request to `/v1/sessions/s` + path. @param keyExpiresAt of a child key */
  const send = (
    method: string,
    path: string,
    { body, headers = {}, scopes = ['execute'], keyExpiresAt }: Sent = {},
  ): Promise<Response> => {
    const raw = body instanceof Uint8Array || typeof body === 'string' || body === undefined
    const sent = raw ? body : JSON.stringify(body)
    const scope = inTenant('acme', scopes)
    const { principal } = scope.caller
    const restrictions =
      keyExpiresAt === undefined ? {} : { restrictions: { ...UNRESTRICTED, expiresAt: keyExpiresAt } }
    const init = { method, headers, ...(sent !== undefined && { body: sent as BodyInit }) }
    return fetched(`/v1/sessions/s${path}`, init, {
      ...scope,
      caller: { ...scope.caller, principal: { ...principal, ...restrictions } },
    })
  }
  const json = async (...request: Parameters<typeof send>) => {
    const answer = await send(...request)
    const body = answer.status === 204 ? {} : await answer.json()
    return { status: answer.status, body: body as Record<string, unknown> }
  }
  const put = async (path: string, content: string) =>
    (await send('PUT', `/files/${path}`, { body: content })).headers.get('ETag') ?? ''
  return { ...bench, send, json, put, open, state, noted }
}

interface Sent {
  readonly body?: BodyInit | object
  readonly headers?: Record<string, string>
  readonly scopes?: Scope[]
  readonly keyExpiresAt?: number
}

const NOBODY = {
  requestId: 'r',
  caller: { failure: { code: 'unauthenticated', message: 'this request has no API key' } },
} as const

const UNRESTRICTED = { sessions: [], tools: null, isMetered: false, links: [] }
