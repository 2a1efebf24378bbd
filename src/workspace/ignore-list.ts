import { MAX_IGNORE_FILE_BYTES, MAX_IGNORE_RULES } from '../core/limits/sync.ts'
import { shellQuote } from '../core/shell-quote.ts'
import { VENV_DIR } from '../core/task-layout.ts'
import { withoutLast } from '../core/without-last.ts'
import { ancestors, baseName, joinPath, type WorkspacePath } from '../core/workspace-path.ts'
import type { SandboxOnly, Workspace } from '../ports/workspace.ts'

/**
 * Directories whose contents stay in the sandbox: caches and environments, which are large and can be made again. The directory
 * itself is in the workspace, empty. A task changes the list with a file `.toolyardignore` at its root.
 */
export class IgnoreList implements SandboxOnly {
  readonly #names: ReadonlySet<string>
  readonly #paths: ReadonlySet<string>

  /** @param names at any depth @param paths relative to the workspace root */
  constructor(names: readonly string[], paths: readonly string[]) {
    this.#names = new Set(names)
    this.#paths = new Set(paths)
  }

  /** Whether a path lies below an ignored directory, at any depth; false for the directory itself. */
  covers(path: WorkspacePath): boolean {
    return this.directoryOf(path) !== null
  }

  /** The topmost ignored directory above a path. */
  directoryOf(path: WorkspacePath): WorkspacePath | null {
    return (
      ancestors(path).find((directory) => this.#paths.has(directory) || this.#names.has(baseName(directory))) ?? null
    )
  }

  directoryAt(path: WorkspacePath): WorkspacePath | null {
    return this.directoryOf(joinPath(path, 'x'))
  }

  /** Key of the list, equal for lists that ignore the same. */
  get key(): string {
    return JSON.stringify([this.names, this.paths])
  }

  get names(): readonly string[] {
    return [...this.#names]
  }

  get paths(): readonly string[] {
    return [...this.#paths]
  }

  /** Expression for `find` that skips the ignored directories. */
  findExpression(): string {
    const tests = [
      ...[...this.#names].map((name) => `-name ${shellQuote(globEscape(name))}`),
      ...[...this.#paths].map((path) => `-path ${shellQuote(`./${globEscape(path)}`)}`),
    ]
    return tests.length === 0 ? '' : `-type d \\( ${tests.join(' -o ')} \\) -prune`
  }
}

const IGNORE_FILE = '.toolyardignore' as WorkspacePath

/** Ignore list of a task, by the present state of its workspace. */
export async function ignoreListOf(workspace: Pick<Workspace, 'stat' | 'read'>): Promise<IgnoreList> {
  const entry = workspace.stat(IGNORE_FILE)
  if (entry?.kind !== 'file' || entry.size > MAX_IGNORE_FILE_BYTES) return ignoreList(null)
  const bytes = await workspace.read(IGNORE_FILE)
  return ignoreList(bytes && new TextDecoder().decode(bytes))
}

/**
 * Ignore list of a task: the defaults, or the lines of its `.toolyardignore`: a name or a `/path` each, `#` comments. The task's
 * own environment is always ignored.
 */
export function ignoreList(file: string | null): IgnoreList {
  const lines = file
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, MAX_IGNORE_RULES)
    .map((line) => withoutLast(line, '/'))
  const rules = lines ?? ['.venv', 'node_modules', '__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache']
  return new IgnoreList(
    rules.filter((rule) => !rule.includes('/') && rule !== ''),
    [VENV_DIR, ...rules.filter((rule) => rule.includes('/')).map((rule) => rule.replace(/^\/+/, ''))],
  )
}

const globEscape = (text: string) => text.replace(/[\\*?[\]]/g, '\\$&')
