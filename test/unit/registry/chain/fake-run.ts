import type { FailureCode } from '../../../../src/core/failure.ts'
import type { Outcome } from '../../../../src/core/outcome.ts'
import type { Nesting } from '../../../../src/registry/chain/budget.ts'
import { runChain } from '../../../../src/registry/chain/run.ts'
import type { ChainPorts } from '../../../../src/registry/chain/running.ts'

export const done = (data: Record<string, unknown>, text = 'done'): Outcome => ({
  kind: 'done',
  result: { text, data },
})
export const failed = (code: FailureCode, message = 'it could not'): Outcome => ({
  kind: 'failed',
  failure: { code, message },
})

export interface Call {
  readonly tool: string
  readonly args: unknown
}

type FakeTool = (
  args: never,
  context: { readonly signal: AbortSignal; readonly nesting: Nesting; readonly call: number },
) => Outcome | Promise<Outcome>

/**
 * Runs chains over tools that are functions. Time moves only by `advance`, which wakes sleepers that are due; with
 * `hurried` each sleep of less than ten seconds ends at once, and is noted.
 */
export function fakeRun(tools: Readonly<Record<string, FakeTool>>, { hurried = true } = {}) {
  const calls: Call[] = []
  const slept: number[] = []
  const sleepers = new Set<{ readonly until: number; wake(): void }>()
  let now = 1_000

  const ports: ChainPorts = {
    async call(tool, args, context) {
      calls.push({ tool, args })
      const fake = tools[tool]
      if (!fake) return { kind: 'refused', failure: { code: 'not_found', message: `Tool ${tool} not found` } }
      return fake(args as never, { ...context, call: calls.filter((call) => call.tool === tool).length })
    },
    now: () => now,
    async sleep(ms, signal) {
      if (signal.aborted) return
      if (hurried && ms < 10_000) {
        slept.push(ms)
        return
      }
      await new Promise<void>((resolve) => {
        const sleeper = { until: now + ms, wake: resolve }
        sleepers.add(sleeper)
        signal.addEventListener('abort', () => {
          sleepers.delete(sleeper)
          resolve()
        })
      })
    },
    random: () => 1,
  }

  return {
    ports,
    calls,
    slept,
    sleepers,
    /** Wakes whoever has slept long enough by then. */
    advance(ms: number) {
      now += ms
      for (const sleeper of sleepers) if (sleeper.until <= now) sleeper.wake()
    },
    run: (
      definition: unknown,
      input: unknown = {},
      more: { name?: string; signal?: AbortSignal; nesting?: Nesting } = {},
    ) => runChain(definition, { name: 'my.chain', input, signal: new AbortController().signal, ...more }, ports),
  }
}
