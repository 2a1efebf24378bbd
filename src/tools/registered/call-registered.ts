import { toFailure } from '../../core/failure.ts'
import type { Result } from '../../core/outcome.ts'
import type { Nesting } from '../../registry/chain/budget.ts'
import { execute } from './execute.ts'
import type { Amounts, ExecutorPorts, RegisteredCall } from './execution.ts'
import { checkArguments, checkResult } from './fitting.ts'

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
  const amounts = { bytesIn: 0, bytesOut: 0, sandboxMs: 0 }
  const used = ({ bytesIn = 0, bytesOut = 0, sandboxMs = 0 }: Partial<Amounts>) => {
    amounts.bytesIn += bytesIn
    amounts.bytesOut += bytesOut
    amounts.sandboxMs += sandboxMs
  }
  try {
    checkArguments(call.definition, args)
    const execution = { definition: call.definition, args, context, used, nesting, callRegistered }
    const result = await execute(execution, ports, signal)
    checkResult(call.definition, result)
    call.end({ failure: null, ...amounts })
    return result
  } catch (thrown) {
    call.end({ failure: toFailure(thrown).code, ...amounts })
    throw thrown
  }
}
