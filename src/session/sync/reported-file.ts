import { MAX_INLINE_BLOB_BYTES } from '../../core/limits/workspace.ts'
import { sha256 } from '../../core/sha256.ts'
import { NOTEBOOK_FILE } from '../../core/task-layout.ts'
import { SandboxGone } from '../../ports/sandbox.ts'
import type { StoreContent } from '../../ports/workspace.ts'
import { type Content, decide } from './decide.ts'
import { type Listed, parseListing } from './listing.ts'
import { changedUnderLock, type Pulled } from './pull.ts'
import type { Sides } from './push.ts'

/** A file that one of our own programs in the sandbox replaced, and other changes meanwhile, as that program reports them. */
export interface ReportedFile {
  /** Counts of the watcher before the file came to its place, and after it was looked at there. */
  readonly before: string
  readonly after: string
  /** Entry of the file in a listing; see `findAll`. */
  readonly record: string
  readonly text: string
}

/** State in which the file is noted: whole in its place, and just changed, since further changes within a tick leave no trace. */
const RACE = { mapped: new Set<string>(), lookedMs: Number.NEGATIVE_INFINITY }

/**
 * Commits the notebook that its program replaced. The watcher must have counted once up to `before` and once more up to `after`:
 * then nothing else happened since the last look.
 * @param watched the count at the last look
 * @returns null when something else may have changed, or the record is not of the notebook as a known file: nothing was done then
 */
export async function takeReported(
  { before, after, record, text }: ReportedFile,
  watched: string,
  sides: Sides,
): Promise<Pick<Pulled, 'conflicts' | 'notes'> | null> {
  const { workspace, known } = sides
  if (Number(before) !== Number(watched) + 1 || Number(after) !== Number(watched) + 2) return null
  const listed = entryOf(record)
  const bytes = new TextEncoder().encode(text)
  if (listed?.kind !== 'file' || listed.links !== 1 || listed.size !== bytes.length) return null
  if (listed.path !== NOTEBOOK_FILE || !known.get(NOTEBOOK_FILE)?.signature.startsWith('f ')) return null
  return workspace.storing(async (store) => {
    const contents = new Map([[listed.path, await contentOf(bytes, store)]])
    const { changes, back, conflicts, noted } = decide({ touched: [listed], gone: [] }, contents, {
      ...sides,
      race: RACE,
    })
    if (changes.length > 0) await workspace.takeOver(changes)
    if (back.length > 0) await workspace.takeOver(back)
    known.set(noted)
    return { conflicts, notes: changedUnderLock(changes, workspace) }
  })
}

/** @returns null for text that is no entry: code of the task may have replaced the program */
function entryOf(record: string): Listed | null {
  try {
    return parseListing(new TextEncoder().encode(record)).entries[0] ?? null
  } catch (thrown) {
    if (thrown instanceof SandboxGone) return null
    throw thrown
  }
}

async function contentOf(bytes: Uint8Array, store: StoreContent): Promise<Content> {
  if (bytes.length > MAX_INLINE_BLOB_BYTES) return { stored: await store(bytes) }
  return { bytes, stored: { hash: sha256(bytes), size: bytes.length } }
}
