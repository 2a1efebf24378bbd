import * as z from 'zod'
import { withoutLast } from './without-last.ts'

/** Text of a variable; null when it is unset or empty. */
export const optional = z
  .string()
  .trim()
  .nullish()
  .transform((value) => value || null)

/** An http or https URL, or null. */
export const optionalUrl = optional.pipe(z.url({ protocol: /^https?$/ }).nullable())

/** Base URL of an API without a slash at its end, or null: paths are appended to it. */
export const optionalBaseUrl = optionalUrl.transform((value) => (value === null ? null : withoutLast(value, '/')))

/** Base URL of an API without a slash at its end. */
export const serviceUrl = (fallback: string) =>
  optionalUrl.transform((value) => withoutLast(value ?? fallback, '/')).meta({ fallback })

/** Header of HTTP as a setting has it: `name=value`, with percent signs in the value as in a URL. */
const HEADER = /^([A-Za-z0-9!#$%&'*+.^_`|~-]{1,100})=([\x20-\x7e]{0,4000})$/

/** Headers of requests, as OpenTelemetry's settings have them: `name=value,name=value`. */
export const headerPairs = optional.transform((value, { addIssue }) => {
  const pairs = (value?.split(',') ?? []).map((pair) => headerOf(pair.trim()))
  if (!pairs.includes(null)) return Object.fromEntries(pairs as [string, string][])
  addIssue('give name=value, separated by commas; a comma or a percent sign in a value is %2C or %25')
  return z.NEVER
})

/** Name and value of a header; null for text that is none. */
function headerOf(pair: string): [string, string] | null {
  const [, name = '', value = ''] = HEADER.exec(pair) ?? []
  try {
    const decoded = decodeURIComponent(value)
    return name !== '' && /^[\x20-\x7e]*$/.test(decoded) ? [name, decoded] : null
  } catch {
    return null // a percent sign that begins no byte
  }
}

/** Default of a setting, for documents; undefined when it has none. */
export const fallbackOf = (setting: z.core.$ZodType): unknown => z.globalRegistry.get(setting)?.fallback
