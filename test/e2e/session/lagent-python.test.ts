import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_ACTION_SOURCE_CHARS, MAX_PYTHON_ACTIONS } from '../../../src/core/limits/python.ts'
import { ActionExecutor, Float } from '../../../src/lagent/index.ts'
import type { PythonCall, PythonReply } from '../../../src/ports/python.ts'
import { BUILT_IN_DESCRIPTIONS } from '../../../src/tools/lagent/built-in-descriptions.ts'
import { PythonAction } from '../../../src/tools/python-actions/action.ts'
import { describeActions } from '../../../src/tools/python-actions/described.ts'
import { moduleOf, pythonBench } from '../../support/python-bench.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

function aPython() {
  const { bench } = pythonBench(sandboxd)
  const call = async (call: PythonCall) =>
    dataOf(await bench.call('python_call', { secrets: [], ...call })) as unknown as PythonReply
  return {
    describe: (source: string) => describeActions({ call }, moduleOf(source), 20_000),
    async action(source: string, entry: string, parser?: 'TupleParser', timeoutMs = 20_000) {
      const module = moduleOf(source)
      const described = (await describeActions({ call }, module, 20_000)).find((one) => one.entry === entry)
      if (!described) throw new Error(`no ${entry}`)
      return new PythonAction({ module, described, timeoutMs, ...(parser && { parser }) }, { call })
    },
  }
}

const KIT = `
from typing import Annotated, List, Optional
from lagent.actions import AsyncActionMixin, BaseAction, BaseParser, TupleParser, tool_api
from lagent.schema import ActionReturn, ActionStatusCode

class Kit(BaseAction):
    """Things to try.

    Args:
        start (int): where it begins
    """
    def __init__(self, start: int = 0, **more):
        super().__init__(**more)
        self.count = start

    @tool_api(explode_return=True)
    def next(self, by: int = 1):
        """Count

        Args:
            by (int): how far

        Returns:
            dict: where it is
                * count (int): the number
                * unit: what is counted
        """
        self.count += by
        return {'count': self.count, 'unit': 'Stößel €'}

    @tool_api
    def echo(self, value):
        """Echo"""
        return value

    @tool_api
    def fail(self):
        """Fail"""
        raise RuntimeError('on purpose')

    @tool_api
    def forever(self):
        """Never ends"""
        while True: pass

class Slow(AsyncActionMixin, BaseAction):
    """Takes a moment"""
    def __init__(self):
        super().__init__(parser=TupleParser)

    async def run(self, text: Annotated[str, 'what to say'], times: Optional[int] = 1):
        import asyncio
        await asyncio.sleep(0)
        return ActionReturn(errmsg=text * times, state=ActionStatusCode.HTTP_ERROR)

@tool_api
def shout(text: str) -> str:
    """Make it loud

    Args:
        text (str): what
    """
    return text.upper()

def helper(): pass
`

const ODD = `
from lagent.actions import BaseAction, tool_api
from lagent.actions.builtin_actions import FinishAction
from lagent.schema import ActionReturn, ActionStatusCode

class Odd(BaseAction):
    """Odd"""
    @tool_api
    def stop(self):
        """Stop"""
        raise StopIteration('enough')

    @tool_api
    def code(self):
        """Code"""
        return ActionStatusCode.API_ERROR

    @tool_api
    def own(self):
        """Own"""
        return ActionReturn(result=[{'type': 'image', 'content': 5, 'width': 1}], state=-5, valid=None)

    @tool_api
    def shown(self, thought):
        """Shown"""
        return ActionReturn(url=10 ** 20, thought=thought, state=None, result=thought)

    @tool_api
    def echo(self, value):
        """Echo"""
        return value

class Other(BaseAction):
    """Told otherwise"""
    def __init__(self, **more):
        super().__init__({'name': 'renamed', 'description': 'own', 'parameters': [], 'required': []}, **more)

    def run(self):
        """Run"""
        return 'ran'

class Done(FinishAction):
    """Finishes"""

@tool_api(explode_return=True)
def members():
    """M

    Returns:
        dict: what there is
            - a: A
            :b
    """
`

const BUILT_INS = BUILT_IN_DESCRIPTIONS.map(({ name }) => `'${name}'`).join(', ')

const COMPOSED = `
import asyncio
from lagent.actions import *
from lagent.actions.action_executor import ActionExecutor
from lagent.hooks import ActionPreprocessor, Hook
from lagent.schema import AgentMessage, AgentStatusCode, FunctionCall

class Inner(BaseAction):
    """Inside"""
    @tool_api
    def add(self, x: int, y: int = 2):
        """Add"""
        return x + y

class Note(Hook):
    def before_action(self, executor, message, session_id):
        self.asked = message.content.name

class Composed(BaseAction):
    """Calls others"""
    def run(self, name, parameters):
        """Run"""
        note, call = Note(), FunctionCall(name, parameters)
        executor = ActionExecutor([Inner()], hooks=[note, dict(type='lagent.hooks.ActionPreprocessor')])
        answer = executor(AgentMessage(content=call, formatted=call))
        aside = asyncio.run(AsyncActionExecutor(dict(type=Inner))(AgentMessage(content=call)))
        assert aside.content.format_result() in ('', answer.content)
        assert answer.stream_state == AgentStatusCode.END and executor.description()[0]['name'] == 'Inner.add'
        return 'asked %s, got %s from %s' % (note.asked, answer.content, answer.sender)

class Listed(BaseAction):
    """As Lagent's published document has it"""
    def run(self):
        """Run"""
        from lagent import get_tool, list_tools
        executor = ActionExecutor(get_tool('Inner'))
        names = [api['name'] for api in executor.get_actions_info()]
        return list_tools(), names, executor('Inner.add', '{"x": 5}').format_result()
`

const WITH_BUILT_INS = `
from lagent import ArxivSearch, AsyncWebBrowser, BaseAction, IPythonInterpreter, TupleParser, get_tool
from lagent.actions.google_search import GoogleSearch
import lagent.actions

class Said(BaseAction):
    """What those that come with Lagent say"""
    def run(self, name):
        """Run"""
        action = get_tool(name, parser=TupleParser, timeout=20)
        assert isinstance(action, getattr(lagent.actions, name))
        return {'is_toolkit': action.is_toolkit, **type(action).__tool_description__}

class Mine(GoogleSearch):
    """My own search"""
    def run(self, query: str):
        """Searches"""
        return 'nothing for ' + query

class Uses(BaseAction):
    """Calls one of them"""
    def run(self):
        """Run"""
        answer = ArxivSearch()('{"query": "x"}', 'get_arxiv_article_information')
        return '%s: %s' % (answer.state, answer.errmsg)
`

describe('what Python says of its actions', () => {
  it('has those that come with Lagent, described as there, to import, to find by name and to derive from', async () => {
    const { describe, action } = aPython()
    expect((await describe(WITH_BUILT_INS)).map(({ entry }) => entry)).toEqual(['Said', 'Mine', 'Uses'])
    const describer = await action(WITH_BUILT_INS, 'Said')
    for (const description of BUILT_IN_DESCRIPTIONS) {
      const answer = await describer.call({ name: description.name })
      expect(JSON.parse(answer.formatResult())).toEqual({ is_toolkit: 'api_list' in description, ...description })
    }
    const mine = await action(WITH_BUILT_INS, 'Mine')
    expect((await mine.call('{"query": "x"}')).formatResult()).toBe('nothing for x')
    const uses = await action(WITH_BUILT_INS, 'Uses')
    expect((await uses.call({})).formatResult()).toMatch(/^-1002: ArxivSearch is run by the server and not by Python/)
  })

  it('is what Lagent says: classes, and functions that are decorated', async () => {
    const { describe } = aPython()
    const [kit, slow, loud, ...more] = await describe(KIT)
    expect(more).toEqual([])
    expect(kit).toMatchObject({
      entry: 'Kit',
      kind: 'class',
      description: {
        name: 'Kit',
        description: 'Things to try.',
        api_list: [
          {
            name: 'next',
            description: 'Count',
            parameters: [{ name: 'by', type: 'NUMBER', description: 'how far' }],
            required: [],
            return_data: [
              { name: 'count', description: 'the number', type: 'NUMBER' },
              { name: 'unit', description: 'what is counted' },
            ],
          },
          { name: 'echo', parameters: [{ name: 'value', type: 'STRING', description: '' }], required: ['value'] },
          { name: 'fail' },
          { name: 'forever' },
        ],
      },
    })
    expect(slow).toMatchObject({
      description: {
        name: 'Slow',
        description: 'Takes a moment',
        parameters: [
          { name: 'text', type: 'STRING', description: 'what to say' },
          { name: 'times', type: 'NUMBER', description: '' },
        ],
        required: ['text'],
      },
      instance: { parameter_description: expect.stringContaining('tuple format') },
    })
    const inOrder = ['name', 'description', 'parameters', 'required']
    expect(Object.keys(slow?.instance ?? {})).toEqual([...inOrder, 'parameter_description'])
    expect(Object.keys(loud?.description ?? {})).toEqual(inOrder)
    expect(loud).toMatchObject({ entry: 'shout', kind: 'function', description: { name: 'shout', required: ['text'] } })
  })

  it('has members without a name, and those that Lagent itself has for the end of a task', async () => {
    const { describe } = aPython()
    const described = await describe(ODD)
    expect(described.find(({ entry }) => entry === 'members')?.description).toMatchObject({
      return_data: [
        { name: 'a', description: 'A' },
        { name: '', description: 'b' },
      ],
    })
    expect(described.find(({ entry }) => entry === 'Done')?.description).toMatchObject({ name: 'Done', parameters: [] })
  })

  it.each([
    [
      'def f(a: int):\n    """F\n\n    Args:\n        a: no type\n    """',
      "f(a): AttributeError: 'NoneType' object has no attribute",
    ],
    ['def f(a: Annotated[int, 1, 2]):\n    """F"""', 'f(a): ValueError: too many values to unpack'],
  ])('names the function and the parameter that cannot be described: %j', async (source, message) => {
    const { describe } = aPython()
    const whole = `from typing import Annotated\nfrom lagent.actions import tool_api\n@tool_api\n${source}\n`
    await expect(describe(whole)).rejects.toThrow(message)
  })

  it('says so of a function whose members nobody can read, and of a class that is both', async () => {
    const { describe } = aPython()
    const imports = 'from lagent.actions import BaseAction, tool_api\n'
    await expect(describe(`${imports}@tool_api(explode_return=True)\ndef f():\n    """F"""\n`)).rejects.toThrow(
      'f: IndexError: list index out of range',
    )
    const both = 'class A(BaseAction):\n  @tool_api\n  def run(self): "r"\n  @tool_api\n  def other(self): "o"\n'
    await expect(describe(`${imports}${both}`)).rejects.toThrow('can not be implemented at the same time')
    await expect(describe('def f(: pass')).rejects.toThrow('tool.py:1: SyntaxError')
    await expect(describe('import nothing_of_this_name')).rejects.toThrow(
      'name nothing_of_this_name among the requirements',
    )
  })
})

describe('a call of an action in Python', () => {
  it('is Lagent’s: parsers, results as text, what it cannot do', async () => {
    const { action } = aPython()
    const kit = await action(KIT, 'Kit')
    expect(await kit.call('{"by": 2}', 'next')).toMatchObject({
      args: { by: 2 },
      type: 'Kit',
      // GBK has no ö, ß and €, and Lagent leaves out what GBK has not.
      result: [{ type: 'text', content: '{"count": 2, "unit": "Stel "}' }],
      state: 0,
    })
    expect(await kit.call({}, 'next')).toMatchObject({ result: [{ content: expect.stringContaining('"count": 3') }] })
    expect(await kit.call('{"value": [1.0, NaN, null]}', 'echo')).toMatchObject({
      args: { value: [1, Number.NaN, null] },
      result: [{ content: '[1.0, nan, None]' }],
    })
    expect(await kit.call({}, 'echo')).toMatchObject({ errmsg: "missing required arguments: {'value'}", state: -1001 })
    expect(await kit.call({}, 'fail')).toMatchObject({ args: {}, errmsg: 'on purpose', state: -1002 })
    expect(await kit.call({}, 'zzz')).toMatchObject({ errmsg: 'invalid API: zzz', state: -1002 })
    // Where Lagent crashes, the call fails.
    expect(await kit.call(5, 'next')).toMatchObject({ errmsg: expect.stringContaining('TypeError'), state: -1002 })
    const hasty = await action(KIT, 'Kit', undefined, 1_000)
    expect(await hasty.call({}, 'forever')).toMatchObject({
      errmsg: expect.stringContaining('time limit'),
      state: -1002,
    })
    expect(await kit.call({}, 'next')).toMatchObject({ result: [{ content: expect.stringContaining('"count": 1') }] })
  })

  it('has floats and large integers as they are, and does not take one for the other', async () => {
    const { action } = aPython()
    const kit = await action(KIT, 'Kit')
    expect(await kit.call({ value: [new Float(1), 1, { x: new Float(1e22) }, 2n ** 53n, 1.5] }, 'echo')).toMatchObject({
      args: { value: [1, 1, { x: 1e22 }, 2n ** 53n, 1.5] },
      result: [{ content: "[1.0, 1, {'x': 1e+22}, 9007199254740992, 1.5]" }],
    })
  })

  it('can put actions together by Lagent’s executor, and imports what stands beside actions there', async () => {
    const { action } = aPython()
    const composed = await action(COMPOSED, 'Composed')
    expect(await composed.call({ name: 'Inner.add', parameters: '{"x": 1}' })).toMatchObject({
      result: [{ content: 'asked Inner.add, got 3 from ActionExecutor' }],
    })
    const listed = await action(COMPOSED, 'Listed')
    expect(await listed.call({})).toMatchObject({
      result: [
        {
          content: `(['BaseAction', 'InvalidAction', 'NoAction', 'FinishAction', ${BUILT_INS}, 'Inner', 'Composed', 'Listed'], ['Inner.add'], '7')`,
        },
      ],
    })
    expect(await composed.call({ name: 'Nope', parameters: 'q' })).toMatchObject({
      result: [{ content: 'asked Nope, got q from ActionExecutor' }],
    })
  })

  it('awaits what is async, and takes the class’s parser or another one', async () => {
    const { action } = aPython()
    const slow = await action(KIT, 'Slow')
    expect(await slow.call('("ab", 2)')).toMatchObject({ args: { text: 'ab', times: 2 }, errmsg: 'abab', state: -1000 })
    const loud = await action(KIT, 'shout', 'TupleParser')
    expect(await loud.call('("ab",)')).toMatchObject({ result: [{ content: 'AB' }] })
    expect(loud.description).toMatchObject({ parameter_description: expect.stringContaining('tuple format') })
  })

  it('tells what the tool raised and gave back as it is, odd as it may be', async () => {
    const { action } = aPython()
    const odd = await action(ODD, 'Odd')
    expect(await odd.call({}, 'stop')).toMatchObject({ args: {}, errmsg: 'enough', state: -1002 })
    expect(await odd.call({}, 'code')).toMatchObject({ result: [{ content: '-1002' }] })
    expect(await odd.call({}, 'own')).toMatchObject({
      result: [{ type: 'image', content: 5, width: 1 }],
      state: -5,
      valid: null,
    })
    expect(await odd.call({ thought: ['why'] }, 'shown')).toMatchObject({
      args: { inputs: { thought: ['why'] }, name: 'shown' },
      errmsg: expect.stringMatching(/`result` is a list of \{type, content\}/),
      state: -1002,
    })
    const thought = [{ type: 'text', content: 'why' }]
    expect((await odd.call({ thought }, 'shown')).toJSON()).toMatchObject({
      ...{ url: '100000000000000000000', thought, state: null, result: thought },
    })
    expect(await odd.call('{"value": "a\\ud800"}', 'echo')).toMatchObject({
      args: { value: 'a\ud800' },
      result: [{ content: 'a' }],
    })
  })

  it('stands beside others in an executor', async () => {
    const { action } = aPython()
    const executor = new ActionExecutor({ actions: [await action(KIT, 'Kit'), await action(KIT, 'shout')] })
    expect(executor.getActionsInfo().map(({ name }) => name)).toEqual([
      ...['Kit.next', 'Kit.echo', 'Kit.fail', 'Kit.forever'],
      'shout',
    ])
    expect(await executor.call('shout', { text: 'x' })).toMatchObject({ result: [{ content: 'X' }], type: 'shout' })
  })
})

describe('actions that a session keeps', () => {
  it('are registered once, listed, called, and stay when the server restarts', async () => {
    const bench = sessionBench(sandboxd)
    const registered = dataOf(await bench.call('python_actions_register', { source: KIT }))
    expect(registered).toMatchObject({ actions: [{ name: 'Kit' }, { name: 'Slow' }, { name: 'shout' }] })
    expect(dataOf(await bench.call('python_action_call', { name: 'Kit.next', inputs: { by: 2 } }))).toMatchObject({
      state: 0,
      result: [{ content: expect.stringContaining('"count": 2') }],
    })
    bench.evict()
    expect(dataOf(await bench.call('python_action_call', { name: 'Kit.next', inputs: '{}' }))).toMatchObject({
      args: {},
      result: [{ content: expect.stringContaining('"count": 3') }],
    })
    expect(
      dataOf(await bench.call('python_action_call', { name: 'shout', inputs: '("x",)', parser: 'TupleParser' })),
    ).toMatchObject({
      result: [{ content: 'X' }],
    })
    const { actions } = dataOf(await bench.call('python_actions_list', {})) as { actions: { name: string }[] }
    expect(actions.map(({ name }) => name)).toEqual([
      ...['Kit.next', 'Kit.echo', 'Kit.fail', 'Kit.forever'],
      ...['Slow', 'shout'],
    ])
  })

  it('are known by the name that an object of the class has', async () => {
    const bench = sessionBench(sandboxd)
    await bench.call('python_actions_register', { source: ODD })
    const { actions } = dataOf(await bench.call('python_actions_list', {})) as { actions: { name: string }[] }
    expect(actions.map(({ name }) => name)).toContain('renamed')
    const call = { name: 'renamed', inputs: '()', parser: 'TupleParser' }
    expect(dataOf(await bench.call('python_action_call', call))).toMatchObject({
      type: 'renamed',
      result: [{ content: 'ran' }],
    })
    expect(dataOf(await bench.call('python_action_call', { name: 'Odd.own', inputs: {} }))).toMatchObject({ state: -5 })
  })

  it('are replaced by others of their name, and removed', async () => {
    const bench = sessionBench(sandboxd)
    const one = (text: string) =>
      `from lagent.actions import tool_api\n@tool_api\ndef say():\n    """Say"""\n    return "${text}"\n`
    const say = async () => dataOf(await bench.call('python_action_call', { name: 'say', inputs: {} })).result
    await bench.call('python_actions_register', { source: one('a') })
    expect(await say()).toMatchObject([{ content: 'a' }])
    await bench.call('python_actions_register', { source: one('b') })
    expect(await say()).toMatchObject([{ content: 'b' }])
    expect(bench.sql.all('SELECT count(*) AS count FROM python_sources')).toEqual([{ count: 1 }])
    dataOf(await bench.call('python_actions_remove', { name: 'say' }))
    expect(await bench.call('python_action_call', { name: 'say', inputs: {} })).toMatchObject({
      failure: { code: 'not_found' },
    })
    expect(await bench.call('python_actions_remove', { name: 'say' })).toMatchObject({ failure: { code: 'not_found' } })
    expect(bench.sql.all('SELECT count(*) AS count FROM python_sources')).toEqual([{ count: 0 }])
  })

  it('are refused when there is nothing to call, a name cannot be called, or there are too many', async () => {
    const bench = sessionBench(sandboxd)
    const register = (source: string) => bench.call('python_actions_register', { source })
    expect(await register('x = 1')).toMatchObject({
      failure: { message: expect.stringContaining('neither a function') },
    })
    expect(await register('x'.repeat(MAX_ACTION_SOURCE_CHARS + 1))).toMatchObject({
      failure: { code: 'limit_exceeded', message: expect.stringContaining('MAX_ACTION_SOURCE_CHARS') },
    })
    const dotted = 'from lagent.actions import tool_api\ndef f(): "F"\nf.__name__ = "a.b"\nf = tool_api(f)\n'
    expect(await register(dotted)).toMatchObject({ failure: { message: expect.stringContaining('"a.b"') } })
    const many = `from lagent.actions import tool_api\nfor n in range(${MAX_PYTHON_ACTIONS + 1}):\n    def f(): "F"\n    f.__name__ = 'f%d' % n\n    globals()['f%d' % n] = tool_api(f)\n`
    expect(await register(many)).toMatchObject({
      failure: { code: 'limit_exceeded', message: expect.stringContaining('MAX_PYTHON_ACTIONS') },
    })
    expect(dataOf(await bench.call('python_actions_list', {}))).toEqual({ actions: [] })
  })
})
