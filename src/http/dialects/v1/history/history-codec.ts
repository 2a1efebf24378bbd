import * as z from 'zod'
import type { DiffSide, FileDiff, Hunk } from '../../../../core/diff/file-diff.ts'
import { COMMIT_CHANGES_SHOWN, MAX_LISTED_CHANGES } from '../../../../core/limits/history.ts'
import type { CommitFacts, PathChange } from '../../../../ports/file-history.ts'
import { PageOf, pageQuery } from '../../../operations/page.ts'
import { tagOf } from '../files/entity-tags.ts'

const CHANGE = z.enum(['created', 'modified', 'deleted'])
const KIND = z.enum(['file', 'directory', 'link'])
const PATH = z.string().meta({ description: "Path from the session's directory of files on." })

export const Change = z
  .object({
    path: PATH,
    change: CHANGE,
    kind: KIND.meta({ description: 'What it is after the change; before it for what was deleted.' }),
    size: z.int().nullable().meta({ description: 'Bytes of a file after the change; null for anything else.' }),
  })
  .meta({ id: 'PathChange' })

const facts = {
  commit: z.int().meta({ description: 'Its number, which as_of, from, to and restore take.' }),
  author: z.string().meta({
    description: 'Id of the call that made it; upload, delete, unpack or restore and a key for another request.',
  }),
  tool: z
    .string()
    .nullable()
    .meta({ description: 'Tool of that call; null for anything else, and for a call of long ago.' }),
  committed_at: z.iso.datetime(),
  changed: z.int().meta({ description: 'Number of paths that it changed, at or below the path that was asked for.' }),
  restored: z
    .object({
      commit: z.int().meta({ description: 'Commit whose state it restored; 0: before the first.' }),
      path: z.string().meta({ description: 'Path that it restored; empty for all files.' }),
    })
    .nullable()
    .meta({ description: 'What a restore went back to; null for any other commit.' }),
}
const Commit = z
  .object({
    ...facts,
    changes: z.array(Change).meta({ description: `Some of them, at most ${COMMIT_CHANGES_SHOWN}.` }),
    more_changes: z.int().meta({ description: 'Number of those that are not shown; getCommit lists them all.' }),
  })
  .meta({ id: 'Commit' })
export const CommitPage = PageOf(Commit)
export const CommitChanges = PageOf(Change).extend(facts).meta({ id: 'CommitChanges' })

/** Query for one file or directory. */
export const placed = {
  path: z.string().default('').meta({ description: 'A file, or a directory with all below it; left out: all files.' }),
}

/** A cursor that is a path, which may be longer than the cursors of other lists. */
export const pathCursor = {
  cursor: z.string().min(1).max(5_000).optional().meta({ description: 'The next_cursor of the page before.' }),
}
export const ChangesQuery = z.strictObject({ ...pageQuery(MAX_LISTED_CHANGES, 200), ...pathCursor, ...placed })

const side = z
  .object({
    kind: KIND,
    mode: z.string().meta({ description: 'Permissions in octal, such as 0644.' }),
    size: z.int().nullable().meta({ description: 'Bytes of a file; null for anything else.' }),
    etag: z.string().nullable().meta({ description: 'SHA-256 of a file in quotes; null for anything else.' }),
    target: z.string().nullable().meta({ description: 'Target of a link; null for anything else.' }),
  })
  .meta({ id: 'DiffSide' })
const hunk = z
  .object({
    old_start: z.int(),
    old_lines: z.int(),
    new_start: z.int(),
    new_lines: z.int(),
    lines: z.array(z.string()).meta({ description: 'Lines behind " ", "-" or "+", as in a unified diff.' }),
  })
  .meta({ id: 'DiffHunk' })
const Difference = z
  .object({
    path: PATH,
    change: CHANGE,
    before: side.nullable(),
    after: side.nullable(),
    hunks: z.array(hunk),
    omitted: z.enum(['not text', 'too large']).nullable().meta({
      description: 'Why a changed content has no hunks, or not all of them; null where they are whole.',
    }),
  })
  .meta({ id: 'Difference' })
export const Differences = PageOf(Difference)
  .extend({
    from: z.int().meta({ description: 'Commit before the differences.' }),
    to: z.int().meta({ description: 'Commit after them: the newest one where the present files were asked for.' }),
  })
  .meta({ id: 'Differences' })

const encodeFacts = ({ commit, author, tool, at, changed, restored }: CommitFacts) => ({
  commit,
  author,
  tool,
  committed_at: new Date(at).toISOString(),
  changed,
  restored,
})

export const encodeChange = ({ path, change, kind, size }: PathChange) => ({ path, change, kind, size })

export const encodeCommit = ({ changes, ...commit }: CommitFacts & { readonly changes: readonly PathChange[] }) => ({
  ...encodeFacts(commit),
  changes: changes.map(encodeChange),
  more_changes: commit.changed - changes.length,
})

export const encodeChanges = (commit: CommitFacts) => encodeFacts(commit)

export const encodeDifference = ({ path, change, before, after, hunks, omitted }: FileDiff) => ({
  path,
  change,
  before: encodeSide(before),
  after: encodeSide(after),
  hunks: hunks.map(encodeHunk),
  omitted,
})

const encodeSide = (given: DiffSide | null) =>
  given && {
    kind: given.kind,
    mode: given.mode.toString(8).padStart(4, '0'),
    size: given.size,
    etag: given.hash && tagOf(given.hash),
    target: given.target,
  }

const encodeHunk = ({ oldStart, oldLines, newStart, newLines, lines }: Hunk) => ({
  old_start: oldStart,
  old_lines: oldLines,
  new_start: newStart,
  new_lines: newLines,
  lines,
})
