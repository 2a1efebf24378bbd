import { z } from 'zod'
import { withoutLast } from './without-last.ts'

/** Text of a variable; an empty one is one that is not set, and null. */
export const optional = z
  .string()
  .trim()
  .nullish()
  .transform((value) => value || null)

/** An http or https URL, or null. */
export const optionalUrl = optional.pipe(z.url({ protocol: /^https?$/ }).nullable())

/** Base URL of an interface without a slash at its end, or null: paths are put behind it. */
export const optionalBaseUrl = optionalUrl.transform((value) => (value === null ? null : withoutLast(value, '/')))

/** Base URL of an interface without a slash at its end. */
export const serviceUrl = (fallback: string) =>
  optionalUrl.transform((value) => withoutLast(value ?? fallback, '/')).meta({ fallback })

/** Value that a setting has when its variable is not set, for documents; undefined when it has none. */
export const fallbackOf = (setting: z.core.$ZodType): unknown => z.globalRegistry.get(setting)?.fallback
