import { fail } from '../../../../core/failure.ts'
import { MAX_NUMBERED_LINES, MAX_PATHS_PER_CALL, MAX_READ_TOGETHER_CHARS } from '../../../../core/limits/requests.ts'
import type { Outcome } from '../../../../core/outcome.ts'
import type { Params } from '../../../parameters/params.ts'
import { toList } from '../../../parameters/tool-parameters.ts'
import { answering, type Call, type Data, flagOf, textOf, without } from './calls.ts'

/** Reads one file, or several one after the other; numbers lines unless `show_line_numbers` is false. */
export async function readFiles(params: Params, call: Call): Promise<Outcome> {
  const numbered = flagOf(params, 'show_line_numbers') ?? true
  const room: Room = { chars: MAX_READ_TOGETHER_CHARS, lines: numbered ? MAX_NUMBERED_LINES : Number.POSITIVE_INFINITY }
  const shown = (data: Data) => (numbered ? withNumbers(data) : data)
  const args = without(params, 'show_line_numbers')
  const paths = pathsOf(params.file_path, 'path')
  const [only] = paths
  if (paths.length < 2) {
    const outcome = await call({ tool: 'file_read', args: { ...args, file_path: only } })
    if (outcome.kind === 'done') {
      const error = take(room, outcome.result.data)
      if (error !== null) fail('limit_exceeded', error)
    }
    return answering(outcome, shown)
  }
  const files: Record<string, Data> = {}
  const errors: string[] = []
  for (const path of paths) {
    const outcome = await call({ tool: 'file_read', args: { ...args, file_path: path } })
    const error = outcome.kind === 'done' ? take(room, outcome.result.data) : null
    if (error !== null) {
      files[path] = { status: 'error', error }
      errors.push(`${path}: ${error}`)
    } else if (outcome.kind === 'done') {
      const { content, total_lines, truncated, next_start_line, notes } = shown(outcome.result.data)
      const cut = truncated === true && { truncated, next_start_line, notes }
      files[path] = { status: 'success', content, total_lines, ...cut }
    } else if ('failure' in outcome) {
      if (outcome.failure.code === 'rate_limited') return outcome
      files[path] = { status: 'error', error: outcome.failure.message }
      errors.push(outcome.failure.message)
    }
  }
  const data = {
    total_files: paths.length,
    success_count: paths.length - errors.length,
    error_count: errors.length,
    files,
  }
  return errors.length < paths.length
    ? { kind: 'done', result: { text: '', data } }
    : { kind: 'failed', failure: { code: 'not_found', message: errors.join('; '), data } }
}

/** Remaining allowance of one call for reading. */
interface Room {
  chars: number
  lines: number
}

/** Counts the content of a read file. @returns why the file is left out, where it exceeds the allowance; else null */
function take(room: Room, { content }: Data): string | null {
  if (typeof content !== 'string') return null
  let lines = 1
  for (let at = content.indexOf('\n'); at !== -1; at = content.indexOf('\n', at + 1)) lines += 1
  if (lines > room.lines) {
    return `more than ${MAX_NUMBERED_LINES} lines are read at once (MAX_NUMBERED_LINES); set show_line_numbers to false, or read fewer lines by start_line and end_line`
  }
  if (content.length > room.chars) {
    return `more than ${MAX_READ_TOGETHER_CHARS} characters are read at once (MAX_READ_TOGETHER_CHARS); read fewer files together`
  }
  room.chars -= content.length
  room.lines -= lines
  return null
}

function withNumbers(data: Data): Data {
  if (typeof data.content !== 'string') return data
  const first = Number.parseInt(String(data.line_range), 10) || 1
  const lines = data.content.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return { ...data, content: lines.map((content, at) => ({ line: first + at, content })) }
}

/** Writes the whole file, or those lines of it when `start_line` is given. */
export function writeFile(params: Params, call: Call): Promise<Outcome> {
  const { start_line, end_line, content, ...rest } = params
  if (start_line === undefined || start_line === null) {
    const mode = rest.mode === 'write' ? { mode: 'overwrite' } : {}
    return call({ tool: 'file_write', args: { ...without(params, 'start_line', 'end_line'), ...mode } })
  }
  if (typeof content !== 'string') fail('invalid_input', 'missing required parameter: content')
  return call({
    tool: 'file_replace_lines',
    args: {
      ...without(rest, 'mode'),
      start_line,
      end_line: end_line ?? start_line,
      // infiAgent's empty content makes an empty line; to the tool it means to delete.
      new_content: content === '' ? '\n' : content,
    },
  })
}

/** Moves one path, or several into a directory; with `copy` they stay where they are too. */
export async function moveFiles(params: Params, call: Call): Promise<Outcome> {
  const tool = flagOf(params, 'copy') ? 'file_copy' : 'file_move'
  const dest_path = textOf(params, 'dest_path') ?? ''
  const sources = pathsOf(params.src_path, 'source')
  const others = without(params, 'src_path', 'dest_path', 'copy')
  const [only] = sources
  // A destination under another name than infiAgent's is among the others.
  const isElsewhere = dest_path === '' && Object.keys(others).length > 0
  if (sources.length < 2)
    return call({ tool, args: { ...others, src_path: only ?? '', ...(!isElsewhere && { dest_path }) } })
  // Without the directory each would take the place of the one before.
  const made = await call({ tool: 'dir_create', args: { dir_path: dest_path } })
  if (made.kind !== 'done') return made
  const moved: string[] = []
  for (const src_path of sources) {
    const outcome = await call({ tool, args: { ...others, src_path, dest_path } })
    if ('failure' in outcome) {
      const { failure } = outcome
      return { ...outcome, failure: { ...failure, data: { ...failure.data, done: moved, failed: src_path } } }
    }
    moved.push(src_path)
  }
  const [from, to] = tool === 'file_copy' ? ['copied_from', 'copied_to'] : ['moved_from', 'moved_to']
  return { kind: 'done', result: { text: '', data: { [from]: moved, [to]: dest_path } } }
}

function pathsOf(given: unknown, name: string): string[] {
  const paths = given === undefined || given === null ? [] : toList(given)
  if (paths.length > MAX_PATHS_PER_CALL) {
    fail(
      'limit_exceeded',
      `${name} has ${paths.length} entries; at most ${MAX_PATHS_PER_CALL} are taken at once (MAX_PATHS_PER_CALL)`,
    )
  }
  return paths.map((path) =>
    typeof path === 'string' ? path : fail('invalid_input', `${name} must be a path or a list of paths`),
  )
}
