/** How a call writes: whether it replaces the file, and what its answer has to say of the mode. */
interface WriteMode {
  readonly replaces: boolean
  readonly notes: readonly string[]
}

/** Way of writing by the tool's own word for a mode, or one of another API; as published, any other word appends. */
export function writeMode(given: string): WriteMode {
  const mode = given.trim().toLowerCase()
  if (MODES_THAT_REPLACE.test(mode)) return { replaces: true, notes: [] }
  return { replaces: false, notes: MODES_THAT_ADD.test(mode) ? [] : [UNKNOWN] }
}

/** Words in lower case, those of Python's `open` among them; an empty one says nothing. */
export const MODES_THAT_REPLACE = /^(?:|overwrite|write|create|replace|w[bt]?\+?[bt]?)$/
const MODES_THAT_ADD = /^(?:append|a[bt]?\+?[bt]?)$/

const UNKNOWN = 'mode is "overwrite" or "append"; this one is neither, so content was added to the end of the file'
