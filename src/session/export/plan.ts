import { EXPORT_PAGE_CALLS, EXPORT_PAGE_ROWS, EXPORT_PART_ROWS } from '../../core/limits/export.ts'
import { MAX_LISTING_DEPTH } from '../../core/limits/files.ts'
import { MAX_SNAPSHOTS } from '../../core/limits/snapshots.ts'
import type { ServedGroup } from '../../core/served.ts'
import { tarFile, tarHeader } from '../../core/tar.ts'
import { pathToBytes, ROOT, workspacePath } from '../../core/workspace-path.ts'
import type { Sql } from '../../ports/sql.ts'
import type { WorkspaceEntry } from '../../ports/workspace.ts'
import { pageOfCommits, pageOfContents, pageOfNoted } from '../../workspace/export/pages.ts'
import type { SessionWorkspace } from '../../workspace/workspace.ts'
import type { SessionCallsApi } from '../calls-api.ts'
import { EXPORT_STEPS, type ExportCursor, type ExportPlace } from '../export-api.ts'
import { callLine, changeLine, commitLine, entryLine, jsonLines, snapshotLine } from './lines.ts'

/** Entry of the archive: bytes that are there, or a content that is opened when its turn comes. */
export type PlannedEntry =
  | { readonly bytes: Uint8Array }
  | {
      readonly header: Uint8Array
      readonly hash: string
      readonly size: number
      /** Path of the file, for an error; null for a content that is left out when it is gone meanwhile. */
      readonly path: string | null
    }

export interface PlanSources {
  readonly sql: Sql
  readonly workspace: Pick<SessionWorkspace, 'filesAt' | 'headSeq' | 'snapshots'>
  readonly calls: Pick<ServedGroup<SessionCallsApi>, 'page'>
  readonly now: () => number
}

/** Page of a step, and where its next page begins; null on the last one. */
interface Page {
  readonly entries: readonly PlannedEntry[]
  readonly rows: number
  readonly next: ExportCursor | null
}

/**
 * Part of an export from a place on: pages of one step or of several, EXPORT_PART_ROWS rows and a page at most.
 * @param prefix directory of the session in the archive, with a slash at its end
 * @throws FailureError `not_found` when the commit is no longer kept
 */
export async function planPart(
  sources: PlanSources,
  prefix: string,
  from: ExportPlace,
): Promise<{ readonly entries: readonly PlannedEntry[]; readonly next: ExportPlace | null }> {
  const entries: PlannedEntry[] = []
  let place: ExportPlace | null = from
  for (let rows = 0; place !== null && rows < EXPORT_PART_ROWS; ) {
    const page: Page = await PAGES[place.step](sources, prefix, place)
    // One by one: a page may have more entries than a call has arguments.
    for (const entry of page.entries) entries.push(entry)
    rows += page.rows
    place = page.next ? { ...place, after: page.next, pages: place.pages + 1 } : nextStep(place)
  }
  return { entries, next: place }
}

export const START = { number: 0, text: '' }

function nextStep(place: ExportPlace): ExportPlace | null {
  const step = EXPORT_STEPS[EXPORT_STEPS.indexOf(place.step) + 1]
  return step === undefined ? null : { ...place, step, after: START, pages: 0 }
}

type PageOf = (sources: PlanSources, prefix: string, place: ExportPlace) => Page | Promise<Page>

const PAGES: Readonly<Record<ExportPlace['step'], PageOf>> = {
  files: (sources, prefix, place) => {
    const { workspace } = sources
    // The present files are found by their index; those of an earlier commit take a pass over the changes since.
    const moment = workspace.headSeq() === place.commit ? null : place.commit
    const behind = place.after.text === '' ? {} : { after: workspacePath(place.after.text) }
    const found = workspace.filesAt(moment).page(ROOT, { depth: MAX_LISTING_DEPTH, limit: EXPORT_PAGE_ROWS, ...behind })
    const next = nextAfter(found, EXPORT_PAGE_ROWS, ({ path }) => ({ number: 0, text: path }))
    const listed = listing(sources, `${prefix}entries/`, place, found.map(entryLine))
    return { entries: [...listed, ...found.flatMap((entry) => packed(entry, prefix))], rows: found.length, next }
  },
  snapshots: (sources, prefix, place) => {
    const found = sources.workspace.snapshots.list({ limit: MAX_SNAPSHOTS })
    const entries = listing(sources, `${prefix}snapshots/`, place, found.map(snapshotLine))
    return { entries, rows: found.length, next: null }
  },
  commits: (sources, prefix, place) => {
    const found = pageOfCommits(sources.sql, place.after.number, place.commit)
    const next = nextAfter(found, EXPORT_PAGE_ROWS, ({ seq }) => ({ number: seq, text: '' }))
    return {
      entries: listing(sources, `${prefix}commits/`, place, found.map(commitLine)),
      rows: found.length,
      next,
    }
  },
  changes: (sources, prefix, place) => {
    const found = pageOfNoted(sources.sql, place.after, place.commit)
    const next = nextAfter(found, EXPORT_PAGE_ROWS, ({ commit, path }) => ({ number: commit, text: path }))
    return {
      entries: listing(sources, `${prefix}changes/`, place, found.map(changeLine)),
      rows: found.length,
      next,
    }
  },
  calls: async (sources, prefix, place) => {
    const before = place.after.number === 0 ? {} : { before: place.after.number }
    const { calls, next } = await sources.calls.page({ limit: EXPORT_PAGE_CALLS, ...before })
    return {
      entries: listing(sources, `${prefix}calls/`, place, calls.map(callLine)),
      rows: calls.length,
      next: next === undefined ? null : { number: next, text: '' },
    }
  },
  contents: ({ sql, workspace, now }, prefix, place) => {
    // Where files changed meanwhile, a content of the present ones may be one of history.
    const { contents, looked, last } = pageOfContents(sql, place.after.text, workspace.headSeq() !== place.commit)
    const entries = contents.map(
      ({ hash, size }): PlannedEntry => ({
        header: headerOf(`${prefix}contents/${hash}`, { kind: 'file', mode: 0o644, mtimeMs: now(), size }),
        hash,
        size,
        path: null,
      }),
    )
    return { entries, rows: looked, next: looked < EXPORT_PAGE_ROWS ? null : { number: 0, text: last } }
  },
}

function nextAfter<Row>(rows: readonly Row[], limit: number, cursor: (row: Row) => ExportCursor): ExportCursor | null {
  const last = rows.at(-1)
  return rows.length < limit || last === undefined ? null : cursor(last)
}

/** A page of JSON lines as a file of its own; none for an empty page. */
const listing = (
  { now }: PlanSources,
  directory: string,
  { pages }: ExportPlace,
  values: readonly object[],
): PlannedEntry[] =>
  values.length === 0 ? [] : [{ bytes: tarFile(pathToBytes(pageName(directory, pages)), jsonLines(values), now()) }]

const pageName = (directory: string, pages: number) => `${directory}${String(pages + 1).padStart(6, '0')}.jsonl`

/** A file or a directory. Links are in the listing alone: an unpacked archive has nothing that leads elsewhere. */
function packed(entry: WorkspaceEntry, prefix: string): PlannedEntry[] {
  if (entry.kind === 'link') return []
  const name = `${prefix}files/${entry.path}`
  const { mtimeMs } = entry
  // Whoever unpacks the archive may read it, and remove it again; the listing has the mode as it is.
  if (entry.kind === 'directory')
    return [{ bytes: headerOf(name, { kind: 'directory', mode: entry.mode | 0o700, mtimeMs, size: 0 }) }]
  const { hash, size, path } = entry
  return [{ header: headerOf(name, { kind: 'file', mode: entry.mode | 0o600, mtimeMs, size }), hash, size, path }]
}

const headerOf = (
  name: string,
  facts: {
    readonly kind: 'file' | 'directory'
    readonly mode: number
    readonly mtimeMs: number
    readonly size: number
  },
) => tarHeader({ name: pathToBytes(name), ...facts, mode: facts.mode & 0o777 })
