import { fail } from '../../../../core/failure.ts'
import { shellQuote } from '../../../../core/shell-quote.ts'
import { VENV_DIR } from '../../../../core/task-layout.ts'
import { absolutePath, parentPath, ROOT, workspacePath } from '../../../../core/workspace-path.ts'

/** Arguments of `grep`. */
export interface Grep {
  readonly pattern: string
  readonly searchPath: string
  readonly filePattern: string
  readonly recursive: boolean
  readonly caseSensitive: boolean
  readonly showLineNumber: boolean
  readonly maxResults: number
  readonly contextLines: number
}

/** Command that prints `path:line:text` of each match. Exits with 1 when there is none, with 2 for a broken pattern. */
export function grepScript(query: Grep): string {
  const path = workspacePath(query.searchPath)
  const root = path === ROOT ? '.' : `./${path}`
  const flags = ['-P', '-H', '-I', query.caseSensitive ? '' : '-i', query.showLineNumber ? '-n' : '']
  const context = query.contextLines > 0 ? ['-C', `${query.contextLines}`] : []
  const depth = query.recursive ? '' : '-maxdepth 1'
  const found = `find ${shellQuote(root)} ${depth} -path ./${VENV_DIR} -prune -o -type f -name ${shellQuote(query.filePattern)}`
  const grep = ['grep', ...flags.filter(Boolean), ...context, '-e', shellQuote(query.pattern), '--']
  // A broken pattern is reported once, also where no file is searched.
  const check = `printf '' | ${grep.slice(0, -1).join(' ')} || [ $? -lt 2 ] || exit 2`
  const search = `${found} -print0 | sort -z | xargs -0 -r ${grep.join(' ')} | sed 's#^\\./##' | head -n ${query.maxResults}`
  return `[ -e ${shellQuote(root)} ] || { echo ${shellQuote(`Search path not found: ${query.searchPath}`)} >&2; exit 2; }
${check}
matches=$(${search})
[ -n "$matches" ] || exit 1
printf '%s\\n' "$matches"`
}

/** Run of a Python file, with its output in a file or in the answer; one in the background goes on as a job. */
export interface PythonRun {
  readonly filePath: string
  readonly outputFile: string | null
  readonly background: boolean
}

const MAX_PREVIEW_BYTES = 1_000

/** The command that runs a file of the task as Python. */
export function pythonScript({ filePath, outputFile, background }: PythonRun): string {
  const python = `python=${absolutePath(VENV_DIR)}/bin/python; [ -x "$python" ] || python=python3`
  const run = `"$python" ${shellQuote(absolutePath(workspacePath(filePath)))}`
  if (outputFile === null) {
    if (background) fail('invalid_input', 'output_file is required when background is true')
    return `${python}; exec ${run}`
  }
  const path = workspacePath(outputFile)
  const output = shellQuote(absolutePath(path))
  const opened = `mkdir -p ${shellQuote(absolutePath(parentPath(path)))} || exit 1; ${python}`
  return background
    ? `# ${filePath} > ${outputFile}\n${opened}; exec ${run} > ${output} 2>&1`
    : `${opened}; ${run} > ${output} 2>&1; status=$?; head -c ${MAX_PREVIEW_BYTES} ${output}; exit $status`
}
