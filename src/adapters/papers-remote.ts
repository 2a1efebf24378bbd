import * as z from 'zod'
import { type FailureCode, FailureError, fail } from '../core/failure.ts'
import { MAX_PAPER_ANSWER_BYTES, PAPER_SERVICE_HEALTH_MS, PAPER_SERVICE_MS } from '../core/limits/papers.ts'
import { redact } from '../core/redact.ts'
import { optionalBaseUrl } from '../core/settings.ts'
import type { Http } from '../ports/http.ts'
import type { Papers, PapersAnswer } from '../ports/papers.ts'
import { provider } from './provider.ts'

interface PapersRemoteOptions {
  readonly http: Http
  /** Base URL without a slash at its end. It may hold a key (`/k/<key>`), so no error quotes it. */
  readonly baseUrl: string
}

/**
 * Task of all calls. The protocol needs a task; answers do not depend on it, session names stay within this server, and one
 * task per session would fill the other server with empty tasks.
 */
const TASK = 'toolyard_papers'
const WHO = 'the paper service (RAG_SERVICE_URL)'
const MAX_ERROR_CHARS = 300

const Envelope = z.object({
  success: z.boolean(),
  data: z.record(z.string(), z.unknown()).nullish(),
  error: z.string().nullish(),
})
const ToolNames = z.object({ data: z.array(z.string()) })

/**
 * {@link Papers} of another server, by the protocol that the Tool Server speaks with services behind it: `GET /health`,
 * `GET /api/tools`, `POST /api/tool/execute`. Another Toolyard is such a service. `data` is passed on as it comes.
 */
export const papersRemote = provider({
  name: 'remote',
  port: 'papers',
  about: "another service of papers in the place of the server's own library",
  settings: { RAG_SERVICE_URL: optionalBaseUrl },
  needs: ['RAG_SERVICE_URL'],
  make: ({ RAG_SERVICE_URL }, { http }) => remotePapers({ baseUrl: RAG_SERVICE_URL, http: http(RAG_SERVICE_URL) }),
})

function remotePapers({ http, baseUrl }: PapersRemoteOptions): Papers {
  /**
   * Sends a request.
   * @returns the answer; `json` is undefined when it is no JSON
   */
  async function exchange(path: string, body: object | null, ms: number, signal: AbortSignal) {
    const request = {
      url: `${baseUrl}${path}`,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
      timeoutMs: ms,
      maxBytes: MAX_PAPER_ANSWER_BYTES,
      // A redirect could carry the key of the address elsewhere.
      maxRedirects: 0,
    }
    try {
      const { status, body: answer } = await http.fetch(request, signal)
      return { status, json: parseBody(answer) }
    } catch (thrown) {
      signal.throwIfAborted()
      return unreachable(thrown, ms)
    }
  }

  async function execute(tool: string, params: object, signal: AbortSignal): Promise<PapersAnswer> {
    const call = { task_id: TASK, tool_name: tool, params }
    const ask = () => exchange('/api/tool/execute', call, PAPER_SERVICE_MS, signal)
    let answer = await ask()
    if (errorOf(answer.json)?.startsWith(`Task ${TASK} not found`)) {
      const query = new URLSearchParams({ task_id: TASK, task_name: 'Paper searches' })
      await exchange(`/api/task/create?${query}`, {}, PAPER_SERVICE_HEALTH_MS, signal)
      answer = await ask()
    }
    const { status, json } = answer
    if (status === 404) fail('upstream', `${WHO} has no ${tool}; it may be another kind of service`)
    if (status !== 200) fail('upstream', `${WHO} answered with status ${status}; try again later`)
    const envelope = Envelope.safeParse(json)
    if (!envelope.success) fail('upstream', `${WHO} gave an answer that is not understood; try again later`)
    const { success, data, error } = envelope.data
    if (success) return data ?? {}
    if (error?.startsWith(`Tool ${tool} not found`)) fail('upstream', `${WHO} has no ${tool}`)
    return fail(codeOf(error ?? ''), errorText(error, baseUrl))
  }

  /** Whether the service runs and which of our tools it has; its own health check where it has one. */
  async function health(signal: AbortSignal): Promise<PapersAnswer> {
    const { status } = await exchange('/health', null, PAPER_SERVICE_HEALTH_MS, signal)
    if (status !== 200) fail('upstream', `${WHO} answered with status ${status}; try again later`)
    const { json } = await exchange('/api/tools', null, PAPER_SERVICE_HEALTH_MS, signal)
    const names = ToolNames.safeParse(json)
    const known = names.success ? names.data.data : []
    if (known.includes('rag_health_check')) return execute('rag_health_check', {}, signal)
    const missing = TOOLS.filter((tool) => !known.includes(tool))
    return { status: missing.length > 0 ? 'degraded' : 'healthy', ...(missing.length > 0 && { missing }) }
  }

  return {
    searchAbstracts: ({ query, k, m, year }, signal) =>
      year === undefined
        ? execute('rag_search_abstracts', { query, k, m }, signal)
        : execute('rag_search_abstracts_filtered', { query, k, m, publish_year_filter: year }, signal),
    searchDetails: ({ query, fileId, k, m }, signal) =>
      execute('rag_search_details', { query, file_id: fileId, k, m }, signal),
    paper: (fileId, signal) => execute('rag_get_paper_content', { file_id: fileId }, signal),
    chunks: (fileId, signal) => execute('rag_get_paper_chunks', { file_id: fileId }, signal),
    passages: (fileId, docIds, signal) =>
      execute('rag_get_specific_content', { file_id: fileId, ...(docIds && { doc_ids: docIds }) }, signal),
    stats: (signal) => execute('rag_get_stats', {}, signal),
    health: async (signal) => {
      try {
        return await health(signal)
      } catch (thrown) {
        if (!(thrown instanceof FailureError)) throw thrown
        return { status: 'unhealthy', reason: thrown.failure.message }
      }
    },
    info: (signal) => execute('rag_service_info', {}, signal),
    cacheStats: (signal) => execute('rag_cache_stats', {}, signal),
    cacheClear: (signal) => execute('rag_cache_clear', {}, signal),
  }
}

const TOOLS = [
  'rag_get_stats',
  'rag_search_abstracts',
  'rag_search_abstracts_filtered',
  'rag_search_details',
  'rag_get_paper_content',
  'rag_get_paper_chunks',
  'rag_get_specific_content',
  'rag_cache_stats',
  'rag_cache_clear',
  'rag_service_info',
]

/** Error for a failed request, in words that name neither the address nor the request. */
function unreachable(thrown: unknown, ms: number): never {
  const code = thrown instanceof FailureError ? thrown.failure.code : 'internal'
  const options = { cause: thrown }
  if (code === 'timeout') fail('timeout', `${WHO} did not answer within ${ms / 1000} seconds; try again`, options)
  if (code === 'limit_exceeded') {
    const most = `${MAX_PAPER_ANSWER_BYTES} bytes (MAX_PAPER_ANSWER_BYTES)`
    fail('limit_exceeded', `the answer of ${WHO} is larger than ${most}; ask for less at once`, options)
  }
  if (code === 'forbidden' || code === 'invalid_input') {
    fail('upstream', `${WHO} has an address that may not be asked; it cannot be used now`, options)
  }
  return fail('upstream', `${WHO} cannot be reached; try again later`, options)
}

const errorOf = (json: unknown): string | null | undefined => Envelope.safeParse(json).data?.error

function codeOf(error: string): FailureCode {
  if (/ not found\b/i.test(error)) return 'not_found'
  return /\b(?:is required|missing required|must be)\b/i.test(error) ? 'invalid_input' : 'upstream'
}

/** First line of the service's own error, without the address that it may repeat. */
function errorText(error: string | null | undefined, baseUrl: string): string {
  const line = redact((error ?? '').split('\n', 1)[0] ?? '').trim()
  const { host, pathname } = new URL(baseUrl)
  const secrets = [baseUrl, host, ...pathname.split('/').filter((name) => name.length > 3)]
  const shown = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), line)
  if (shown === '') return `${WHO} could not do it and does not say why`
  return shown.length <= MAX_ERROR_CHARS ? shown : `${shown.slice(0, MAX_ERROR_CHARS).toWellFormed()} …`
}

/**
 * JSON of a body.
 * @returns undefined for other text: pages of proxies and of errors
 */
function parseBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
