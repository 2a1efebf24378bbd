/** In characters. */
export interface TerminalSize {
  readonly cols: number
  readonly rows: number
}

/** A command as a client asked for it. */
export interface ProcessSpec {
  readonly cmd: string
  readonly args: readonly string[]
  readonly envs: ReadonlyMap<string, string>
  readonly cwd: string | null
  readonly tag: string | null
  readonly stdin: boolean
  readonly terminal: TerminalSize | null
}
