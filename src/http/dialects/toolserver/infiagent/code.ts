import { fail } from '../../../../core/failure.ts'
import type { Outcome } from '../../../../core/outcome.ts'
import { CODE_RUN_DIR } from '../../../../core/task-layout.ts'
import { workspacePath } from '../../../../core/workspace-path.ts'
import { noting } from '../../../parameters/checked-call.ts'
import type { Params } from '../../../parameters/params.ts'
import { linesAsText } from '../../../parameters/text-conversions.ts'
import { ToolParameters } from '../../../parameters/tool-parameters.ts'
import { answering, type Call, countOf, flagOf, textOf, without } from './calls.ts'
import { startedProcess } from './processes.ts'
import { grepScript, pythonScript } from './scripts.ts'

/** Runs a file or `code`, in another directory, with its output in a file, or in the background. */
export async function executeCode(params: Params, call: Call): Promise<Outcome> {
  const args = without(params, 'code', 'working_dir', 'use_venv', 'background', 'output_file')
  const code = textOf({ code: linesAsText(params.code) }, 'code')
  const given = textOf(params, 'file_path')
  if (code !== null && given !== null) fail('invalid_input', 'code and file_path are both given; give one of them')
  const workdir = workspacePath(textOf(params, 'working_dir') ?? CODE_RUN_DIR)
  const outputFile = textOf(params, 'output_file')
  const background = flagOf(params, 'background') ?? false
  // A name of its own: another call of the task may run code at the same time.
  const file_path = code === null ? given : `${CODE_RUN_DIR}/temp_code_${crypto.randomUUID().slice(0, 8)}.py`
  const isElsewhere = workdir !== CODE_RUN_DIR
  // The answer of a process in another directory is infiAgent's own.
  if (outputFile === null && !(isElsewhere && background)) {
    const where = { ...(isElsewhere && { workdir: workdir || '.' }), ...(background && { background }) }
    return call({
      tool: 'execute_code',
      args: { ...args, ...where, ...(code === null ? { file_path: given } : { code }) },
    })
  }
  if (file_path === null) return call({ tool: 'execute_code', args })
  const command = pythonScript({ filePath: file_path, outputFile, background })
  if (code !== null) {
    const written = await call({ tool: 'file_write', args: { file_path, content: code } })
    if (written.kind !== 'done') return written
  }
  const run = { ...without(args, 'file_path'), command, workdir: workdir || '.' }
  if (!background) return call({ tool: 'execute_shell', args: run })
  const outcome = await call({ tool: 'execute_shell', args: { ...without(run, 'timeout'), background } })
  return answering(outcome, startedProcess)
}

/** Runs a command in the task's root, as infiAgent does. */
export const executeCommand = (params: Params, call: Call): Promise<Outcome> =>
  call({ tool: 'execute_shell', args: { ...params, workdir: textOf(params, 'workdir') ?? '.' } })

/** Parameters of `grep`, which is no tool of the server. */
const GREP = new ToolParameters({
  name: 'grep',
  effect: 'read',
  inputSchema: {
    properties: {
      pattern: {}, search_path: {}, file_pattern: {}, recursive: {}, case_sensitive: {}, show_line_number: {}, max_results: {},
      context_lines: {},
    },
    required: ['pattern'],
  },
}) // biome-ignore format: a list of names

/** Searches files by `grep -P`: Perl's patterns are Python's except for rare ones. */
export const grep = (given: Params, call: Call): Promise<Outcome> =>
  noting(GREP, given, async (params) => searched(params, call))

function searched(params: Params, call: Call): Promise<Outcome> {
  const command = grepScript({
    pattern: textOf(params, 'pattern') ?? fail('invalid_input', 'missing required parameter: pattern'),
    searchPath: textOf(params, 'search_path') ?? '.',
    filePattern: textOf(params, 'file_pattern') ?? '*',
    recursive: flagOf(params, 'recursive') ?? true,
    caseSensitive: flagOf(params, 'case_sensitive') ?? true,
    showLineNumber: flagOf(params, 'show_line_number') ?? true,
    maxResults: countOf(params, 'max_results', 1) ?? 100,
    contextLines: countOf(params, 'context_lines', 0) ?? 0,
  })
  return call({ tool: 'execute_shell', args: { command, workdir: '.' } })
}
