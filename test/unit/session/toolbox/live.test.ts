import { afterEach, expect, it, vi } from 'vitest'
import type { Result } from '../../../../src/core/outcome.ts'
import { outermost } from '../../../../src/registry/chain/budget.ts'
import { BegunCall } from '../../../../src/session/begun/begun-call.ts'
import type { ToolSource } from '../../../../src/session/toolbox/source.ts'
import type { ToolboxUser } from '../../../../src/session/toolbox/toolbox.ts'
import { NO_TOOLS } from '../../../support/no-tools.ts'
import type { Sandboxd } from '../../../support/sandboxd.ts'
import { sessionBench } from '../../../support/session-bench.ts'
import { wordTools } from './word-tools.ts'

afterEach(() => void vi.restoreAllMocks())

/** The words' tools, which show that they are half done. */
const showing: ToolSource<'tool'> = {
  ...wordTools,
  async call(call, ports, signal): Promise<Result> {
    call.live?.({ stream: 'stdout', text: 'half done\n' })
    const result = await wordTools.call(call, ports, signal)
    return { ...result, data: { result: call.live !== undefined } }
  },
}

/** Calls the tool from a call of the history. @returns whether it could show something, and what was shown */
async function shown(begun: BegunCall | null, isSilent: boolean) {
  vi.spyOn(NO_TOOLS.calls, 'begin').mockImplementation((async () => ({
    tool: null,
    tight: false,
  })) as unknown as typeof NO_TOOLS.calls.begin)
  const { session } = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd, { sources: () => [showing] })
  const user = {
    ...{ callId: 'c', by: { key: null, agent: null }, nesting: outermost(), begun, ports: {} },
    ...{
      wasNoted: () => false,
      account: { countedElsewhere: () => undefined, madeCall: () => undefined, takeEnd: null },
    },
  } as unknown as ToolboxUser // the tool uses no port
  const call = { tool: 'words.count', args: { text: 'one two' }, ...(isSilent && { isSilent: true as const }) }
  const answer = await session.toolbox.port(user).call(call, user.nesting, new AbortController().signal)
  const { result } = 'data' in answer ? answer.data : { result: answer }
  return { result, pieces: begun?.since(0).pieces ?? [] }
}

it('shows what a tool passes on to those who follow the call', async () => {
  expect(await shown(new BegunCall(), false)).toEqual({
    result: true,
    pieces: [{ stream: 'stdout', text: 'half done\n' }],
  })
})

it('shows nothing of a call that nobody follows, and of a silent step', async () => {
  expect(await shown(null, false)).toEqual({ result: false, pieces: [] })
  expect(await shown(new BegunCall(), true)).toEqual({ result: false, pieces: [] })
})
