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

/** Default of a setting, for documents; undefined when it has none. */
export const fallbackOf = (setting: z.core.$ZodType): unknown => z.globalRegistry.get(setting)?.fallback
