import { fail } from '../../core/failure.ts'
import type { Result } from '../../core/outcome.ts'
import { utf8Length } from '../../core/utf8-length.ts'
import type { PythonModule, PythonReply } from '../../ports/python.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Executor } from '../../registry/definition.ts'
import { PYTHON_TARGET } from '../../registry/workable.ts'
import { commandNotices } from '../command-result.ts'
import { sayWhyNot } from '../python-reply.ts'
import { needsSecret } from './credentials.ts'
import type { Execution, ExecutorPorts } from './execution.ts'

type PythonExecutor = Extract<Executor, { kind: 'python' }>

/**
 * Calls a Python function as Toolcore planned it: `func(**args, context=context)`, awaited, within the tool's time. Its
 * return value is the result; its output stands beside it.
 * Source: Toolcore, the planned form of its Python executor.
 * @throws FailureError `upstream` for a raised error and for a module that cannot be loaded, `timeout`, and as
 * `Python.call`
 */
export async function callPython(
  executor: PythonExecutor,
  { definition, args, context, used }: Execution,
  { python, secrets }: ExecutorPorts,
  signal: AbortSignal,
): Promise<Result> {
  const { module, entry } = moduleOf(executor)
  const opened = await openSecrets(executor.secrets ?? [], secrets)
  const ask = {
    do: 'function',
    entry,
    args,
    context: executor.secrets ? { ...context, secrets: opened } : context,
  } as const
  const timeoutMs = definition.timeout * 1_000
  const ran = (sandboxMs: number) => used({ bytesIn: utf8Length(JSON.stringify(args)), sandboxMs })
  const reply = await python.call({ module, ask, timeoutMs, secrets: Object.values(opened), ran }, signal)
  const printed = printedData(reply)
  const result = resultOf(reply, definition.timeout, printed)
  const text = typeof result === 'string' ? result : JSON.stringify(result)
  used({ bytesOut: utf8Length(text) })
  return { text, data: { result, ...printed } }
}

function moduleOf({ target, source, files, requirements = [] }: PythonExecutor): {
  readonly module: PythonModule
  readonly entry: string
} {
  const [, main, entry] = PYTHON_TARGET.exec(target) ?? []
  if (main === undefined || entry === undefined) {
    return fail(
      'invalid_input',
      `the tool's target is ${target.slice(0, 200)} and not module.path:function_name; its owner must mend it`,
    )
  }
  const own = source === undefined ? (files ?? {}) : { [`${main.replaceAll('.', '/')}.py`]: source }
  return { module: { files: own, main, requirements }, entry }
}

async function openSecrets(names: readonly string[], secrets: Secrets): Promise<Record<string, string>> {
  const opened: Record<string, string> = {}
  for (const name of names) {
    opened[name] = (await secrets(name)) ?? fail('conflict', needsSecret(name))
  }
  return opened
}

function resultOf(reply: PythonReply, timeout: number, printed: Readonly<Record<string, unknown>>): unknown {
  switch (reply.how) {
    case 'returned':
      return reply.value
    case 'returnedText':
      return reply.text
    case 'timedOut':
      return fail('timeout', `Timeout after ${timeout}s`, { data: printed })
    case 'tooLarge':
      return fail('limit_exceeded', sayWhyNot(reply), { data: printed })
    case 'raised':
      return fail('upstream', sayWhyNot(reply), { data: { traceback: reply.traceback, ...printed } })
    default:
      return fail('upstream', sayWhyNot(reply), { data: printed })
  }
}

/** Fields of the output, only those with something to say: each costs tokens. */
const printedData = ({ stdout, stderr, notices }: PythonReply): Record<string, unknown> => ({
  ...(stdout.bytes > 0 && { stdout: stdout.text }),
  ...(stderr.bytes > 0 && { stderr: stderr.text }),
  ...commandNotices({ stdout, stderr, ...notices }),
})
