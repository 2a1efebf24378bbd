/** Log entry of a request that went wrong. No query, key or body, and of the path only what names a route. */
interface LogEntry {
  readonly message: string
  readonly requestId?: string
  readonly method?: string
  readonly route?: string
  readonly dialect?: string
  readonly status?: number
  readonly error?: string
}
export type Log = (entry: LogEntry) => void

/** Writes an entry as one line of JSON: Workers Logs makes fields of it. */
export const logError: Log = (entry) => {
  // biome-ignore lint/suspicious/noConsole: the one place that writes to the log
  console.error(JSON.stringify({ level: 'error', ...entry }))
}
