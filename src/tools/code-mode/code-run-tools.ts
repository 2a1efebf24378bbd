import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import {
  CODE_RUN_SECONDS,
  MAX_CODE_CALLS,
  MAX_CODE_CHARS,
  MAX_CODE_RUN_SECONDS,
  MAX_CODE_TOOL_NAMES,
} from '../../core/limits/code-mode.ts'
import { field, say } from '../../core/saying/saying.ts'
import { CODE_RUN_DIR } from '../../core/task-layout.ts'
import { oneOrMoreTexts, optional, requiredText, seconds } from '../arguments.ts'
import { commandData, commandText, streamChars } from '../command-result.ts'
import { defineTool } from '../define.ts'
import { filesChanged } from '../files-changed.ts'
import { CODE_RUN_TOOLS, CodeCalls, IN_ITSELF } from './code-calls.ts'
import { codeScript, lackOf } from './code-script.ts'

/**
 * Runs code that calls the session's tools. No published API has this: results of the calls stay in the sandbox, where the code
 * works with them, and the model sees what the code prints.
 */
export const codeRunTools = defineTool({
  name: CODE_RUN_TOOLS,
  description:
    'Run code in the sandbox that calls tools, for work of many calls or with large results. These stay in the code; only what it ' +
    'prints comes back. Python: tools.file_read(file_path="a.csv")["content"]. TypeScript: (await tools.file_read({ file_path: ' +
    '"a.csv" })).content. A call gives the fields of the tool; one that fails raises ToolError (code, message). Other names: ' +
    `tools["weather.now"]. Threads and Promise.all call side by side; at most ${MAX_CODE_CALLS} calls. Returns exit_code, stdout, ` +
    'stderr, tool_calls and files_changed; an exit code other than 0 is a result.',
  effect: 'run',
  uses: ['runner', 'toolbox'],
  input: z.object({
    code: requiredText.describe('The program; print what you want to see'),
    language: optional(z.enum(['python', 'typescript'])).describe('Default "python"'),
    tools: optional(oneOrMoreTexts).describe(
      'The only tools that the code may call, by name. Default: all that you may',
    ),
    timeout: optional(seconds).describe(
      `Seconds until it is stopped, at most ${MAX_CODE_RUN_SECONDS}. Default ${CODE_RUN_SECONDS}`,
    ),
    max_chars: streamChars,
  }),

  async run(
    { code, language = 'python', tools = null, timeout = CODE_RUN_SECONDS, max_chars },
    { ports: { runner, toolbox }, signal },
  ) {
    if (toolbox.nesting.around.includes(CODE_RUN_TOOLS)) fail('invalid_input', IN_ITSELF)
    requireRunnable(code, tools)
    const calls = new CodeCalls(toolbox, tools, signal)
    const result = await runner
      .run({
        script: codeScript(language, code),
        cwd: CODE_RUN_DIR,
        label: CODE_RUN_TOOLS,
        timeoutMs: Math.min(timeout, MAX_CODE_RUN_SECONDS) * 1_000,
        maxChars: max_chars,
        isShown: true,
        calls: (line, hasFiles) => calls.answer(line, hasFiles),
      })
      .finally(() => calls.end())
    const lack = lackOf({ exitCode: result.exitCode, stderr: result.stderr.text })
    if (lack !== null) fail('upstream', lack)
    const changed = filesChanged(result)
    const { counts } = calls
    const notes = [...cutTime(timeout), ...changed.notes]
    const data = { ...commandData(result, notes), tool_calls: counts, ...changed.data }
    if (result.timedOut) {
      const message = `the code was stopped after ${Math.min(timeout, MAX_CODE_RUN_SECONDS)} seconds, and ${counts.calls} calls of tools; what these did stays done. Give a larger timeout, or let it do less`
      fail('timeout', message, { data })
    }
    const called = `${counts.calls} ${counts.calls === 1 ? 'call' : 'calls'} of tools`
    return { text: [commandText(result, notes), called, ...changed.lines].join('\n'), data }
  },
})

function requireRunnable(code: string, tools: readonly string[] | null): void {
  if (code.includes('\0')) fail('invalid_input', say`${field('code')} has a NUL character; remove it`)
  if (code.length > MAX_CODE_CHARS) {
    fail(
      'limit_exceeded',
      say`${field('code')} has ${code.length} characters; at most ${MAX_CODE_CHARS} are taken (MAX_CODE_CHARS): put a part into a file of the task, and import it`,
    )
  }
  if (tools && tools.length > MAX_CODE_TOOL_NAMES) {
    fail(
      'limit_exceeded',
      say`${field('tools')} has more than ${MAX_CODE_TOOL_NAMES} names (MAX_CODE_TOOL_NAMES); leave it out to allow all`,
    )
  }
}

const cutTime = (timeout: number) =>
  timeout > MAX_CODE_RUN_SECONDS
    ? [`timeout was cut to ${MAX_CODE_RUN_SECONDS} seconds, the longest that is granted`]
    : []
