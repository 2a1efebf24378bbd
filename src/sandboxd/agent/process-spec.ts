/** Size of a terminal, in characters. */
export interface TerminalSize {
  readonly cols: number
  readonly rows: number
}

/** Command as a client requested it. */
export interface ProcessSpec {
  readonly cmd: string
  readonly args: readonly string[]
  readonly envs: ReadonlyMap<string, string>
  readonly cwd: string | null
  readonly tag: string | null
  readonly stdin: boolean
  readonly terminal: TerminalSize | null
}
