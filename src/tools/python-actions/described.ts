import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { safeRead } from '../../core/safe-read.ts'
import type { ActionDescription } from '../../lagent/description.ts'
import type { Python, PythonModule } from '../../ports/python.ts'
import { whyNot } from '../python-reply.ts'

/** One action of a module: a class, or a function that `tool_api` decorates. */
export interface DescribedAction {
  /** Name of the action in the module. */
  readonly entry: string
  readonly kind: 'class' | 'function'
  /** Lagent's description, without a parser's additions. */
  readonly description: ActionDescription
  /** Description of a class's instance, with its own parser's additions. */
  readonly instance?: ActionDescription
}

const Text = z.string()
const Described = z.array(z.record(z.string(), z.unknown()))
/** API of a module. `description` of a parameter may be any value that stands in `Annotated`. */
const Api = z.looseObject({ name: Text, parameters: z.array(z.looseObject({ name: Text })), required: z.array(Text) })
const Description = z.union([z.looseObject({ name: Text, api_list: z.array(Api) }), Api])
const Action = z.object({
  entry: Text,
  kind: z.enum(['class', 'function']),
  description: Description,
  instance_description: Description.optional(),
})

/**
 * Describes a module's actions by Lagent's own reading of its source, done in the sandbox: the module is loaded for it.
 * @throws FailureError `invalid_input` for a module that Lagent itself could not describe, with the function and the
 * parameter
 */
export async function describeActions(
  python: Python,
  module: PythonModule,
  timeoutMs: number,
): Promise<DescribedAction[]> {
  const reply = await python.call({ module, ask: { do: 'describe' }, timeoutMs })
  if (reply.how !== 'returned') return fail('invalid_input', whyNot(reply))
  const described = safeRead(Described, reply.value)
  if (!described.success) return fail('invalid_input', 'the module describes itself by something else than Lagent does')
  return described.data.map((one) => {
    const action = safeRead(Action, one)
    if (!action.success)
      return fail('invalid_input', `${String(one.entry)} describes itself by something else than Lagent does`)
    const { entry, kind, instance_description } = action.data
    // As received, and not as parsed, which has other orders of keys. The casts: Lagent's descriptions have these fields;
    // types of parameters are its five words.
    return {
      entry,
      kind,
      description: one.description as ActionDescription,
      ...(instance_description && { instance: one.instance_description as ActionDescription }),
    }
  })
}
