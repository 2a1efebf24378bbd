import { MAX_LOG_CALLS, MAX_LOG_CHARS } from '../core/limits/sessions.ts'
import { type WorkspacePath, workspacePath } from '../core/workspace-path.ts'
import type { VirtualFiles } from '../workspace/virtual-files.ts'
import type { History } from './history.ts'
import { callLines, createdLine, type LogKind } from './log-lines.ts'

interface LogsParts {
  /** Name of the session, which the names of the files contain. */
  readonly name: string
  /** Time of creation, in milliseconds since 1970. */
  readonly createdAt: number
  readonly history: Pick<History, 'page' | 'withAnswer'>
}

/** The two log files of a session, `logs/<name>_process.log` and `logs/<name>_detail.log`, written from the history when read. */
export class SessionLogs implements VirtualFiles {
  readonly #parts: LogsParts
  readonly #kinds: ReadonlyMap<WorkspacePath, LogKind>

  constructor(parts: LogsParts) {
    this.#parts = parts
    const kinds = (['process', 'detail'] as const).flatMap((kind) => {
      const path = pathOf(`logs/${parts.name}_${kind}.log`)
      return path === null ? [] : [[path, kind] as const]
    })
    this.#kinds = new Map(kinds)
  }

  /** Content of a log. @returns null for any other path */
  read(path: WorkspacePath): Uint8Array | null {
    const kind = this.#kinds.get(path)
    return kind ? new TextEncoder().encode(this.#text(kind)) : null
  }

  /** The log that the arguments of a call name as their file; null for every other call. */
  namedBy(args: unknown): WorkspacePath | null {
    if (typeof args !== 'object' || args === null || !('file_path' in args)) return null
    const { file_path } = args
    // Nearly no call names a log, however the path is written.
    if (typeof file_path !== 'string' || !file_path.includes('.log')) return null
    const path = pathOf(file_path)
    return path !== null && this.#kinds.has(path) ? path : null
  }

  /** The newest calls that fit, oldest first. */
  #text(kind: LogKind): string {
    const { name, createdAt, history } = this.#parts
    const first = kind === 'process' ? createdLine(name, createdAt) : ''
    const texts: string[] = []
    let chars = first.length
    for (const call of history.page({ limit: MAX_LOG_CALLS }).calls) {
      const text = callLines(kind, kind === 'detail' ? history.withAnswer(call) : call, name)
      chars += text.length
      if (chars > MAX_LOG_CHARS) break
      texts.push(text)
    }
    return first + texts.reverse().join('')
  }
}

function pathOf(path: string): WorkspacePath | null {
  try {
    return workspacePath(path)
  } catch {
    return null // no path of a workspace, so neither of the logs
  }
}
