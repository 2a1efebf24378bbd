import type { HistoryCall } from './calls-api.ts'

/** The two logs that the published Tool Server keeps in each task, and that its web frontend polls. */
export type LogKind = 'process' | 'detail'

/** First line of the process log. */
export const createdLine = (task: string, createdAt: number) =>
  `${logTime(createdAt)} - Task ${task} created successfully\n`

/** Lines of one call; none for a call whose caller wanted no log entry. */
export function callLines(kind: LogKind, call: HistoryCall, task: string): string {
  if (isSilent(call)) return ''
  return (kind === 'process' ? [processLine(call)] : detailLines(call, task)).map((line) => `${line}\n`).join('')
}

function isSilent({ args }: HistoryCall): boolean {
  // Most calls have no such argument, and parsing takes longest.
  if (!args.includes('silent')) return false
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

function processLine(call: HistoryCall): string {
  const params = call.args === '{}' ? '' : ` | ${head(oneLine(call.args))}`
  const start = `${logTime(call.endedAt ?? call.startedAt)} -`
  switch (ending(call)) {
    case 'running':
      return `${start} [START] ${call.tool}${params}`
    case 'success':
      return `${start} [SUCCESS] ${call.tool} (${seconds(call)}s)${params} | ${headAndTail(oneLine(call.answer))}`
    case 'error':
      return `${start} [ERROR] ${call.tool} (${seconds(call)}s)${params} | Error: ${head(oneLine(call.answer))}`
  }
}

function detailLines(call: HistoryCall, task: string): string[] {
  const at = (level: string) => `${logTime(call.endedAt ?? call.startedAt)} - task_${task}_detail - ${level} -`
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
const head = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}...` : text)
const headAndTail = (text: string) => (text.length > 200 ? `${text.slice(0, 100)}...${text.slice(-100)}` : text)

// biome-ignore lint/suspicious/noControlCharactersInRegex: tools that read files by lines take these for line breaks
const BREAKS = /[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g
const ESCAPED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\v': '\\v', '\f': '\\f' }
const oneLine = (text: string) =>
  text.replace(BREAKS, (found) => ESCAPED[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
