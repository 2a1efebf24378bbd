/** A place to print to: `process.stdout` and `process.stderr` are such. */
export interface Sink {
  /** Whether a terminal shows it. */
  readonly isTTY?: boolean | undefined
  /** Columns of the terminal. */
  readonly columns?: number | undefined
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): unknown
}

/** Writes, and waits until the sink has taken it. @throws Error of the sink, such as EPIPE */
export const written = (sink: Sink, chunk: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    sink.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
