import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A program in a terminal, at which somebody types. */
export interface TypedProgram {
  /** Waits for output behind that of the last wait. @throws Error with the output where the program ends without it */
  shows(pattern: RegExp): Promise<string>
  /** Types keys: `\r` is Enter, `\t` Tab, `\x03` Ctrl-C. */
  type(keys: string): void
  /** All that the terminal showed so far. */
  shown(): string
  /** Waits for the end of the program. @returns its exit code */
  ended(): Promise<number | null>
  stop(): void
}

interface Settings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

/** Starts a program in a terminal of its own, by `script` of Debian's bsdutils. @param command a line of sh */
export function typedProgram(command: string, { env, cwd }: Settings): TypedProgram {
  const sized = `stty cols 200 rows 50; exec ${command}`
  const child: ChildProcess = spawn('script', ['-qec', sized, '/dev/null'], {
    env: { ...env, SHELL: '/bin/sh', TERM: 'xterm' } as unknown as NodeJS.ProcessEnv,
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let all = ''
  let seen = 0
  let hasEnded = false
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of waiting) look()
  }
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    all += piece
    wake()
  })
  const end = once(child, 'close').then(([code]) => {
    hasEnded = true
    wake()
    return code as number | null
  })
  // A program that has ended reads no keys.
  child.stdin?.on('error', () => {})
  return {
    shows: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(all.slice(seen))
          if (found) {
            seen += found.index + found[0].length
            waiting.delete(look)
            resolve(found[0])
          } else if (hasEnded) {
            waiting.delete(look)
            reject(new Error(`the program ended without ${pattern}; the terminal showed:\n${all}`))
          }
        }
        waiting.add(look)
        look()
      }),
    type: (keys) => child.stdin?.write(keys),
    shown: () => all,
    ended: () => end,
    stop: () => child.kill('SIGKILL'),
  }
}
