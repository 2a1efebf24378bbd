import { createHash } from 'node:crypto'
import { fail } from '../../src/core/failure.ts'
import { MAX_EDIT_BYTES } from '../../src/core/limits.ts'
import { ancestors, isWithin, joinPath, parentPath, ROOT, type WorkspacePath } from '../../src/core/workspace-path.ts'
import type { Change, ListOptions, Workspace, WorkspaceEntry } from '../../src/ports/workspace.ts'

type Kept =
  | { readonly kind: 'file'; readonly content: Uint8Array; readonly mode: number }
  | { readonly kind: 'directory' }
  | { readonly kind: 'link'; readonly target: string }

/** A workspace in a map: the port's contract, without history and without storage. */
export class WorkspaceMemory implements Workspace {
  #kept = new Map<WorkspacePath, Kept>()
  /** What each commit held, in order. */
  readonly commits: (readonly Change[])[] = []

  stat(path: WorkspacePath): WorkspaceEntry | null {
    if (path === ROOT) return { path, kind: 'directory', mtimeMs: 0, mode: 0o755 }
    const kept = this.#kept.get(path)
    if (!kept) return null
    if (kept.kind === 'directory') return { path, kind: 'directory', mtimeMs: 0, mode: 0o755 }
    if (kept.kind === 'link') return { path, kind: 'link', mtimeMs: 0, mode: 0o777, target: kept.target }
    const hash = createHash('sha256').update(kept.content).digest('hex')
    return { path, kind: 'file', mtimeMs: 0, mode: kept.mode, hash, size: kept.content.length }
  }

  list(dir: WorkspacePath, { recursive = false, except = [], limit = Number.POSITIVE_INFINITY }: ListOptions) {
    const found = [...this.#kept.keys()]
      .filter((path) => path !== dir && isWithin(path, dir))
      .filter((path) => recursive || parentPath(path) === dir)
      .filter((path) => !except.some((skipped) => path !== skipped && isWithin(path, skipped)))
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .flatMap((path) => this.stat(path) ?? [])
    return { entries: found.slice(0, limit), truncated: found.length > limit }
  }

  async read(path: WorkspacePath): Promise<Uint8Array | null> {
    const kept = this.#kept.get(path)
    if (kept?.kind === 'link') {
      return kept.target.startsWith('/') ? null : this.read(joinPath(parentPath(path), kept.target))
    }
    if (kept?.kind !== 'file') return null
    if (kept.content.length > MAX_EDIT_BYTES) fail('limit_exceeded', `${path} is larger than ${MAX_EDIT_BYTES} bytes`)
    return kept.content
  }

  async open(path: WorkspacePath) {
    const entry = this.stat(path)
    const content = await this.read(path)
    return content && entry?.kind === 'file' ? { entry, body: new Blob([new Uint8Array(content)]).stream() } : null
  }

  async commit(changes: readonly Change[]): Promise<void> {
    const before = new Map(this.#kept)
    try {
      for (const change of changes) this.#apply(change)
    } catch (thrown) {
      this.#kept = before
      throw thrown
    }
    this.commits.push(changes)
  }

  #apply(change: Change): void {
    if (change.op === 'remove') {
      for (const path of [...this.#kept.keys()]) if (isWithin(path, change.path)) this.#kept.delete(path)
    } else if (change.op === 'move') {
      this.#put(change.to, this.#kept.get(change.from) ?? { kind: 'directory' })
      for (const [path, kept] of [...this.#kept]) {
        if (!isWithin(path, change.from)) continue
        this.#kept.delete(path)
        this.#kept.set(`${change.to}${path.slice(change.from.length)}` as WorkspacePath, kept)
      }
    } else if (change.op === 'mkdir') this.#put(change.path, { kind: 'directory' })
    else if (change.op === 'link') this.#put(change.path, { kind: 'link', target: change.target })
    else if (change.op === 'write') {
      if (!(change.content instanceof Uint8Array)) throw new Error('streams are not kept in memory')
      this.#put(change.path, { kind: 'file', content: change.content.slice(), mode: change.mode ?? 0o644 })
    }
  }

  #put(path: WorkspacePath, entry: Kept): void {
    for (const dir of ancestors(path)) {
      const standing = this.#kept.get(dir)
      if (standing && standing.kind !== 'directory') fail('conflict', `${dir} is a file`)
      this.#kept.set(dir, { kind: 'directory' })
    }
    const standing = this.#kept.get(path)
    if (standing && (standing.kind === 'directory') !== (entry.kind === 'directory')) {
      fail('conflict', `${path} is a ${standing.kind}`)
    }
    this.#kept.set(path, entry)
  }
}
