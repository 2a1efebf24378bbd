import { describe, expect, it } from 'vitest'
import { executorWords, finishesInAction, hooksOf } from '../../../bench/lagent/executor-words.ts'
import { ActionExecutor, agentMessage, BaseAction } from '../../../src/lagent/index.ts'

describe('the executor of a recorded case', () => {
  it.each([
    [
      'in words',
      "ActionExecutor([dict(type=Bold, parser=TupleParser)], finish_in_action={'type': FinishAction})",
      true,
    ],
    [
      'by name',
      { actions: [{ type: 'Bold', parser: 'TupleParser' }], finish_in_action: { type: 'FinishAction' } },
      true,
    ],
    ['with a flag', { actions: ['Bold(parser=TupleParser)'], finish_in_action: true }, true],
    ['without one', { actions: ['Bold(parser=TupleParser)'] }, false],
    [
      'with an empty config, which Python takes for false',
      'ActionExecutor([Bold(parser=TupleParser)], finish_in_action={})',
      false,
    ],
    ['with a flag that is off', 'ActionExecutor([Bold(parser=TupleParser)], finish_in_action=False)', false],
  ])('is read %s', (_how, executor, finishes) => {
    const words = executorWords({ executor })
    expect(words).toContain('[Bold(parser=TupleParser)]')
    expect(finishesInAction(words)).toBe(finishes)
  })

  it('has the hooks that it names, with the parameter for code', async () => {
    const calls: unknown[] = []
    const description = {
      name: 'Code',
      description: '',
      parameters: [{ name: 'src', type: 'STRING', description: '' }] as never[],
      required: [],
    }
    const code = new BaseAction({ description, caller: (_api, args) => calls.push(args) })
    const formatted = { tool_type: 'interpreter', thought: '', action: '1 + 1', status: 1 }
    for (const words of [
      "hooks=[InternLMActionProcessor(code_parameter='src')]",
      'InternLMActionProcessor, code_parameter="src"',
    ]) {
      const executor = new ActionExecutor({ actions: code, hooks: hooksOf(words) })
      await executor.respond(agentMessage({ content: '1 + 1', formatted }))
    }
    expect(calls).toEqual([{ src: '1 + 1' }, { src: '1 + 1' }])
    expect(
      hooksOf(executorWords({ executor: '', hooks: ['ActionPreprocessor', 'InternLMActionProcessor'] })),
    ).toHaveLength(2)
  })
})
