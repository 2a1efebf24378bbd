import * as z from 'zod'
import { flag, optional } from '../arguments.ts'

const word = z.preprocess((value) => (typeof value === 'number' ? `${value}` : value), z.string())

/** An id, a language code or a similar word; some look like numbers, and are sent as such. */
export const optionalWord = optional(word)

const IGNORED = 'Taken for compatibility; it changes nothing. Default: none'

/** Arguments of SerpAPI that change nothing here: an answer always comes at once, and parsed. */
export const ignoredFlag = optional(flag).describe(IGNORED)
export const ignoredWord = optionalWord.describe(IGNORED)

export const noCache = optional(flag).describe(
  'True: the service asks Google anew, whatever it remembers. Default false',
)
