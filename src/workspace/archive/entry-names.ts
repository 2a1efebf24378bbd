import { FailureError } from '../../core/failure.ts'
import { MAX_ARCHIVE_DEPTH, MAX_ARCHIVE_ENTRIES } from '../../core/limits/files.ts'
import { ancestors, isWithin, pathFromBytes, type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import { refuseEntry, refuseSize } from './refused.ts'

/**
 * Names of one archive's entries as paths of the workspace. Refused are names that lead elsewhere on any system, and names that are
 * two on one system and one on another.
 */
export class EntryNames {
  readonly #base: WorkspacePath
  #count = 0
  /** Kinds of entries by path, implied directories among them. */
  readonly #kinds = new Map<string, 'file' | 'directory' | 'implied'>()
  /** Paths as an archive has them, by how a system sees them that does not tell cases apart. */
  readonly #folded = new Map<string, string>()

  /** @param base directory into which the archive is unpacked */
  constructor(base: WorkspacePath) {
    this.#base = base
  }

  /** Counts an entry of the archive, whatever comes of it. @throws FailureError `limit_exceeded` */
  count(): void {
    if (++this.#count > MAX_ARCHIVE_ENTRIES) this.#tooMany()
  }

  /**
   * Path of the next entry; null for the directory into which the archive is unpacked, which some archives have as an entry.
   * @throws FailureError `invalid_input` naming the entry, `limit_exceeded`
   */
  add(bytes: Uint8Array, kind: 'file' | 'directory'): WorkspacePath | null {
    const name = pathFromBytes(bytes)
    if (name.includes('\0')) refuseEntry(name, 'has a NUL in its name')
    if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) refuseEntry(name, 'has an absolute path')
    if (name.includes('\\')) refuseEntry(name, 'has a backslash in its name, which is a separator on some systems')
    const parts = name.split('/')
    if (parts.includes('..')) refuseEntry(name, 'has ".." in its path')
    const named = parts.filter((part) => part !== '' && part !== '.')
    if (named.length > MAX_ARCHIVE_DEPTH)
      refuseEntry(name, `lies in more than ${MAX_ARCHIVE_DEPTH} directories (MAX_ARCHIVE_DEPTH)`)
    if (named.length === 0) return kind === 'directory' ? null : refuseEntry(name, 'has no name')
    if (kind === 'file' && name.endsWith('/')) refuseEntry(name, 'is a file whose name ends with a slash')
    const path = this.#pathOf(name, named)
    this.#note(name, path, kind)
    return path
  }

  #pathOf(name: string, named: readonly string[]): WorkspacePath {
    let path: WorkspacePath
    try {
      path = workspacePath([this.#base, ...named].join('/'))
    } catch (thrown) {
      if (thrown instanceof FailureError) return refuseEntry(name, `cannot be stored: ${thrown.failure.message}`)
      throw thrown
    }
    return isWithin(path, this.#base)
      ? path
      : refuseEntry(name, 'leaves the directory into which the archive is unpacked')
  }

  #note(name: string, path: WorkspacePath, kind: 'file' | 'directory'): void {
    for (const above of ancestors(path)) {
      if (above.length <= this.#base.length) continue
      const there = this.#kinds.get(above)
      if (there === 'file') refuseEntry(name, `lies in ${above}, which is a file of the archive`)
      if (there === undefined) this.#set(name, above, 'implied')
    }
    const there = this.#kinds.get(path)
    if (there === 'implied' && kind === 'directory') this.#kinds.set(path, kind)
    else if (there === undefined) this.#set(name, path, kind)
    else refuseEntry(name, 'is there twice')
  }

  #set(name: string, path: string, kind: 'file' | 'directory' | 'implied'): void {
    const folded = path.normalize('NFKC').toLowerCase()
    const twin = this.#folded.get(folded)
    if (twin !== undefined && twin !== path)
      refuseEntry(
        name,
        `differs from ${JSON.stringify(twin)} in the case or form of its letters alone, so one would replace the other elsewhere`,
      )
    this.#folded.set(folded, path)
    this.#kinds.set(path, kind)
    if (this.#kinds.size > MAX_ARCHIVE_ENTRIES) this.#tooMany()
  }

  #tooMany(): never {
    return refuseSize('MAX_ARCHIVE_ENTRIES', MAX_ARCHIVE_ENTRIES, 'has more files and directories than that')
  }
}
