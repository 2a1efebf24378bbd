import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { DEFAULT_GLOB_FILES, MAX_GLOB_FILES, MAX_SEARCH_WORK } from '../../core/limits/finding.ts'
import { field, say } from '../../core/saying/saying.ts'
import { CODE_RUN_DIR, UPLOAD_DIR } from '../../core/task-layout.ts'
import { pythonTimestamp } from '../../core/timestamp.ts'
import { joinPath, ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Workspace, WorkspaceEntry } from '../../ports/workspace.ts'
import { maxChars } from '../answer-budget.ts'
import { flag, integer, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { sandboxOnlyNotes } from '../sandbox-only.ts'
import { CHARS_AROUND_LINES, searchedDirectory, shownSome } from './find/search-directory.ts'
import { Walk } from './find/walk.ts'
import { compileGlob, relativeGlob } from './pattern/glob.ts'
import { WorkMeter } from './pattern/work-meter.ts'

/** Finds files by their paths. */
export const fileGlob = defineTool({
  name: 'file_glob',
  description:
    'Find files of the task by a pattern of their paths, e.g. "**/*.py": * and ? stay within a name, ** crosses ' +
    'directories, {a,b} and [a-z] work too. A pattern that ends with / finds directories. code_env/, .git/ and ' +
    'node_modules/ are left out unless all_directories. Runs at once, without a sandbox. Returns paths, sizes in bytes and ' +
    'times of change, sorted by path or newest first. Files by content: file_search.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({
    pattern: requiredText.describe(
      'Pattern of the whole path below dir_path, e.g. "**/*.{ts,tsx}"; "*.py" looks in dir_path alone',
    ),
    dir_path: withDefault(z.string(), '').describe('Directory relative to the task root. Default: the task root'),
    include_hidden: withDefault(flag, false).describe(
      'True to find names that begin with a point, too; a pattern that names one does anyway. Default false',
    ),
    newest_first: withDefault(flag, false).describe(
      'True to sort by time of change, the latest first. Default false: by path',
    ),
    max_results: withDefault(integer.pipe(z.int().min(1)), DEFAULT_GLOB_FILES)
      .transform((files) => Math.min(files, MAX_GLOB_FILES))
      .describe(`Files to show at most, up to ${MAX_GLOB_FILES}. Default ${DEFAULT_GLOB_FILES}`),
    offset: withDefault(integer.pipe(z.int().min(0)), 0).describe(
      'Files to pass over, from 0, to go on after a cut answer: its next_offset. Default 0',
    ),
    max_chars: maxChars(),
    respect_gitignore: withDefault(flag, false).describe(
      'True to leave out what .gitignore files of the task name. Default false',
    ),
    all_directories: withDefault(flag, false).describe('True to look into them, too. Default false'),
  }),

  async run(query, { ports: { workspace }, signal }) {
    const { pattern, dir_path, newest_first, max_results, max_chars, offset } = query
    const dir = await searchedDirectory(workspace, dir_path)
    const meter = new WorkMeter(MAX_SEARCH_WORK)
    const options = { dir, everything: query.all_directories, respectGitignore: query.respect_gitignore, meter }
    const walk = new Walk(workspace, options)
    const wanted = wantedEntries(pattern, dir, query.include_hidden, meter)
    const found: WorkspaceEntry[] = []
    for await (const entry of walk.entries()) {
      signal.throwIfAborted()
      if (wanted.matches(entry)) found.push(entry)
    }
    if (meter.isExhausted)
      fail(
        'limit_exceeded',
        say`there is too much to look at; give a ${field('dir_path')} further down, or a simpler pattern`,
      )
    if (newest_first) found.sort((one, other) => other.mtimeMs - one.mtimeMs)
    const shown = fitting(found.slice(offset, offset + max_results), max_chars - CHARS_AROUND_LINES)
    const left = found.length - offset - shown.length
    const leftOut = [...walk.leftOut]
    const notes = [
      ...(left > 0 ? [`${left} more; go on with offset ${offset + shown.length}`] : []),
      ...(found.length > 0
        ? []
        : wanted.hidden > 0
          ? [`${wanted.hidden} with a name that begins with a point passed over; include_hidden shows them`]
          : whyNothing(pattern, dir, workspace)),
      ...(found.length === 0 || query.all_directories ? sandboxOnlyNotes(walk.sandboxOnly) : []),
      ...(leftOut.length > 0 ? [`left out: ${shownSome(leftOut)}; all_directories looks there`] : []),
    ]
    return {
      text: [
        ...shown.map(describe),
        ...(found.length === 0 ? [`nothing matches ${pattern}`] : []),
        ...notes.map((note) => `[${note}]`),
      ].join('\n'),
      data: {
        pattern,
        dir_path: dir || '.',
        total: found.length,
        files: shown.map(shownEntry),
        ...(left > 0 && { truncated: true, next_offset: offset + shown.length }),
        ...(notes.length > 0 && { notes }),
      },
    }
  },
})

/** Test of an entry against the pattern, and the number of hidden ones that it passed over. */
function wantedEntries(pattern: string, dir: WorkspacePath, hidden: boolean, meter: WorkMeter) {
  const wantsDirectories = pattern.endsWith('/')
  const plain = relativeGlob(pattern).replace(/\/$/, '')
  const matches = compileGlob(plain, meter)
  // A pattern that names a hidden name means such: .github/**, **/.env
  const seesHidden = hidden || /(?:^|[/{,])\./.test(plain)
  const wanted = {
    hidden: 0,
    matches: ({ path, kind }: WorkspaceEntry) => {
      if ((kind === 'directory') !== wantsDirectories) return false
      const below = dir === ROOT ? path : path.slice(dir.length + 1)
      if (!matches(below)) return false
      const isSeen = seesHidden || !/(?:^|\/)\./.test(below)
      if (!isSeen) wanted.hidden += 1
      return isSeen
    },
  }
  return wanted
}

/** Advice for a pattern that found nothing. */
function whyNothing(pattern: string, dir: WorkspacePath, workspace: Workspace): readonly string[] {
  const plain = relativeGlob(pattern)
  if (/^[^*?[\]{}\\\0]+$/.test(plain) && !plain.includes('..')) {
    if (workspace.stat(joinPath(dir, plain))?.kind === 'directory')
      return [`${plain} is a directory; ${plain.replace(/\/$/, '')}/** finds what is in it`]
  }
  if (plain.includes('/')) return elsewhere(plain, dir, workspace)
  if (plain.startsWith('**')) return []
  return [`only ${dir || 'the task root'} itself was looked at; **/${plain} looks below it, too`]
}

/** Advice for a pattern whose first directory is in a directory that commands or uploads have, and not where the pattern looks. */
function elsewhere(plain: string, dir: WorkspacePath, workspace: Workspace): readonly string[] {
  const [first = ''] = plain.split('/')
  if (dir !== ROOT || /[*?[\]{}\\\0]/.test(first) || first === '..' || workspace.stat(joinPath(ROOT, first))) return []
  const place = [CODE_RUN_DIR, UPLOAD_DIR].find((top) => workspace.stat(joinPath(top, first))?.kind === 'directory')
  return place === undefined ? [] : [`${first} is in ${place}; did you mean ${place}/${plain}?`]
}

/** The first entries, as many as fit into so many characters, and one at least. */
function fitting(entries: readonly WorkspaceEntry[], chars: number): readonly WorkspaceEntry[] {
  let left = chars
  const end = entries.findIndex((entry, index) => {
    left -= JSON.stringify(shownEntry(entry)).length + 1
    return left < 0 && index > 0
  })
  return end === -1 ? entries : entries.slice(0, end)
}

function shownEntry(entry: WorkspaceEntry) {
  const { path, kind, mtimeMs } = entry
  const modified = pythonTimestamp(mtimeMs)
  if (kind === 'file') return { path, size: entry.size, modified }
  return kind === 'link' ? { path, target: entry.target, modified } : { path: `${path}/`, modified }
}

function describe(entry: WorkspaceEntry): string {
  if (entry.kind === 'directory') return `${entry.path}/`
  return entry.kind === 'file' ? `${entry.path}  ${entry.size}` : `${entry.path} -> ${entry.target}`
}
