import { FunctionCall } from '../../src/lagent/index.ts'
import { dumpJson } from '../../src/lagent/python/dump-json.ts'
import { readJson } from '../../src/lagent/python/read-json.ts'
import { readLiteral } from '../../src/lagent/python/read-literal.ts'
import { isDict } from '../../src/lagent/python/to-text.ts'
import { fromWire } from '../../src/tools/python-actions/python-values.ts'
import type { Case } from './case.ts'
import { executorWords } from './executor-words.ts'

/**
 * Value of `formatted=…` in a case's words, which may shorten it (`{"name": .., "parameters": ..}`) and continue after it.
 * Where it is missing and its hook worked, the input was in it.
 */
export function formattedOf({ executor: words = '', formatted, hooks, input, expected }: Case): unknown {
  if (formatted !== undefined) return fromWire(formatted)
  const executor = executorWords({ executor: words, hooks })
  const [, text] = /formatted\s*[=:]\s*(.*)$/s.exec(executor) ?? []
  if (text === undefined) return expected && /Preprocessor|Processor/.test(executor) ? whole(input) : undefined
  const [, name = '', parameters = ''] =
    /^FunctionCall\((?:name=)?["'](.*?)["'],\s*(?:parameters=)?(.*)\)/s.exec(text) ?? []
  try {
    return name === ''
      ? fromWire(readJson(withInput(upToLast('}', text), input), { wholeFloats: true }))
      : new FunctionCall(name, fromWire(readJson(parameters, { wholeFloats: true })))
  } catch {
    return literal(text) ?? input
  }
}

/** A dict as Python writes it, `{'action': 'print(1)'}`; null when the text is none. */
function literal(text: string): unknown {
  try {
    const value = readLiteral(upToLast('}', text))
    return isDict(value) ? value : null
  } catch {
    return null
  }
}

const whole = (action: unknown) => ({ tool_type: '', thought: '', action, status: 0 })

const upToLast = (end: string, text: string) => (text.includes(end) ? text.slice(0, text.lastIndexOf(end) + 1) : text)

/** Text with two or three dots replaced by the input's content at that place: for `action` all of it. */
function withInput(text: string, input: unknown): string {
  const { name = '', parameters = {} } = (input ?? {}) as Readonly<Record<string, unknown>>
  const meant: Readonly<Record<string, unknown>> = { name, parameters, action: input }
  return text.replaceAll(
    /"(\w+)":\s*(?:\.\.+|\{\.\.+\})/g,
    (_, key: string) => `"${key}": ${dumpJson(meant[key] ?? '')}`,
  )
}
