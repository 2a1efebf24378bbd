import { describeAction, lagentAction } from '../../src/lagent/built-in/actions.ts'
import { isToolkitDescription } from '../../src/lagent/description.ts'
import { ActionRegistry, BaseParser } from '../../src/lagent/index.ts'
import type { PythonReply } from '../../src/ports/python.ts'
import { type Case, expectSame } from './case.ts'
import { moduleOf, type PythonCaller } from './sandbox.ts'

/** Python source → what Lagent says of its entry. */
export async function checkDescription(one: Case, call: PythonCaller): Promise<void> {
  const { kind: _, ...options } = one.options ?? {}
  const only = { entry: one.entry ?? null, options }
  const reply = await call({
    module: moduleOf(one.python_source ?? ''),
    ask: { do: 'describe', only },
    timeoutMs: 20_000,
  })
  if (one.expected_error) return expectSame('error', errorOf(reply), one.expected_error)
  const [described] = reply.how === 'returned' ? (reply.value as Readonly<Record<string, unknown>>[]) : []
  if (!described) return expectSame('description', errorOf(reply), one.expected_description)
  expectSame('description', described.description, one.expected_description)
  if (one.is_toolkit !== undefined) expectSame('is_toolkit', described.is_toolkit, one.is_toolkit)
  if (one.expected_instance_description !== undefined) {
    expectSame('description of an instance', described.instance_description, one.expected_instance_description)
  }
}

const registry = new ActionRegistry()

/** Checks an action that comes with Lagent, in its own words: one of the server, or a class of the library. */
export function checkBuiltIn(
  name: string,
  expected: { readonly is_toolkit: boolean; readonly description: unknown },
): void {
  const action = lagentAction(name)
  if (!action && !registry.listTools().includes(name)) throw new Error('there is no such action')
  const description = action ? describeAction(action) : registry.getTool(name, { parser: BaseParser }).description
  expectSame('is_toolkit', action?.isToolkit ?? isToolkitDescription(description), expected.is_toolkit)
  expectSame('description', description, expected.description)
}

const errorOf = (reply: PythonReply) =>
  reply.how === 'raised' || reply.how === 'unloadable' ? { type: reply.type, message: reply.message } : reply.how
