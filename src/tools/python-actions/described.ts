import { z } from 'zod'
import { fail } from '../../core/failure.ts'
import type { ActionDescription } from '../../lagent/description.ts'
import type { Python, PythonModule, PythonReply } from '../../ports/python.ts'

/** One action of a module: a class, or a function that `tool_api` decorates. */
export interface DescribedAction {
  /** What the module calls it. */
  readonly entry: string
  readonly kind: 'class' | 'function'
  /** As Lagent describes it, without what a parser adds. */
  readonly description: ActionDescription
  /** Of a class: with what its own parser adds. */
  readonly instance?: ActionDescription
}

const Text = z.string()
const Described = z.array(z.record(z.string(), z.unknown()))
/** `description` of a parameter may be any value: what `Annotated` has. */
const Api = z.looseObject({ name: Text, parameters: z.array(z.looseObject({ name: Text })), required: z.array(Text) })
const Description = z.union([z.looseObject({ name: Text, api_list: z.array(Api) }), Api])
const Action = z.object({
  entry: Text,
  kind: z.enum(['class', 'function']),
  description: Description,
  instance_description: Description.optional(),
})

/**
 * Lagent's own reading of a module's source, done in the sandbox: the module is loaded for it.
 * @throws FailureError `invalid_input` for what Lagent itself could not describe, with the function and the parameter
 */
export async function describeActions(
  python: Python,
  module: PythonModule,
  timeoutMs: number,
): Promise<DescribedAction[]> {
  const reply = await python.call({ module, ask: { do: 'describe' }, timeoutMs })
  if (reply.how !== 'returned') return fail('invalid_input', whyNot(reply))
  const described = Described.safeParse(reply.value)
  if (!described.success) return fail('invalid_input', 'the module describes itself by something else than Lagent does')
  return described.data.map((one) => {
    const action = Action.safeParse(one)
    if (!action.success)
      return fail('invalid_input', `${String(one.entry)} describes itself by something else than Lagent does`)
    const { entry, kind, description, instance_description } = action.data
    return {
      entry,
      kind,
      // The cast: what Lagent makes has these fields; types of parameters are its five words.
      description: description as unknown as ActionDescription,
      ...(instance_description && { instance: instance_description as unknown as ActionDescription }),
    }
  })
}

/** Why a module gave no answer, in a sentence. */
export function whyNot(reply: PythonReply): string {
  switch (reply.how) {
    case 'returned':
    case 'returnedText':
      return 'it returned something else than was expected'
    case 'raised':
      return `${where(reply.where)}${reply.type}: ${reply.message}`
    case 'unloadable': {
      const missing = reply.missing === undefined ? '' : `; name ${reply.missing} among the requirements if pip has it`
      return `${where(reply.where ?? reply.at)}${reply.type}: ${reply.message}${missing}`
    }
    case 'timedOut':
      return 'it was stopped at its time limit, with all that it had started'
    case 'died':
      return `its process ended with exit code ${reply.exitCode}; was it os._exit, a crash, or too much memory?`
    case 'tooLarge':
      return `it returned ${reply.bytes} bytes, which is too much (MAX_PYTHON_RESULT_BYTES); let it write a file and return its name`
  }
}

const where = (place: string | undefined) => (place === undefined ? '' : `${place}: `)
