import { ENTRY_COLUMNS, type EntryRow } from '../entry-row.ts'

// An entry is one text, with columns of fixed widths before its path and its link's target: SQLite takes parts of a text apart in a
// third of the time in which it takes those of a JSON array.

const HASH_CHARS = 64
/** Widths of the numbers: size, mode, time of the last change, and the number of characters of the path. */
const [SIZE, MODE, TIME, LENGTH] = [12, 4, 20, 5]
const AT = {
  size: 1 + HASH_CHARS,
  mode: 1 + HASH_CHARS + SIZE,
  time: 1 + HASH_CHARS + SIZE + MODE,
  length: 1 + HASH_CHARS + SIZE + MODE + TIME,
  path: 1 + HASH_CHARS + SIZE + MODE + TIME + LENGTH,
}

/** SQL for an entry's text. */
export const PACKED_ENTRY = `substr(kind, 1, 1) || coalesce(hash, '${'-'.repeat(HASH_CHARS)}')
  || printf('%0${SIZE}d%0${MODE}d%0${TIME}d%0${LENGTH}d', coalesce(size, 0), mode, mtime, length(path)) || path || coalesce(target, '')`

/** Characters of an entry's text, beside its path and target, at most; with quotation marks and a comma. */
export const PACKED_CHARS = AT.path + 3

const number = (at: number, width: number) => `CAST(substr(value, ${at + 1}, ${width}) AS INTEGER)`

/**
 * SQL for putting the entries of a JSON list of texts into the empty manifest. With a limit, the inner query is one of its own: else SQLite
 * takes the text out of the list anew for each part of it.
 */
export const PUT_PACKED_ENTRIES = `INSERT INTO workspace_entries (${ENTRY_COLUMNS})
  SELECT substr(value, ${AT.path + 1}, chars), CASE kind WHEN 'f' THEN 'file' WHEN 'd' THEN 'directory' ELSE 'link' END,
      CASE kind WHEN 'f' THEN substr(value, 2, ${HASH_CHARS}) END, CASE kind WHEN 'f' THEN ${number(AT.size, SIZE)} END,
      ${number(AT.mode, MODE)}, ${number(AT.time, TIME)}, CASE kind WHEN 'l' THEN substr(value, ${AT.path + 1} + chars) END
    FROM (SELECT value, substr(value, 1, 1) AS kind, ${number(AT.length, LENGTH)} AS chars FROM json_each(?) LIMIT -1)`

const KINDS = { f: 'file', d: 'directory', l: 'link' } as const

/** Entries of a JSON list of texts. */
export function entriesOf(list: string): EntryRow[] {
  return (JSON.parse(list) as string[]).map((text) => {
    const kind = KINDS[text[0] as keyof typeof KINDS]
    const [path, target] = kind === 'link' ? pathAndTarget(text) : [text.slice(AT.path), null]
    const isFile = kind === 'file'
    return {
      path,
      kind,
      hash: isFile ? text.slice(1, AT.size) : null,
      size: isFile ? Number(text.slice(AT.size, AT.mode)) : null,
      mode: Number(text.slice(AT.mode, AT.time)),
      mtime: Number(text.slice(AT.time, AT.length)),
      target,
    }
  })
}

function pathAndTarget(text: string): [path: string, target: string] {
  // SQLite counts code points.
  const rest = Array.from(text.slice(AT.path))
  const chars = Number(text.slice(AT.length, AT.path))
  return [rest.slice(0, chars).join(''), rest.slice(chars).join('')]
}
