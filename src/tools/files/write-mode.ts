import { fail } from '../../core/failure.ts'
import { field, say } from '../../core/saying/saying.ts'

/**
 * Mode of a writing call, by its own word or one of another API.
 * @throws FailureError `invalid_input` for a word that says neither
 */
export function writeMode(given: string): 'overwrite' | 'append' {
  const mode = given.trim().toLowerCase()
  if (MODES_THAT_REPLACE.test(mode)) return 'overwrite'
  if (MODES_THAT_ADD.test(mode)) return 'append'
  return fail(
    'invalid_input',
    say`${field('mode')} is "overwrite" or "append", not ${JSON.stringify(given.slice(0, 40))}`,
  )
}

/** Words in lower case, those of Python's `open` among them; an empty one says nothing. */
export const MODES_THAT_REPLACE = /^(?:|overwrite|write|create|replace|w[bt]?\+?[bt]?)$/
const MODES_THAT_ADD = /^(?:append|a[bt]?\+?[bt]?)$/
