/** A Worker as it is deployed: its command, and the most that it may be. */
export interface Budget {
  /** Command that the pages print. */
  readonly command: string
  /** Size of the upload, gzipped, in KiB: some tenth more than it has. A table, a parser or a builder that came along would show. */
  readonly gzippedKib: number
  /** Bindings and variables: one more costs something, or lets somebody in. */
  readonly bindings: readonly string[]
  /**
   * Processor time of a process that starts it and answers one request, in times of that of a bare Worker with {@link PLAIN_FUNCTIONS}:
   * half more than it takes, so that a start that does twice as much shows.
   */
  readonly start: number
}

/**
 * Functions of the Worker that starts are compared with, each made and called once: a Worker without any takes a twentieth of the server's
 * start, and the clock of processes has steps of ten milliseconds.
 */
export const PLAIN_FUNCTIONS = 10_000

export const SERVER: Budget = {
  command: 'npx wrangler deploy --env production',
  gzippedKib: 1_560,
  bindings: [
    ...['SESSIONS', 'TENANTS', 'LEASES', 'CONNECTIONS', 'READER', 'BLOBS', 'DB', 'PAPERS', 'ASSETS'],
    ...['ENVIRONMENT', 'SANDBOX_TEMPLATE', 'E2B_PLAN', 'DELETED_CONTENTS_DAYS'],
  ],
  start: 2.5,
}

/** What parses files of strangers has nothing of the server's. */
export const READER: Budget = {
  command: 'npx wrangler deploy --config wrangler.reader.toml',
  gzippedKib: 1_757,
  bindings: [],
  start: 1.1,
}
