import { FailureError, fail, RefusalError, toFailure } from '../../core/failure.ts'
import type { Outcome, Result } from '../../core/outcome.ts'
import { chainOutcome } from '../../registry/chain/result.ts'
import { runChain } from '../../registry/chain/run.ts'
import type { ChainPorts } from '../../registry/chain/running.ts'
import type { Executor } from '../../registry/definition.ts'
import type { Execution, ExecutorPorts } from './execution.ts'

type ChainExecutor = Extract<Executor, { kind: 'chain' }>

/**
 * Runs a chain, a tool made of tools, within its own time. Each step is a call like any other: of a registered tool, by its
 * owner's rules, or of a tool that every session has, with its entry in the history.
 * @throws FailureError naming the step that ended it, with how all steps ended in `data`
 */
export async function runChainTool(
  { chain }: ChainExecutor,
  execution: Execution,
  ports: ExecutorPorts,
  signal: AbortSignal,
): Promise<Result> {
  const { definition, args, nesting } = execution
  const call = { name: definition.id, input: args, nesting }
  const chainPorts: ChainPorts = {
    call: (tool, given, within) => callStep({ tool, args: given }, { ...execution, ...within }, ports, within.signal),
    now: ports.clock.now,
    sleep,
    random: Math.random,
  }
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(timeOver(definition.timeout)), definition.timeout * 1_000)
  const result = await runChain(chain, { ...call, signal: AbortSignal.any([signal, over.signal]) }, chainPorts).finally(
    () => clearTimeout(timer),
  )
  const outcome = chainOutcome(result, nesting.around.length > 0)
  if (outcome.kind !== 'done') throw new FailureError(outcome.failure)
  return outcome.result
}

const timeOver = (seconds: number) =>
  new FailureError({
    code: 'timeout',
    message: `the chain took longer than its timeout of ${seconds} s; its owner can give it more, or part it`,
  })

async function callStep(
  call: { readonly tool: string; readonly args: unknown },
  { context, nesting }: Execution,
  { toolbox }: ExecutorPorts,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    // Such a step would begin a run of its own, and a loop through it would not be seen.
    if (call.tool === 'registered_call') fail('invalid_input', 'a step names the registered tool itself')
    const answer = await toolbox.call({ ...call, context }, nesting, signal)
    return 'soFar' in answer ? { kind: 'pending', ...answer } : { kind: 'done', result: answer }
  } catch (thrown) {
    return { kind: thrown instanceof RefusalError ? 'refused' : 'failed', failure: toFailure(thrown) }
  }
}

/** Waits. Ends early, and without an error, when `signal` aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}
