import * as z from 'zod'

/** Answer with one page of a list. `next_cursor` is null on the last one. */
export const PageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last one.' }),
  })

/** Query of a list: `limit`, the most items of the page, and `cursor`, the `next_cursor` of the page before. */
export const pageQuery = (most: number, usual = Math.min(50, most)) => ({
  limit: z
    .preprocess((given) => (given === undefined ? usual : Number(given)), z.int().min(1).max(most))
    .optional()
    .transform((limit) => limit ?? usual)
    .meta({ description: `Most items of the page, from 1 to ${most}.`, 'x-default': usual }),
  cursor: z.string().min(1).max(512).optional().meta({ description: 'The next_cursor of the page before.' }),
})

/** A page as it is answered. */
export const encodePage = <Item>(data: readonly Item[], next: string | number | null | undefined) => ({
  data,
  next_cursor: next === null || next === undefined ? null : String(next),
})
