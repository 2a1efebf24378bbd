import { Violation } from '../model/violation.ts'
import type { Sent } from './send.ts'

/** An API by which a client calls tools. */
export type Api = 'toolserver' | 'v1' | 'xagent'

/** An answer's meaning, whichever API gave it. */
export type Reply =
  | { readonly kind: 'done'; readonly data: unknown }
  /** @property isRefusal whether the tool refused, and changed nothing */
  | { readonly kind: 'failed'; readonly message: string; readonly isRefusal: boolean }
  /** XAgent's 450: what to call next. */
  | { readonly kind: 'retry'; readonly tool: string; readonly args: object }
  /** No answer. */
  | { readonly kind: 'unsent' | 'cut' }

type Json = Readonly<Record<string, unknown>>

/** Reads an answer. @throws Violation when it has not the shape that clients of this API understand */
export function replyOf(api: Api, sent: Sent): Reply {
  if (sent.kind !== 'answered') return sent
  const body = parsed(sent.body)
  const reply = body === undefined ? null : READERS[api](sent.status, body)
  if (reply) return reply
  const start = sent.body.subarray(0, 300).toString()
  throw new Violation('unintelligible', `${api} answers ${sent.status} with ${JSON.stringify(start)}`)
}

const READERS: Readonly<Record<Api, (status: number, body: unknown) => Reply | null>> = {
  toolserver(status, body) {
    const answer = objectOf(body)
    const isEnvelope = answer && ENVELOPE.every((key) => key in answer)
    if (isEnvelope && status === 200 && answer.success) return done(answer.data)
    // 503 with `Retry-After` may have all fields of a tool's answer.
    if (isEnvelope && (status === 200 || status === 503) && !answer.success) return failed(answer.error)
    return answer && status !== 200 && 'detail' in answer ? failed(answer.detail) : null
  },
  v1(status, body) {
    const answer = objectOf(body)
    if (!answer) return null
    if (status === 200 && answer.state === 'done') return done(answer.data)
    if (status === 200 && answer.state === 'failed') return failed(objectOf(answer.error)?.message)
    return PROBLEM.every((key) => key in answer) && answer.status === status ? failed(answer.detail) : null
  },
  xagent(status, body) {
    if (status === 200) return done(objectOf(body)?.type === 'simple' ? objectOf(body)?.data : body)
    const detail = objectOf(body)?.detail
    if (detail === undefined) return null
    const next = objectOf(detail)
    if (status === 450 && next) return { kind: 'retry', tool: `${next.next_calling}`, args: next.arguments as object } // as published
    return next && 'ReturnCode' in next ? done(next) : failed(detail)
  },
}

const ENVELOPE = ['success', 'data', 'error', 'timestamp', 'execution_time', 'task_id', 'tool_name']
const PROBLEM = ['type', 'title', 'status', 'detail', 'code', 'retryable', 'hint', 'request_id']

/** A command that ended with another code than 0 has failed. */
function done(data: unknown): Reply {
  const { exit_code, ReturnCode, stderr, display } = objectOf(data) ?? {}
  const code = exit_code ?? ReturnCode ?? 0
  return code === 0 ? { kind: 'done', data } : failed(`exit code ${code}: ${stderr ?? display}`)
}

function failed(detail: unknown): Reply {
  const message = typeof detail === 'string' ? detail : JSON.stringify(detail)
  if (GONE.test(message)) throw new Violation('lost', `a session or tool that is there is answered with: ${message}`)
  return { kind: 'failed', message, isRefusal: REFUSAL.test(message) }
}

const GONE = /^(Task \S+ not found|there is no session|there is no tool|invalid node_id)/
/** Messages of tools that looked, and could not do it. */
const REFUSAL = new RegExp(
  [
    ...[
      '^(\\w+Error: )?(File|Source|Directory) not found',
      'No such file or directory',
      'already exists',
      'is locked by',
    ],
    ...['已?被锁定', '^Invalid (start|end) line', 'into itself', 'Is a directory', 'Not a directory', 'File exists'],
    ...['are the same file', 'extension mismatch'],
  ].join('|'),
)

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

const objectOf = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null // whatever its keys
