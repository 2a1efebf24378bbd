import { fail } from '../../core/failure.ts'
import { field, say, tool } from '../../core/saying/saying.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { absolutePath } from '../../core/workspace-path.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { callerPath } from '../caller-path.ts'
import { whatExists } from '../what-exists.ts'

/** Python to run: a file of the task, or text. */
interface Given {
  readonly file_path?: string | undefined
  readonly code?: string | undefined
  readonly args?: readonly string[] | undefined
}

/** A program as `execute_code` runs it. */
interface PythonProgram {
  /** Bash that runs it in the task's environment. */
  readonly script: string
  /** Command as lists show it. */
  readonly shown: string
  /** Published fields of the answer that name it. */
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * The program that a call names.
 * @throws FailureError `invalid_input` unless the call has exactly one of `file_path` and `code`, `not_found`
 */
export async function pythonProgram(
  { file_path, code, args = [] }: Given,
  workspace: Workspace,
): Promise<PythonProgram> {
  const words = args.map((arg) => ` ${shellQuote(arg)}`).join('')
  // An empty one beside the other means that it is left out.
  if (file_path && code)
    fail('invalid_input', say`${field('code')} and ${field('file_path')} are both given; give one of them`)
  if (code !== undefined && !file_path)
    return { script: textScript(code, words), shown: `python (code of the call)${words}`, data: {} }
  if (file_path === undefined)
    fail('invalid_input', say`missing required parameter: ${field('file_path')}, or ${field('code')} to run a text`)
  if (file_path === '') fail('invalid_input', say`${field('file_path')} is required`)
  const path = callerPath(workspace, file_path)
  if (!workspace.stat(path) && isPython(file_path))
    fail('invalid_input', say`${field('file_path')} is Python and no path; give Python as ${field('code')}`)
  if (!workspace.stat(path)) {
    const advice = await whatExists(workspace, path, say`write it with ${tool('file_write')} first`)
    fail('not_found', say`File not found: ${file_path}; ${advice}`)
  }
  const script = `${PYTHON}; exec "$python" ${shellQuote(absolutePath(path))}${words}`
  return { script, shown: `python ${file_path}${words}`, data: { executed_file: file_path } }
}

/** Whether a text has several lines, or a call at its end: `print(6 * 7)`, and not `copy(1).py`. */
const isPython = (text: string) => text.includes('\n') || (text.includes('(') && text.endsWith(')'))

/**
 * Script that runs a text as a file would be run: in a file outside of the task, so that nothing is left there, with a short name
 * for tracebacks; modules are found in the current directory, too.
 */
function textScript(code: string, words: string): string {
  if (code.includes('\0')) fail('invalid_input', say`${field('code')} has a NUL character; remove it`)
  if (code.trim() === '') fail('invalid_input', say`${field('code')} is empty; give the Python to run`)
  return `${PYTHON}
code=$(mktemp -d /tmp/XXXXXX) && trap 'rm -rf "$code"' EXIT || exit
printf %s ${shellQuote(code)} > "$code/code.py" || exit
PYTHONPATH=$PWD\${PYTHONPATH:+:$PYTHONPATH} "$python" "$code/code.py"${words}`
}

/** Python of the task's environment, or the system's, as in the original, where a caller has removed the environment. */
const PYTHON = `python=${absolutePath(VENV_DIR)}/bin/python; [ -x "$python" ] || python=python3`
