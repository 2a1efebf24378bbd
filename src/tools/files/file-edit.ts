import * as z from 'zod'
import { FailureError, fail, failureWith, messageParts } from '../../core/failure.ts'
import {
  CHANGE_CONTEXT_LINES,
  MAX_EDITS,
  MAX_EDITS_CHARS,
  MAX_NAMED_LINES,
  MAX_REPLACED_PLACES,
} from '../../core/limits/edits.ts'
import { MAX_EDIT_BYTES } from '../../core/limits/workspace.ts'
import { occurrences, unitsOf } from '../../core/occurrences.ts'
import { field, ifKnown, say, tool } from '../../core/saying/saying.ts'
import { flag, givenText, objects, onePath, optional, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { changedLines, type LineRange } from './changed-lines.ts'
import { editedFile } from './edited-file.ts'
import { splitLines, universalNewlines } from './lines.ts'
import { textNotFound } from './not-found-text.ts'
import { type Replacement, replacedText } from './replaced-text.ts'
import { readTextFile } from './text-file.ts'
import { writeTarget } from './write-target.ts'

const edit = z.object({
  old_text: givenText.describe('The text to replace, as it stands in the file behind the edits before it'),
  new_text: givenText.describe('The text to put there; "" deletes old_text'),
  replace_all: withDefault(flag, false).describe('Replace old_text wherever it stands. Default false'),
})

/** Replaces texts in a file that has each exactly once, or everywhere by request. Ours. */
export const fileEdit = defineTool({
  name: 'file_edit',
  description:
    'Replace a piece of a text file of the task: old_text must stand in it exactly once, or replace_all is true. Copy ' +
    'old_text from the file with its white space, without line numbers; \\n matches any line break. Line breaks, encoding ' +
    `and the rest of the file stay. Files of at most ${MAX_EDIT_BYTES / 1024 ** 2} MiB; runs without a sandbox. Returns ` +
    `changed_lines: those with ${CHANGE_CONTEXT_LINES} around, numbered. Several places: edits; several files: file_patch; a ` +
    'new file: file_write.',
  effect: 'write',
  uses: ['workspace'],
  input: z.object({
    file_path: onePath.describe('Path relative to the task root, e.g. "code_run/hello.py"'),
    old_text: optional(z.string()).describe(
      'The text to replace, as it stands in the file; several lines may be given. Required without edits',
    ),
    new_text: optional(z.string()).describe('The text to put there; "" deletes old_text. Required without edits'),
    replace_all: withDefault(flag, false).describe('Replace old_text wherever it stands. Default false'),
    edits: optional(objects(edit)).describe(
      `Several replacements in the place of old_text and new_text, in order, at most ${MAX_EDITS}: all are made or none. Default: one`,
    ),
    encoding: optional(z.string()).describe('Write the whole file in this encoding. Default: the one it has'),
  }),

  async run({ file_path, encoding: encodingName, ...given }, { ports: { workspace } }) {
    const target = writeTarget(workspace, file_path)
    const edits = editsOf(given)
    for (const { wanted, replacement } of edits) requireDifferent(wanted, replacement)
    const file = await readTextFile(workspace, file_path)
    const done = editedText(file_path, file, edits)
    const { content, encoding, facts, notes } = editedFile(file, done.raw, encodingName)
    await workspace.commit([{ op: 'write', path: target, content }])
    const lines = splitLines(universalNewlines(done.raw))
    const shown = changedLines(lines, done.ranges)
    const { count } = done
    const allNotes = [...done.notes, ...notes]
    return {
      text: [`replaced ${count === 1 ? 'one place' : `${count} places`} in ${file_path}:`, shown, ...allNotes].join(
        '\n',
      ),
      data: {
        file_path,
        replacements: count,
        changed_lines: shown,
        total_lines: lines.length,
        encoding,
        ...facts,
        ...(allNotes.length > 0 && { notes: allNotes }),
      },
    }
  },
})

interface Edit {
  readonly wanted: string
  readonly replacement: string
  readonly everywhere: boolean
}

interface GivenEdits {
  readonly old_text?: string | undefined
  readonly new_text?: string | undefined
  readonly replace_all: boolean
  readonly edits?: readonly z.output<typeof edit>[] | undefined
}

/** Edits that a call names. @throws FailureError `invalid_input` when it names none, or one in both ways; `limit_exceeded` */
function editsOf({ old_text, new_text, replace_all, edits = [] }: GivenEdits): Edit[] {
  if (edits.length > MAX_EDITS)
    fail(
      'limit_exceeded',
      say`${field('edits')} has ${edits.length} entries; at most ${MAX_EDITS} are taken (MAX_EDITS)`,
    )
  // Empty texts beside a list stand for none.
  if (edits.length > 0 && (old_text || new_text))
    fail(
      'invalid_input',
      say`${field('edits')} and ${field('old_text')} are both given; put all into ${field('edits')}`,
    )
  if (edits.length > 0) return edits.map((one) => editOf(one.old_text, one.new_text, one.replace_all))
  if (old_text === undefined || new_text === undefined) {
    const missing = [
      ...(old_text === undefined ? ['old_text'] : []),
      ...(new_text === undefined ? ['new_text'] : []),
    ].map((name) => say`missing required parameter: ${field(name)}`)
    fail(
      'invalid_input',
      missing.flatMap((words, at) => (at === 0 ? words : ['; ', ...words])),
    )
  }
  return [editOf(old_text, new_text, replace_all)]
}

const editOf = (old_text: string, new_text: string, everywhere: boolean): Edit => ({
  wanted: universalNewlines(old_text),
  replacement: universalNewlines(new_text),
  everywhere,
})

/**
 * A file's text with all edits made, each on what the one before it left.
 * @throws FailureError for the first edit that cannot be made, with its number when there are several
 */
function editedText(path: string, file: { readonly text: string; readonly raw: string }, edits: readonly Edit[]) {
  let { text, raw } = file
  if (edits.length > 1 && edits.length * text.length > MAX_EDITS_CHARS) {
    fail(
      'limit_exceeded',
      say`${field('edits')} of a file of ${text.length} characters: at most ${Math.floor(MAX_EDITS_CHARS / text.length)} at once (MAX_EDITS_CHARS)`,
    )
  }
  let ranges: readonly LineRange[] = []
  let count = 0
  const notes = new Set<string>()
  for (const [at, one] of edits.entries()) {
    const replaced = naming(edits.length > 1 ? at + 1 : null, () => replacedOnce(path, text, raw, one))
    ranges = [...moved(ranges.slice(0, MAX_SHOWN_RANGES), text, one, replaced.starts), ...replaced.ranges]
    raw = replaced.raw
    text = universalNewlines(raw)
    count += replaced.starts.length
    for (const note of replaced.notes) notes.add(note)
  }
  return {
    raw,
    ranges: [...ranges].sort((one, other) => one.first - other.first).slice(0, MAX_SHOWN_RANGES),
    count,
    notes: [...notes],
  }
}

/** Makes an edit; the failure of one of several says which it is, and that the file is as it was. */
function naming<T>(number: number | null, make: () => T): T {
  if (number === null) return make()
  try {
    return make()
  } catch (thrown) {
    if (!(thrown instanceof FailureError)) throw thrown
    const { failure } = thrown
    const message = say`edit ${number}: ${messageParts(failure)}. Nothing was changed`
    throw new FailureError(failureWith(failure.code, message, failure.data), { cause: thrown })
  }
}

function replacedOnce(path: string, text: string, raw: string, { wanted, replacement, everywhere }: Edit) {
  const places = placesOf(wanted, text)
  if (places.starts.length === 0) fail('not_found', textNotFound(path, text, wanted))
  if (places.count > 1 && !everywhere) ambiguous(path, text, places)
  const starts = apart(places, wanted)
  return { ...replaceIn(text, raw, { wanted, replacement, starts }), starts }
}

/** Lines that earlier edits changed, as they are numbered behind another one. */
function moved(
  ranges: readonly LineRange[],
  text: string,
  { wanted, replacement }: Edit,
  starts: readonly number[],
): readonly LineRange[] {
  const added = breaksIn(replacement) - breaksIn(wanted)
  if (added === 0 || ranges.length === 0) return ranges
  const lines = lineNumbers(text, starts)
  return ranges.map(({ first, last }) => {
    const before = lines.filter((line) => line < first).length
    const within = lines.filter((line) => line >= first && line <= last).length
    const begin = first + before * added
    return { first: begin, last: Math.max(begin, last + (before + within) * added) }
  })
}

/** Changed places that are kept to be shown: the view is cut long before. */
const MAX_SHOWN_RANGES = 1_000

const breaksIn = (text: string) => splitLines(`${text}x`).length - 1

function requireDifferent(wanted: string, replacement: string): void {
  if (wanted === '') {
    fail(
      'invalid_input',
      say`${field('old_text')} is empty; ${tool('file_write')} makes a file${ifKnown(say`, ${tool('file_replace_lines')} inserts lines`)}`,
    )
  }
  if (wanted === replacement) {
    fail(
      'invalid_input',
      say`${field('old_text')} and ${field('new_text')} are the same; nothing would change. The file keeps its line breaks, whichever are given`,
    )
  }
}

interface Places {
  readonly starts: readonly number[]
  /** Number of all, which may be more than `starts` has. */
  readonly count: number
}

function placesOf(wanted: string, text: string): Places {
  const starts: number[] = []
  let count = 0
  for (const start of occurrences(unitsOf(wanted), unitsOf(text))) {
    count++
    if (count <= MAX_REPLACED_PLACES) starts.push(start)
  }
  return { starts, count }
}

function ambiguous(path: string, text: string, { starts, count }: Places): never {
  const lines = lineNumbers(text, starts.slice(0, MAX_NAMED_LINES))
  const more = count > lines.length ? ', …' : ''
  fail(
    'conflict',
    say`${field('old_text')} occurs ${count} times in ${path}: lines ${lines.join(', ')}${more}; add lines around it until it occurs once, or give ${field('replace_all')}`,
  )
}

/** Numbers of the lines in which positions lie. @param positions in rising order */
function lineNumbers(text: string, positions: readonly number[]): number[] {
  let [line, passed] = [1, 0]
  return positions.map((position) => {
    line += splitLines(`${text.slice(passed, position)}x`).length - 1
    passed = position
    return line
  })
}

/** Places that do not overlap, from the first on. @throws FailureError `limit_exceeded` past MAX_REPLACED_PLACES */
function apart({ starts, count }: Places, wanted: string): number[] {
  if (count > MAX_REPLACED_PLACES) {
    fail(
      'limit_exceeded',
      say`${field('old_text')} occurs ${count} times; at most ${MAX_REPLACED_PLACES} are replaced at once (MAX_REPLACED_PLACES); use ${tool('execute_shell')}: sed`,
    )
  }
  let end = 0
  return starts.filter((start) => {
    if (start < end) return false
    end = start + wanted.length
    return true
  })
}

function replaceIn(text: string, raw: string, change: Replacement) {
  const { wanted, replacement, starts } = change
  const length = text.length + starts.length * (replacement.length - wanted.length)
  if (length > MAX_EDIT_BYTES) {
    fail(
      'limit_exceeded',
      `the file would have ${length} characters; at most ${MAX_EDIT_BYTES} bytes can be edited (MAX_EDIT_BYTES)`,
    )
  }
  return replacedText(text, raw, change)
}
