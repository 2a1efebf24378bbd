import * as z from 'zod'
import { MAX_PAPERS_PER_PUT } from '../../../../core/limits/papers.ts'
import type { RawContent } from '../../../operations/operation.ts'
import { Metadata, PaperInput } from './papers-codec.ts'

const NewPaper = PaperInput.meta({
  id: 'NewPaper',
  description: 'A paper: its title, and its text whole or in chunks. `file_id` is taken for `id` too.',
})

/** Bodies of a POST: one paper or several, or a file. */
export const PAPER_BODIES: readonly RawContent[] = [
  {
    raw: 'application/json',
    schema: z.union([NewPaper, z.object({ papers: z.array(NewPaper).max(MAX_PAPERS_PER_PUT) })]),
  },
  {
    raw: 'multipart/form-data',
    schema: z.object({ file: z.file(), ...Metadata.shape }).meta({
      id: 'NewPaperFile',
      description: 'A file, and what is known of it: words of the form win over those in the file.',
    }),
  },
]

const chunks = z.int().meta({ description: 'Number of chunks of its text.' })

export const PutPapers = z
  .object({
    added: z.int(),
    replaced: z.int(),
    papers: z.array(z.object({ file_id: z.string(), title: z.string(), chunk_count: chunks })),
  })
  .meta({ id: 'PutPapers' })

const year = z.string().nullable().meta({ description: 'Year in four digits.' })

export const ListedPaperAnswer = z
  .object({
    file_id: z.string(),
    title: z.string(),
    publish_year: year,
    chunk_count: chunks,
    text_available: z.boolean(),
  })
  .meta({ id: 'ListedPaper' })

/** Another service behind the server may have more fields. */
export const PaperAnswer = z
  .looseObject({
    file_id: z.string(),
    title: z.string(),
    publish_year: year,
    abstract: z.string(),
    content: z.string().meta({ description: 'The whole text; the abstract where there is none.' }),
    text_available: z.boolean(),
  })
  .meta({ id: 'Paper' })
