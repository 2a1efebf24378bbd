import {
  MAX_SEARCH_BYTES,
  MAX_SEARCH_FETCHES,
  SEARCH_BATCH_BYTES,
  SEARCH_BATCH_FILES,
} from '../../../core/limits/finding.ts'
import { MAX_EDIT_BYTES, MAX_MATCHES_PER_LINE } from '../../../core/limits/workspace.ts'
import type { WorkspacePath } from '../../../core/workspace-path.ts'
import type { FileEntry, Workspace, WorkspaceEntry } from '../../../ports/workspace.ts'
import { splitLines, withoutBreak } from '../lines.ts'
import { matchingLines } from '../pattern/matching-lines.ts'
import type { LinePattern } from '../pattern/pattern.ts'
import { matchPlaces } from '../pattern/places.ts'
import { isBinaryName } from '../text-file.ts'
import { searchableText } from './searchable-text.ts'
import { charsOf, type Match, matchOf, withContext } from './shown-line.ts'

/** A match, and the file that it is in. */
export interface FoundLine extends Match {
  readonly file_path: WorkspacePath
}

/** A file with matches, and the number of its lines that match. */
export interface FoundFile {
  readonly file_path: WorkspacePath
  readonly matches: number
}

/** Result of a search: the lines themselves, their number in each file, or the files alone. */
export const OUTPUT_MODES = ['content', 'count', 'files_with_matches'] as const
export type OutputMode = (typeof OUTPUT_MODES)[number]

/** Why files were not searched. */
export type Skipped = 'binary' | 'too_large' | 'links' | 'changed' | 'unfinished'

/** Limit at which a search stopped before its end. */
export type Stop = 'max_matches' | 'max_chars' | 'bytes' | 'fetches' | 'work'

export interface SearchFilesOptions {
  readonly pattern: LinePattern
  readonly context: number
  readonly mode: OutputMode
  /** Number of lines found; of files, where lines are not shown. */
  readonly maxMatches: number
  /** Characters of all lines found together; the first is shown whatever its length. */
  readonly maxChars: number
  /** Whether a file is to be searched at all. */
  readonly wanted: (path: WorkspacePath) => boolean
  /** Lines up to this one are passed over, in the file of that path. */
  readonly behind: { readonly path: WorkspacePath; readonly line: number } | null
  readonly signal: AbortSignal
}

/** Search over files: lines found, in the order of the files, up to the first limit that is reached. */
export class FileSearch {
  readonly found: FoundLine[] = []
  /** Files with matches, where lines are not shown. */
  readonly files: FoundFile[] = []
  searched = 0
  readonly skipped = new Map<Skipped, number>()
  /** The limit that stopped the search; null when all files were searched. */
  stop: Stop | null = null
  /** Last file of which nothing is left to search. */
  #doneWith: WorkspacePath | null = null
  readonly #workspace: Workspace
  readonly #options: SearchFilesOptions
  #bytes = 0
  #fetched = 0
  #chars = 0

  constructor(workspace: Workspace, options: SearchFilesOptions) {
    this.#workspace = workspace
    this.#options = options
  }

  /** Place behind which a next search goes on: a path, or `path:line`. Null when nothing was done yet. */
  get goOnAfter(): string | null {
    const last = this.found.at(-1)
    if (last && (this.stop === 'max_matches' || this.stop === 'max_chars')) {
      return `${last.file_path}:${last.line_number}`
    }
    return this.#doneWith
  }

  /** Searches entries one after the other. */
  async over(entries: AsyncIterable<WorkspaceEntry>): Promise<void> {
    let batch: FileEntry[] = []
    let bytes = 0
    for await (const entry of entries) {
      if (entry.kind === 'directory' || !this.#options.wanted(entry.path)) continue
      const reason = reasonToSkip(entry)
      if (reason) this.#skip(reason)
      if (reason || entry.kind !== 'file') continue
      if (batch.length === SEARCH_BATCH_FILES || (batch.length > 0 && bytes + entry.size > SEARCH_BATCH_BYTES)) {
        await this.#searchAll(batch)
        if (this.stop) return
        batch = []
        bytes = 0
      }
      batch.push(entry)
      bytes += entry.size
    }
    await this.#searchAll(batch)
    if (this.#options.pattern.meter.isExhausted) this.stop ??= 'work'
  }

  async #searchAll(files: readonly FileEntry[]): Promise<void> {
    if (files.length === 0) return
    const { contents, fetched } = await this.#workspace.readMany(files)
    this.#fetched += fetched
    for (const [index, file] of files.entries()) {
      this.#options.signal.throwIfAborted()
      // A limit that stops the search stops it before a file: what comes behind the last file is no reason to go on.
      this.stop = this.#limitReached()
      if (this.stop) return
      const content = contents[index]
      if (content) await this.#search(file, content)
      else this.#skip('changed')
      if (this.stop) return
      this.#doneWith = file.path
    }
  }

  #limitReached(): Stop | null {
    if (this.#options.pattern.meter.isExhausted) return 'work'
    if (this.#bytes >= MAX_SEARCH_BYTES) return 'bytes'
    return this.#fetched > MAX_SEARCH_FETCHES ? 'fetches' : null
  }

  async #search({ path }: FileEntry, content: Uint8Array): Promise<void> {
    const { pattern, context, behind } = this.#options
    const { meter } = pattern
    this.searched += 1
    this.#bytes += content.length
    const read = searchableText(content, pattern.literals, meter)
    if (meter.isDue) await meter.pause()
    if (read === 'binary') {
      this.searched -= 1
      this.#skip('binary')
    }
    if (typeof read === 'string') return
    const { text } = read
    const passed = behind?.path === path ? behind.line : 0
    const { mode } = this.#options
    let counted = 0
    let lines: string[] | null = null
    for (const line of matchingLines(text, pattern)) {
      if (line === null) {
        if (meter.isExhausted) return this.#skip('unfinished')
        await meter.pause()
        this.#options.signal.throwIfAborted()
        continue
      }
      if (line.number <= passed) continue
      counted += 1
      if (mode === 'files_with_matches') break
      if (mode === 'count') continue
      if (this.found.length >= this.#options.maxMatches) {
        this.stop = 'max_matches'
        return
      }
      const content = text.slice(line.from, line.to)
      if (context > 0) lines ??= splitLines(text).map(withoutBreak)
      const match = matchOf(line.number, content, await placesIn(content, pattern))
      this.#add(path, withContext(match, lines ?? [], context))
      if (this.stop) return
    }
    if (mode !== 'content' && counted > 0) this.#addFile({ file_path: path, matches: counted })
  }

  #addFile(file: FoundFile): void {
    const chars = this.#chars + JSON.stringify(file).length + 1
    if (this.files.length >= this.#options.maxMatches) this.stop = 'max_matches'
    else if (this.files.length > 0 && chars > this.#options.maxChars) this.stop = 'max_chars'
    if (this.stop) return
    this.#chars = chars
    this.files.push(file)
  }

  #add(path: WorkspacePath, match: Match): void {
    const chars = this.#chars + charsOf(match, path)
    if (this.found.length > 0 && chars > this.#options.maxChars) {
      this.stop = 'max_chars'
      return
    }
    this.#chars = chars
    this.found.push({ file_path: path, ...match })
  }

  #skip(reason: Skipped): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1)
  }
}

function reasonToSkip(entry: WorkspaceEntry): Skipped | null {
  if (entry.kind !== 'file') return 'links'
  if (isBinaryName(entry.path)) return 'binary'
  return entry.size > MAX_EDIT_BYTES ? 'too_large' : null
}

/** Places of the matches in a line, with the pauses that a long line needs. */
export async function placesIn(line: string, pattern: LinePattern): Promise<number[]> {
  const search = matchPlaces(line, pattern, MAX_MATCHES_PER_LINE)
  for (;;) {
    const step = search.next()
    if (step.done) return step.value
    await pattern.meter.pause()
  }
}
