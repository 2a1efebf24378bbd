import { spelled } from '../alike-names.ts'
import { type Conversion, filling } from './conversion.ts'

/** One replacement, in the words of `file_edit`. */
interface Edit {
  readonly old_text: string
  readonly new_text: string
  readonly replace_all?: unknown
}

/**
 * Edits as other agents' tools have them: one is a call of `file_edit` by itself, several are its `edits`. A list in which something
 * is no edit stays as it is, for the tool to say what is wrong with it.
 */
export const edits: Conversion = (value, args) => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const read = list.slice(0, MAX_READ_EDITS).map(editOf)
  const [only, ...others] = read
  if (only === undefined || read.includes(null) || list.length > MAX_READ_EDITS) {
    return list.every((edit) => typeof edit === 'object' && edit !== null) ? { ...args, edits: value } : null
  }
  return others.length > 0 || only === null ? { ...args, edits: read } : filling(args, { ...only })
}

function editOf(edit: unknown): Edit | null {
  if (typeof edit !== 'object' || edit === null) return null
  const given = new Map(Object.entries(edit).map(([name, of]) => [spelled(name), of]))
  const text = (names: readonly string[]) => names.map((name) => given.get(name)).find((of) => typeof of === 'string')
  const [old_text, new_text] = [text(OLD), text(NEW)]
  const replace_all = given.get('replaceall')
  return old_text === undefined || new_text === undefined
    ? null
    : { old_text, new_text, ...(replace_all !== undefined && { replace_all }) }
}

const OLD = ['oldtext', 'oldstring', 'oldstr', 'search', 'find', 'old']
const NEW = ['newtext', 'newstring', 'newstr', 'replace', 'new', 'replacement']

/** Number of edits that are read here; the tool says how many it takes. */
const MAX_READ_EDITS = 1_000

/** A text to be inserted behind a line, which is 0 for the beginning: an empty range of lines, replaced. */
export const insertedBehind: Conversion = (value, args) => {
  const line = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  const isLine = typeof line === 'number' && Number.isSafeInteger(line) && line >= 0
  return isLine ? filling(args, { start_line: line + 1, end_line: line }) : null
}
