import * as z from 'zod'

/** Number of values up to which all mismatches are reported. */
const FEW_VALUES = 10_000

/**
 * `safeParse` for untrusted input. zod's notes take a kilobyte for each mismatched value, so that a list of a million of them
 * takes more memory than there is: where there are many values, only the first mismatch is reported. Entries of a record are all
 * checked even then: see {@link fewEntries}.
 */
export function safeRead<S extends z.ZodType>(schema: S, input: unknown): z.ZodSafeParseResult<z.output<S>> {
  return schema.safeParse(input, { reportInput: true, ...(isMany(input) && { abortEarly: true }) })
}

function isMany(input: unknown): boolean {
  const open = [input]
  let values = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next)) {
      values += next.length
      if (values > FEW_VALUES) return true
      for (const one of next) if (typeof one === 'object' && one !== null) open.push(one)
      continue
    }
    // Half the time of Object.values: a schema may have thousands of small objects.
    for (const name in next) {
      values += 1
      if (values > FEW_VALUES) return true
      const one: unknown = next[name as keyof typeof next]
      if (typeof one === 'object' && one !== null) open.push(one)
    }
  }
  return false
}

/**
 * Schema of a record with at most `most` entries, which are counted before any is checked.
 * @param limit name of the limit, for the error
 */
export const fewEntries = <S extends z.ZodType>(schema: S, most: number, limit: string) =>
  z.preprocess((given, context) => {
    if (typeof given !== 'object' || given === null || Object.keys(given).length <= most) return given
    context.addIssue({ code: 'custom', message: `has more than ${most} entries (${limit})` })
    return z.NEVER
  }, schema)
