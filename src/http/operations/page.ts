import * as z from 'zod'
import { integerWithin } from '../../tools/arguments.ts'

/**
 * Answer with one page of a list. `next_cursor` is null on the last one. A page of items with a name has one too: of `Thing` and of
 * `ListedThing` it is `ThingPage`.
 */
export function PageOf<Item extends z.ZodType>(item: Item) {
  const page = z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last one.' }),
  })
  const name = item.meta()?.id?.replace(/^Listed/, '')
  return name === undefined ? page : page.meta({ id: `${name}Page` })
}

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

/**
 * A page of a list that was read with one item more than the page holds.
 * @param cursorOf cursor behind an item
 */
export function encodeOneMore<Item, Encoded>(
  items: readonly Item[],
  limit: number,
  encode: (item: Item) => Encoded,
  cursorOf: (item: Item) => string | number,
) {
  const shown = items.slice(0, limit)
  const last = shown.at(-1)
  return encodePage(shown.map(encode), items.length > limit && last !== undefined ? cursorOf(last) : null)
}

/**
 * A page of a list that is held whole. A cursor goes on holding when the item that it was made of is gone.
 * @param placeOf text that no two items share, by which they are sorted; {@link placeInTime} for the oldest first
 */
export function encodeHeld<Item>(
  items: readonly Item[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  placeOf: (item: Item) => string,
) {
  const placed = items
    .map((item) => ({ item, place: placeOf(item) }))
    .filter(({ place }) => cursor === undefined || place > cursor)
    .sort((one, other) => (one.place < other.place ? -1 : 1))
  return encodeOneMore(
    placed,
    limit,
    ({ item }) => item,
    ({ place }) => place,
  )
}

/** Place of an item in a list with the oldest first. */
export const placeInTime = ({ created_at, id }: { readonly created_at: string; readonly id: string }) =>
  `${created_at}/${id}`
