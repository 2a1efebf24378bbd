import { z } from 'zod'
import type { ToolCall } from '../../../core/outcome.ts'
import { SANDBOX_ROOT, workspacePath } from '../../../core/workspace-path.ts'
import type { HistoryCall, SessionApi } from '../../../session/api.ts'

/** The two logs that the published server kept in each task, and that its web frontend polls through `file_read`. */
export type LogKind = 'process' | 'detail'

/** Requested log, one of two, and the requested lines of it. */
export interface LogRequest {
  readonly taskId: string
  readonly kind: LogKind
  readonly filePath: string
  readonly startLine: unknown
  readonly endLine: unknown
}

/** The log that a call reads; null for every other call. */
export function logRequestOf(taskId: string, { tool, args }: ToolCall): LogRequest | null {
  if (tool !== 'file_read' || !mayNameLog(args)) return null
  const input = FileRead.safeParse(args).data
  const path = input && normalised(input.file_path)
  if (!input || !path) return null
  const kind = KINDS.find((one) => path === normalised(logPath(taskId, one)))
  return kind ? { taskId, kind, filePath: input.file_path, startLine: input.start_line, endLine: input.end_line } : null
}

/** Whether a call may name a log at all, however the path is written: nearly no call does. */
const mayNameLog = (args: unknown) =>
  typeof args === 'object' && args !== null && 'file_path' in args && String(args.file_path).includes('.log')

const KINDS: readonly LogKind[] = ['process', 'detail']
const FileRead = z.object({
  file_path: z.string(),
  start_line: z.unknown().optional(),
  end_line: z.unknown().optional(),
})

/**
 * A log as `file_read` would answer it, written from the session's history at the moment of the request.
 * @returns null when a file of that name was really written, or when there is no such task
 */
export async function readLog(
  session: SessionApi,
  { taskId, kind, filePath, startLine, endLine }: LogRequest,
): Promise<Readonly<Record<string, unknown>> | null> {
  const path = logPath(taskId, kind)
  const stored = await session.download(path)
  if (!('failure' in stored)) {
    await stored.body.cancel()
    return null
  }
  if (stored.failure.code !== 'not_found') return null
  const [info, calls] = await Promise.all([session.info(), lastCalls(session)])
  if (info === null) return null
  const created = `${logTime(info.createdAt)} - Task ${taskId} created successfully`
  const lines = [...(kind === 'process' ? [created] : []), ...calls.flatMap((call) => LINES[kind](call, taskId))]
  const text = lines.map((line) => `${line}\n`)
  const { from, to } = lineRange(text.length, startLine, endLine)
  return {
    content: text.slice(from - 1, to).join(''),
    total_lines: text.length,
    line_range: `${from}-${to}`,
    file_path: filePath,
    container_path: `${SANDBOX_ROOT}/${path}`,
    detected_encoding: 'utf-8',
    file_size: new TextEncoder().encode(text.join('')).length,
  }
}

const logPath = (taskId: string, kind: LogKind) => `logs/${taskId}_${kind}.log`

function normalised(path: string): string | null {
  try {
    return workspacePath(path)
  } catch {
    return null // not a path of this workspace, so neither of the logs
  }
}

/** Calls that a log shows, the last ones: a frontend that polls reads all of them each time. */
const MAX_LOG_CALLS = 500

/** The last calls, oldest first, without those whose caller wanted no log entry. */
async function lastCalls(session: SessionApi): Promise<HistoryCall[]> {
  const page = await session.history({ limit: MAX_LOG_CALLS })
  return (page?.calls ?? []).filter((call) => !isSilent(call)).reverse()
}

function isSilent({ args }: HistoryCall): boolean {
  const params = parseArguments(args)
  return typeof params === 'object' && params !== null && 'silent' in params && params.silent === true
}

function parseArguments(args: string): unknown {
  try {
    return JSON.parse(args)
  } catch {
    return null // history keeps the start of long arguments only
  }
}

const LINES: Readonly<Record<LogKind, (call: HistoryCall, taskId: string) => string[]>> = {
  process: (call) => {
    const params = call.args === '{}' ? '' : ` | ${head(oneLine(call.args))}`
    const start = `${logTime(call.endedAt ?? call.startedAt)} -`
    switch (ending(call)) {
      case 'running':
        return [`${start} [START] ${call.tool}${params}`]
      case 'success':
        return [`${start} [SUCCESS] ${call.tool} (${seconds(call)}s)${params} | ${headAndTail(oneLine(call.answer))}`]
      case 'error':
        return [`${start} [ERROR] ${call.tool} (${seconds(call)}s)${params} | Error: ${head(oneLine(call.answer))}`]
    }
  },
  detail: (call, taskId) => {
    const at = (level: string) => `${logTime(call.endedAt ?? call.startedAt)} - task_${taskId}_detail - ${level} -`
    const parameters = `${at('DEBUG')} Parameters: ${oneLine(call.args)}`
    switch (ending(call)) {
      case 'running':
        return [`${at('INFO')} Tool ${call.tool} started`, parameters]
      case 'success':
        return [
          `${at('INFO')} Tool ${call.tool} executed successfully in ${seconds(call)}s`,
          parameters,
          `${at('DEBUG')} Result: ${oneLine(call.answer)}`,
        ]
      case 'error':
        return [`${at('ERROR')} Tool ${call.tool} failed after ${seconds(call)}s: ${oneLine(call.answer)}`, parameters]
    }
  },
}

function ending({ state }: HistoryCall): 'running' | 'success' | 'error' {
  switch (state) {
    case 'running':
    case 'pending':
      return 'running'
    case 'done':
      return 'success'
    case 'failed':
    case 'refused':
    case 'lost':
      return 'error'
  }
}

/** Time as in Python's logging: `2026-11-20 11:08:41,368`. */
const logTime = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ').replace('.', ',')
const seconds = ({ startedAt, endedAt }: HistoryCall) => (((endedAt ?? startedAt) - startedAt) / 1000).toFixed(3)
const oneLine = (text: string) => text.replaceAll('\r', '\\r').replaceAll('\n', '\\n')
const head = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}...` : text)
const headAndTail = (text: string) => (text.length > 200 ? `${text.slice(0, 100)}...${text.slice(-100)}` : text)

/** Lines as `file_read` counts them: 1-based, both ends included, clamped to what is there. */
function lineRange(total: number, start: unknown, end: unknown): { from: number; to: number } {
  if (total === 0) return { from: 1, to: 0 }
  const from = clamp(lineNumber(start) ?? 1, 1, total)
  return { from, to: clamp(lineNumber(end) ?? total, from, total) }
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

function lineNumber(given: unknown): number | null {
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  return typeof value === 'number' && Number.isInteger(value) ? value : null
}
