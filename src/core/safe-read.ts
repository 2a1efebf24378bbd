import { z } from 'zod'

/** Of so many values all that does not fit may be told. */
const FEW_VALUES = 10_000

/**
 * As `safeParse`, for what others sent. Of each value that does not fit zod makes notes of a kilobyte, so that a list of a
 * million of them takes more memory than there is: where there are many values, the first that does not fit is told, and no more.
 * Entries of a record are all looked at even then: see {@link fewEntries}.
 */
export function safeRead<S extends z.ZodType>(schema: S, input: unknown): z.ZodSafeParseResult<z.output<S>> {
  return schema.safeParse(input, { reportInput: true, ...(isMany(input) && { abortEarly: true }) })
}

function isMany(input: unknown): boolean {
  const open = [input]
  let values = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inside: unknown[] = Array.isArray(next) ? next : Object.values(next)
    values += inside.length
    if (values > FEW_VALUES) return true
    for (const one of inside) if (typeof one === 'object' && one !== null) open.push(one)
  }
  return false
}

/** A record of at most so many entries, which are counted before any is looked at. @param limit its name */
export const fewEntries = <S extends z.ZodType>(schema: S, most: number, limit: string) =>
  z.preprocess((given, context) => {
    if (typeof given !== 'object' || given === null || Object.keys(given).length <= most) return given
    context.addIssue({ code: 'custom', message: `has more than ${most} entries (${limit})` })
    return z.NEVER
  }, schema)
