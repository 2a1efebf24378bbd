import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { DEFAULT_FOUND_LINES, MAX_CONTEXT_LINES, MAX_FOUND_LINES, MAX_SEARCH_WORK } from '../../core/limits/finding.ts'
import { MAX_SEARCH_CHARS } from '../../core/limits/workspace.ts'
import type { Result } from '../../core/outcome.ts'
import { field, say } from '../../core/saying/saying.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { maxChars } from '../answer-budget.ts'
import { flag, integer, optional, requiredTextUpTo, withDefault } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { whyNoLine } from './find/query.ts'
import { CHARS_AROUND_LINES, placeBehind, searchDirectory } from './find/search-directory.ts'
import { type FileQuery, searchFile } from './find/search-file.ts'
import { OUTPUT_MODES } from './find/search-files.ts'
import { printed } from './find/shown-line.ts'
import { WorkMeter } from './pattern/work-meter.ts'
import { readTextFile } from './text-file.ts'

/**
 * Searches a file, or the files of a directory. The arguments and fields for one file are those of the Tool Server of October 2025,
 * tools/file_tools, FileSearchTool; `regex`, `context` and directories are ours.
 */
export const fileSearch = defineTool({
  name: 'file_search',
  description:
    'Find the lines that have a text, or match a regular expression (regex: true), in a text file such as a log ' +
    '(file_path), or in all text files of a directory (dir_path). Runs at once, without a sandbox. Returns matches: ' +
    'line_number and line_content, with file_path each for a directory. Case does not count unless case_sensitive. In a ' +
    'directory code_env/, .git/, node_modules/ and outputs of commands in logs/ are left out unless all_directories. ' +
    'Files by name: file_glob.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({
    file_path: optional(z.string()).describe(
      'File to search, relative to the task root. Default: the directory is searched',
    ),
    search_text: requiredTextUpTo(
      MAX_SEARCH_CHARS,
      `has more than ${MAX_SEARCH_CHARS} characters (MAX_SEARCH_CHARS)`,
    ).describe(`What to find, within one line; at most ${MAX_SEARCH_CHARS} characters`),
    case_sensitive: withDefault(flag, false).describe('True to tell "A" from "a". Default false'),
    encoding: optional(z.string()).describe('How to decode the file of file_path, e.g. "gbk". Default: detected'),
    dir_path: optional(z.string()).describe(
      'Directory to search with all below it, or a file, relative to the task root. Default: the task root',
    ),
    regex: withDefault(flag, false).describe(
      'True when search_text is a regular expression (RE2: no look-around, no back references). Default false',
    ),
    glob: optional(z.string()).describe(
      'Which files of a directory to search, e.g. "*.py", "src/**/*.{ts,tsx}" or "!*.min.js". Default: all',
    ),
    output_mode: withDefault(z.enum(OUTPUT_MODES), 'content').describe(
      '"count": only how many lines match, in each file; "files_with_matches": only which files. Default "content": the lines',
    ),
    context: withDefault(integer.pipe(z.int().min(0)), 0)
      .transform((lines) => Math.min(lines, MAX_CONTEXT_LINES))
      .describe(`Lines to show before and after each match, at most ${MAX_CONTEXT_LINES}. Default 0`),
    max_matches: optional(integer.pipe(z.int().min(1)))
      .transform((lines) => lines && Math.min(lines, MAX_FOUND_LINES))
      .describe(
        `Lines to show at most, up to ${MAX_FOUND_LINES}; files, where output_mode names files. Default: ${DEFAULT_FOUND_LINES} lines, ${MAX_FOUND_LINES} files`,
      ),
    max_chars: maxChars(),
    after: optional(z.string()).describe(
      'Where to go on after a cut answer: its next_after. Default: from the beginning',
    ),
    respect_gitignore: withDefault(flag, false).describe(
      'True to leave out what .gitignore files of the task name. Default false',
    ),
    all_directories: withDefault(flag, false).describe('True to search them, too. Default false'),
  }),

  async run({ file_path: file = '', dir_path = '', encoding, ...query }, { ports: { workspace }, signal }) {
    const meter = new WorkMeter(MAX_SEARCH_WORK)
    if (file !== '' && dir_path !== '')
      fail('invalid_input', say`${field('file_path')} and ${field('dir_path')} are both given; give one of them`)
    const file_path = file || (await fileAt(workspace, dir_path))
    if (file_path === null) {
      const usual = query.output_mode === 'content' ? DEFAULT_FOUND_LINES : MAX_FOUND_LINES
      const max_matches = query.max_matches ?? usual
      return searchDirectory({ ...query, max_matches, dir_path }, workspace, meter, signal)
    }
    const max_matches = query.max_matches ?? DEFAULT_FOUND_LINES
    const max_chars = query.max_chars - CHARS_AROUND_LINES
    const isCounting = query.output_mode !== 'content'
    return inFile({ ...query, isCounting, max_matches, max_chars, file_path, encoding }, workspace, meter, signal)
  },
})

/** The path when a file is there, a virtual one too; else null. Callers who know a file only as a path give it as `dir_path`. */
async function fileAt(workspace: Workspace, given: string): Promise<string | null> {
  const path = callerPath(workspace, given)
  const kind = workspace.stat(path)?.kind
  if (kind === 'directory') return null
  return kind === 'file' || (await workspace.read(path)) !== null ? given : null
}

interface OneFile extends Omit<FileQuery, 'behind'> {
  readonly after?: string | undefined
  readonly file_path: string
  readonly encoding: string | undefined
}

async function inFile(query: OneFile, workspace: Workspace, meter: WorkMeter, signal: AbortSignal): Promise<Result> {
  const { file_path, search_text, case_sensitive, regex } = query
  if (workspace.stat(callerPath(workspace, file_path))?.kind === 'directory')
    fail('invalid_input', say`Not a file: ${file_path}; give a directory as ${field('dir_path')} to search its files`)
  const { text, encoding, path } = await readTextFile(workspace, file_path, query.encoding)
  const behind = query.after === undefined ? 0 : lineBehind(query.after, path, workspace)
  const { matches, total, left, totalLines, unfinished } = await searchFile(text, { ...query, behind }, meter, signal)
  const last = matches.at(-1)
  const after = left > 0 && last ? `${path}:${last.line_number}` : null
  const notes = unfinished
    ? ['the search took as long as one may take and did not reach the end of the file; use a simpler pattern']
    : total === 0
      ? whyNoLine(query)
      : []
  const goOn = after === null ? [] : [`and ${left} more lines; go on with after ${JSON.stringify(after)}`]
  return {
    text: [
      ...matches.flatMap((match) => printed(match)),
      ...(query.isCounting ? [`${total} lines of ${totalLines} in ${file_path}`] : []),
      ...(total === 0 && !unfinished ? [`${file_path} does not have ${JSON.stringify(search_text)}`] : []),
      ...(after === null ? [] : [`[${goOn}, or show more by max_matches and max_chars]`]),
      ...notes.map((note) => `[${note}]`),
    ].join('\n'),
    data: {
      file_path,
      search_text,
      case_sensitive,
      ...(regex && { regex }),
      total_matches: total,
      total_lines: totalLines,
      matches,
      detected_encoding: encoding.name,
      ...((left > 0 || unfinished) && { truncated: true }),
      ...(after !== null && { next_after: after }),
      ...(notes.length + goOn.length > 0 && { notes: [...goOn, ...notes] }),
    },
  }
}

/** Line of a file behind which a search goes on. @throws FailureError `invalid_input` for a place in another file */
function lineBehind(after: string, path: WorkspacePath, workspace: Workspace): number {
  const place = placeBehind(workspace, after)
  if (place.path === path && Number.isFinite(place.line)) return place.line
  fail('invalid_input', say`${field('after')} is no line of this file, such as ${JSON.stringify(`${path}:12`)}`)
}
