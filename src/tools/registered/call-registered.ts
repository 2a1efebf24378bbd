import { toFailure } from '../../core/failure.ts'
import type { Result } from '../../core/outcome.ts'
import type { Nesting } from '../../registry/chain/budget.ts'
import { execute } from './execute.ts'
import type { Executed, ExecutorPorts, RegisteredCall } from './execution.ts'
import { checkArguments, checkResult } from './fitting.ts'

const NOTHING = { bytesIn: 0, bytesOut: 0, sandboxMs: 0 }

/**
 * Makes one call of a registered tool, which counts from here to its end.
 * @param nesting the chains that it is called by
 * @throws FailureError what the tool could not do, RefusalError why it may not be called
 */
export async function callRegistered(
  { reference, args, context }: RegisteredCall,
  nesting: Nesting,
  ports: ExecutorPorts,
  signal: AbortSignal,
): Promise<Result> {
  const call = await ports.registered.begin(reference)
  let amounts: Omit<Executed, 'result'> = NOTHING
  try {
    checkArguments(call.definition, args)
    const execution = { definition: call.definition, args, context, nesting, callRegistered }
    const { result, ...used } = await execute(execution, ports, signal)
    amounts = used
    checkResult(call.definition, result)
    call.end({ failure: null, ...amounts })
    return result
  } catch (thrown) {
    call.end({ failure: toFailure(thrown).code, ...amounts })
    throw thrown
  }
}
