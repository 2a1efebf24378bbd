import { fail } from '../../../core/failure.ts'
import type { Result } from '../../../core/outcome.ts'
import { say, tool } from '../../../core/saying/saying.ts'
import { LOGS_DIR } from '../../../core/task-layout.ts'
import { baseName, ROOT, type WorkspacePath, workspacePath } from '../../../core/workspace-path.ts'
import type { Workspace, WorkspaceEntry } from '../../../ports/workspace.ts'
import { callerPath } from '../../caller-path.ts'
import { sandboxOnlyNotes } from '../../sandbox-only.ts'
import { whatExists } from '../../what-exists.ts'
import { compileGlob, relativeGlob } from '../pattern/glob.ts'
import type { WorkMeter } from '../pattern/work-meter.ts'
import { compileQuery, type Query, whyNoLine } from './query.ts'
import { FileSearch, type OutputMode, type Stop } from './search-files.ts'
import { printed } from './shown-line.ts'
import { Walk } from './walk.ts'

/** A search over the files of a directory. */
export interface DirectoryQuery extends Query {
  readonly dir_path: string
  readonly glob?: string | undefined
  readonly context: number
  readonly output_mode: OutputMode
  readonly max_matches: number
  readonly max_chars: number
  readonly after?: string | undefined
  readonly respect_gitignore: boolean
  readonly all_directories: boolean
}

/** Searches the files of a directory. @throws FailureError `not_found`, `invalid_input`, `limit_exceeded` */
export async function searchDirectory(
  query: DirectoryQuery,
  workspace: Workspace,
  meter: WorkMeter,
  signal: AbortSignal,
): Promise<Result> {
  const dir = await searchedDirectory(workspace, query.dir_path)
  const behind = query.after === undefined ? null : placeBehind(workspace, query.after)
  const walk = new Walk(workspace, {
    dir,
    after: behind?.path,
    everything: query.all_directories,
    respectGitignore: query.respect_gitignore,
    withoutCommandLogs: !query.all_directories && dir !== LOGS_DIR && !query.glob?.startsWith(LOGS_DIR),
    meter,
  })
  const search = new FileSearch(workspace, {
    pattern: compileQuery(query, meter),
    context: query.context,
    mode: query.output_mode,
    maxMatches: query.max_matches,
    maxChars: query.max_chars - CHARS_AROUND_LINES,
    wanted: query.glob === undefined || query.glob === '' ? () => true : wantedBy(query.glob, dir, meter),
    behind,
    signal,
  })
  const rest = behind && Number.isFinite(behind.line) ? workspace.stat(behind.path) : null
  await search.over(beginningWith(rest, walk.entries()))
  return answer(query, dir, search, walk)
}

/** Path of a directory that is to be searched. @throws FailureError `not_found`, `invalid_input` */
export async function searchedDirectory(workspace: Workspace, given: string): Promise<WorkspacePath> {
  const dir = callerPath(workspace, given)
  const entry = workspace.stat(dir)
  if (!entry) fail('not_found', say`Directory not found: ${given}; ${await whatExists(workspace, dir)}`)
  if (entry.kind !== 'directory')
    fail('invalid_input', say`Not a directory: ${given}; ${tool('file_read')} reads a file`)
  return dir
}

/** Whether a glob wants a file: one without a `/` is for names at any depth, one with a `!` before it for all others. */
function wantedBy(glob: string, dir: WorkspacePath, meter: WorkMeter): (path: WorkspacePath) => boolean {
  const excludes = glob.startsWith('!')
  const plain = relativeGlob(excludes ? glob.slice(1) : glob)
  const matches = compileGlob(plain, meter)
  const isForNames = !plain.includes('/')
  return (path) => {
    const below = dir === ROOT ? path : path.slice(dir.length + 1)
    return matches(isForNames ? baseName(path) : below) !== excludes
  }
}

/** Place of `path` or `path:line`. The whole path where there is one with a colon in it. */
export function placeBehind(workspace: Workspace, given: string) {
  const [, path = given, line] = /^(.+):(\d{1,9})$/s.exec(given) ?? []
  const whole = workspacePath(given)
  return line === undefined || workspace.stat(whole)
    ? { path: whole, line: Number.POSITIVE_INFINITY }
    : { path: workspacePath(path), line: Number(line) }
}

async function* beginningWith(entry: WorkspaceEntry | null, rest: AsyncIterable<WorkspaceEntry>) {
  if (entry) yield entry
  yield* rest
}

const REASONS: Readonly<Record<Stop, string>> = {
  max_matches: 'as many are shown as max_matches grants',
  max_chars: 'as much is shown as max_chars grants',
  bytes: 'as many bytes were read as one search may read',
  fetches: 'as many files were fetched as one search may fetch',
  work: 'the search took as long as one search may take',
}

function answer(query: DirectoryQuery, dir: WorkspacePath, search: FileSearch, walk: Walk): Result {
  const { searched, stop } = search
  const shown = shownMatches(query.output_mode, search)
  const skipped = Object.fromEntries(search.skipped)
  const leftOut = [...walk.leftOut]
  const after = stop ? search.goOnAfter : null
  const isNothing = shown.files === 0
  const notes = [
    ...(stop
      ? [`stopped, ${REASONS[stop]}${after === null ? '' : `; go on with after ${JSON.stringify(after)}`}`]
      : []),
    ...(stop === 'work' || skipped.unfinished
      ? ['a simpler pattern, or one with a plain word in it, is found sooner']
      : []),
    ...(isNothing || query.all_directories ? sandboxOnlyNotes(walk.sandboxOnly) : []),
    ...(isNothing && !stop ? whyNoLine(query) : []),
    ...(walk.hasUnheededRules ? ['there are too many rules in .gitignore files; the last were not heeded'] : []),
  ]
  const counts = Object.entries(skipped).map(([reason, number]) => `${number} ${reason.replace('_', ' ')}`)
  const summary = [
    `${stop ? 'at least ' : ''}${shown.total === null ? '' : `${shown.total} lines in `}${shown.files} of ${searched} files`,
    ...(counts.length > 0 ? [`not searched: ${counts.join(', ')}`] : []),
    ...(leftOut.length > 0 ? [`left out: ${shownSome(leftOut)}; all_directories searches them`] : []),
    ...(walk.ignored > 0 ? [`${walk.ignored} left out by .gitignore`] : []),
  ]
  return {
    text: [
      ...shown.lines,
      ...(isNothing ? [`no line has ${JSON.stringify(query.search_text)}`] : []),
      ...[summary.join('; '), ...notes].map((line) => `[${line}]`),
    ].join('\n'),
    data: {
      dir_path: dir || '.',
      ...(shown.total !== null && { total_matches: shown.total }),
      // Lines behind the place of the stop were not counted.
      ...(stop && { at_least: true }),
      files_with_matches: shown.files,
      files_searched: searched,
      ...shown.data,
      ...(counts.length > 0 && { skipped }),
      ...(leftOut.length > 0 && { left_out: leftOut.slice(0, MAX_SHOWN_DIRECTORIES) }),
      ...(walk.ignored > 0 && { ignored: walk.ignored }),
      ...(stop && { truncated: true, ...(after !== null && { next_after: after }) }),
      ...(notes.length > 0 && { notes }),
    },
  }
}

/** Matches as an output mode shows them, with the number of their lines, null where they were not counted, and of files. */
function shownMatches(mode: OutputMode, { found, files }: FileSearch) {
  switch (mode) {
    case 'content': {
      const lines = found.flatMap((line) => printed(line, line.file_path))
      const names = new Set(found.map(({ file_path }) => file_path))
      return { lines, total: found.length, files: names.size, data: { matches: found } }
    }
    case 'count': {
      const lines = files.map(({ file_path, matches }) => `${file_path}:${matches}`)
      const total = files.reduce((sum, { matches }) => sum + matches, 0)
      return { lines, total, files: files.length, data: { files } }
    }
    case 'files_with_matches': {
      const lines = files.map(({ file_path }) => file_path)
      return { lines, total: null, files: files.length, data: { files: lines } }
    }
  }
}

/** Characters of an answer beside its lines, about. */
export const CHARS_AROUND_LINES = 2_000
const MAX_SHOWN_DIRECTORIES = 10

export const shownSome = (names: readonly string[]) =>
  names.length <= MAX_SHOWN_DIRECTORIES
    ? names.join(', ')
    : `${names.slice(0, MAX_SHOWN_DIRECTORIES).join(', ')} and ${names.length - MAX_SHOWN_DIRECTORIES} more`
