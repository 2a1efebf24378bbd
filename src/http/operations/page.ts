import * as z from 'zod'
import { integerWithin } from '../../tools/arguments.ts'

/** Answer with one page of a list. `next_cursor` is null on the last one. */
export const PageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last one.' }),
  })

/** A query's number with a default value, which its JSON Schema has too. */
export const numberOr = (usual: number, least: number, most: number, description: string, message?: string) =>
  integerWithin(least, most, message)
    .optional()
    .transform((given) => given ?? usual)
    .meta({ description, 'x-default': usual })

/** Most items of a page. @param message for a number beyond `most` */
const limit = (most: number, usual: number, message?: string) =>
  numberOr(usual, 1, most, `Most items of the page, from 1 to ${most}.`, message)

const CURSOR = 'The next_cursor of the page before.'

/** Query of a list: `limit`, the most items of the page, and `cursor`, the `next_cursor` of the page before. */
export const pageQuery = (most: number, usual = Math.min(50, most)) => ({
  limit: limit(most, usual),
  cursor: z.string().min(1).max(512).optional().meta({ description: CURSOR }),
})

/**
 * Query of a list whose cursors are numbers.
 * @param words messages for a limit that is too large, and for a cursor beyond `end`
 */
export const numberedPageQuery = (
  most: number,
  usual = Math.min(50, most),
  { end, ...words }: { readonly end?: number; readonly limit?: string; readonly cursor?: string } = {},
) => ({
  limit: limit(most, usual, words.limit),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'is not a cursor of this list')
    .transform(Number)
    .pipe(z.int().max(end ?? Number.MAX_SAFE_INTEGER, words.cursor))
    .optional()
    .meta({ description: CURSOR }),
})

/** A page as it is answered. */
export const encodePage = <Item>(data: readonly Item[], next: string | number | null | undefined) => ({
  data,
  next_cursor: next === null || next === undefined ? null : String(next),
})

/** A list that is whole on its only page. */
export const encodeWhole = <Item>(data: readonly Item[]) => encodePage(data, null)
