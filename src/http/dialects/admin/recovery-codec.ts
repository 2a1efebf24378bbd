import * as z from 'zod'
import { MAX_NAMED_MISSING_FILES } from '../../../core/limits/recovery.ts'
import type { ReattachedPart, SetBack } from '../../../session/recovery-api.ts'
import { encodeTime } from '../../tenant-keys/codec.ts'

const count = z.int().min(0)
const BOOKMARK_CHARS = 256

/** Request to recover a session. */
export const RecoverSession = z
  .strictObject({
    at: z.iso.datetime({ offset: true }).optional().meta({
      description: 'Moment whose state the session gets, in the last 30 days.',
    }),
    bookmark: z
      .string()
      .max(BOOKMARK_CHARS)
      .regex(/^[0-9a-f-]+$/)
      .optional()
      .meta({ description: 'State that the session gets, as the `undo_bookmark` of an earlier recovery names it.' }),
  })
  .refine(({ at, bookmark }) => at === undefined || bookmark === undefined, {
    error: 'give "at" or "bookmark", not both',
  })
  .meta({ id: 'RecoverSession' })

/** Recovered session. */
export const SessionRecovered = z
  .object({
    session: z.string(),
    set_back: z.object({ bookmark: z.string(), undo_bookmark: z.string() }).nullable().meta({
      description:
        'State that the session got, and the one that it had before; null where the request named neither a moment nor a bookmark.',
    }),
    commit: z.int().nullable().meta({ description: 'Its newest commit; null before the first one.' }),
    committed_at: z.iso.datetime().nullable(),
    files: z.object({ entries: count, bytes: count }),
    contents: z.object({ held: count, missing: count }).meta({
      description:
        'Contents in the store of objects to which the session refers again, and those that were deleted since, history included.',
    }),
    missing_files: z
      .array(z.string())
      .meta({ description: `Present files whose contents were deleted, the first ${MAX_NAMED_MISSING_FILES}.` }),
  })
  .meta({ id: 'SessionRecovered' })

export const encodeRecovered = ({ name, commit, files, contents }: ReattachedPart, setBack: SetBack | null) => ({
  session: name,
  set_back: setBack && { bookmark: setBack.bookmark, undo_bookmark: setBack.undoBookmark },
  commit: commit?.seq ?? null,
  committed_at: commit ? encodeTime(commit.at) : null,
  files,
  contents: { held: contents.held, missing: contents.missing },
  missing_files: contents.missingFiles,
})
