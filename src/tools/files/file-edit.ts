import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { CHANGE_CONTEXT_LINES, MAX_NAMED_LINES, MAX_REPLACED_PLACES } from '../../core/limits/edits.ts'
import { MAX_EDIT_BYTES } from '../../core/limits/workspace.ts'
import { occurrences, unitsOf } from '../../core/occurrences.ts'
import { field, ifKnown, say, tool } from '../../core/saying/saying.ts'
import { flag, givenText, optional, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { changedLines } from './changed-lines.ts'
import { editedFile } from './edited-file.ts'
import { splitLines, universalNewlines } from './lines.ts'
import { textNotFound } from './not-found-text.ts'
import { type Replacement, replacedText } from './replaced-text.ts'
import { readTextFile } from './text-file.ts'
import { writeTarget } from './write-target.ts'

/** Replaces a text in a file that has it exactly once, or everywhere by request. Ours. */
export const fileEdit = defineTool({
  name: 'file_edit',
  description:
    'Replace a piece of a text file of the task: old_text must stand in it exactly once, or replace_all is true. Copy ' +
    'old_text from the file with its white space, without line numbers; \\n matches any line break. Line breaks, encoding ' +
    `and the rest of the file stay. Files of at most ${MAX_EDIT_BYTES / 1024 ** 2} MiB; runs without a sandbox. Returns ` +
    `changed_lines: those with ${CHANGE_CONTEXT_LINES} around, numbered. Several places or files at once: file_patch; a new ` +
    'file: file_write.',
  effect: 'write',
  uses: ['workspace'],
  input: z.object({
    file_path: requiredText.describe('Path relative to the task root, e.g. "code_run/hello.py"'),
    old_text: givenText.describe('The text to replace, as it stands in the file; several lines may be given'),
    new_text: givenText.describe('The text to put there; "" deletes old_text'),
    replace_all: withDefault(flag, false).describe('Replace old_text wherever it stands. Default false'),
    encoding: optional(z.string()).describe('Write the whole file in this encoding. Default: the one it has'),
  }),

  async run({ file_path, old_text, new_text, replace_all, encoding: encodingName }, { ports: { workspace } }) {
    const target = writeTarget(workspace, file_path)
    const wanted = universalNewlines(old_text)
    const replacement = universalNewlines(new_text)
    requireDifferent(wanted, replacement)
    const file = await readTextFile(workspace, file_path)
    const places = placesOf(wanted, file.text)
    if (places.starts.length === 0) fail('not_found', textNotFound(file_path, file.text, wanted))
    if (places.count > 1 && !replace_all) ambiguous(file_path, file.text, places)
    const replaced = replaceIn(file.text, file.raw, { wanted, replacement, starts: apart(places, wanted) })
    const { content, encoding, facts, notes } = editedFile(file, replaced.raw, encodingName)
    await workspace.commit([{ op: 'write', path: target, content }])
    const lines = splitLines(universalNewlines(replaced.raw))
    const shown = changedLines(lines, replaced.ranges)
    const { count } = replaced
    const allNotes = [...replaced.notes, ...notes]
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
  return { ...replacedText(text, raw, change), count: starts.length }
}
