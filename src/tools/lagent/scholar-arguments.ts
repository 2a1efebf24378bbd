import { z } from 'zod'
import { flag, optional } from '../arguments.ts'

const word = z.preprocess((value) => (typeof value === 'number' ? `${value}` : value), z.string())

/** An id, a language code or the like; some look like numbers, and come as such. */
export const optionalWord = optional(word)

/** Arguments of SerpAPI itself that change nothing here: an answer always comes at once, and read. */
export const ignoredFlag = optional(flag).describe('Taken for compatibility; it changes nothing')
export const ignoredWord = optionalWord.describe('Taken for compatibility; it changes nothing')

export const noCache = optional(flag).describe('True: the service asks Google anew, whatever it remembers')
