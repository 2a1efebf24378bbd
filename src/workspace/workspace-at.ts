import { MAX_LISTING_DEPTH } from '../core/limits/files.ts'
import { isWithin, type WorkspacePath } from '../core/workspace-path.ts'
import type { ListOptions, PastFiles, WorkspaceListing } from '../ports/workspace.ts'
import { collect } from './bytes.ts'
import { requireEditSize } from './edit-size.ts'
import type { FilesAt } from './files-at.ts'

/** Files of a workspace as they were after a commit, for tools that read. */
export class WorkspaceAt implements PastFiles {
  readonly #files: FilesAt
  readonly sandboxOnly: PastFiles['sandboxOnly']

  constructor(files: FilesAt, sandboxOnly: PastFiles['sandboxOnly']) {
    this.#files = files
    this.sandboxOnly = sandboxOnly
  }

  stat(path: WorkspacePath) {
    return this.#files.stat(path)
  }

  list(dir: WorkspacePath, { recursive = false, except = [], limit, after }: ListOptions): WorkspaceListing {
    const most = limit ?? Number.MAX_SAFE_INTEGER - 1
    const page = { depth: recursive ? MAX_LISTING_DEPTH : 1, limit: most + 1, ...(after !== undefined && { after }) }
    const isLeftOut = (path: WorkspacePath) => except.some((other) => path !== other && isWithin(path, other))
    const entries = this.#files.page(dir, page).filter(({ path }) => !isLeftOut(path))
    return { entries: entries.slice(0, most), truncated: entries.length > most }
  }

  async read(path: WorkspacePath): Promise<Uint8Array | null> {
    const found = this.#files.find(path)
    if (!found) return null
    requireEditSize(path, found.entry.size)
    return collect(await found.open(), found.entry.size)
  }
}
