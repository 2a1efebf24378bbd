import * as z from 'zod'
import { MAX_LISTED_FILES, MAX_LISTING_DEPTH } from '../../../../core/limits/files.ts'
import type { FileFacts } from '../../../../session/files-api.ts'
import { flag, withDefault } from '../../../../tools/arguments.ts'
import { PageOf, pageQuery } from '../../../operations/page.ts'
import { queriedMoment } from '../history/moment-schema.ts'
import { tagOf } from './entity-tags.ts'

/** Entry of a directory, or a file that was written. */
const fields = {
  path: z.string().meta({ description: "Path from the session's directory of files on." }),
  type: z.enum(['file', 'directory', 'link']),
  size: z.int().nullable().meta({ description: 'Bytes of a file; null for anything else.' }),
  etag: z
    .string()
    .nullable()
    .meta({ description: 'Strong entity tag of a file: its SHA-256 in quotes; null for anything else.' }),
  modified_at: z.iso.datetime(),
}
const FileEntry = z.object(fields).meta({ id: 'FileEntry' })
export const FilePage = PageOf(FileEntry)
  .extend({
    commit: z.int().meta({ description: 'Commit whose files these are; give it as as_of to see them again.' }),
  })
  .meta({ id: 'FilePage' })
export const WrittenFile = z
  .object({ ...fields, created: z.boolean(), commit: z.int().meta({ description: 'Commit that has the file.' }) })
  .meta({ id: 'WrittenFile' })

export const asOf = {
  as_of: queriedMoment.meta({
    description: 'Number of a commit, or name of a snapshot: the files as they were then. Left out: as they are now.',
  }),
}

/** Query for what is known, where a look at running commands would make a commit of what they have written so far. */
export const looks = {
  look: withDefault(flag, true).meta({
    description:
      'false: as it is known, without a look at what running commands have written so far. For those who look again and again.',
  }),
}

/** A listing's cursor is a path, which may be longer than the cursors of other lists. */
export const FilesQuery = z.object({
  ...pageQuery(MAX_LISTED_FILES, 200),
  cursor: z.string().min(1).max(5_000).optional().meta({ description: 'The next_cursor of the page before.' }),
  ...asOf,
  ...looks,
  recursive: withDefault(flag, false).meta({ description: 'true: also what lies in its directories.' }),
  depth: z
    .preprocess(
      (given) => (given === undefined ? undefined : Number(given)),
      z.int().min(1).max(MAX_LISTING_DEPTH).optional(),
    )
    .meta({ description: 'Levels of directories to list; 1, unless recursive is given.' }),
})

export const RemoveQuery = z.object({
  recursive: withDefault(flag, false).meta({ description: 'true: also a directory with files.' }),
})

export const encodeEntry = ({ path, kind, size, hash, modifiedAt }: FileFacts) => ({
  path,
  type: kind,
  size,
  etag: hash && tagOf(hash),
  modified_at: new Date(modifiedAt).toISOString(),
})
