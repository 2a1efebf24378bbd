import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type * as Decorated from './decorated.ts'

let directory: string
let actions: typeof Decorated
// The runner of these tests knows no decorators, so the classes are compiled as a program's would be.
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolyard-lagent-'))
  const outfile = join(directory, 'decorated.mjs')
  const entry = join(import.meta.dirname, 'decorated.ts')
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', target: 'es2022', logLevel: 'error' })
  actions = (await import(pathToFileURL(outfile).href)) as typeof Decorated
})
afterAll(() => rm(directory, { recursive: true }))

it('makes a toolkit of the methods that are decorated, by their names', async () => {
  const action = new actions.PhraseEmphasis()
  expect(action.description).toMatchObject({
    name: 'PhraseEmphasis',
    description: 'a toolkit which provides different styles of text emphasis',
    api_list: [
      { name: 'bold', description: 'make text bold', required: ['text'] },
      { name: 'italic', description: 'make text italic', required: ['text'] },
      { name: 'rule', parameters: [], required: [] },
    ],
  })
  expect((await action.call('{"text": "x"}', 'bold')).formatResult()).toBe('**x**')
  expect((await action.call('{"text": "x"}', 'italic')).formatResult()).toBe('*x*')
  expect(await action.call('{}', 'notAnApi')).toMatchObject({ errmsg: 'invalid API: notAnApi' })
  expect(action.bold({ text: 'y' })).toBe('**y**')
})

it('calls an API by the name that it is told by, which need not be the method’s', async () => {
  const action = new actions.PhraseEmphasis()
  expect((await action.call('{}', 'rule')).formatResult()).toBe('***')
  expect(await action.call('{}', 'line')).toMatchObject({ errmsg: 'invalid API: line' })
  expect(action.line()).toBe('***')
})

it('makes a tool of a decorated run', async () => {
  expect(new actions.Bold().description).toMatchObject({
    name: 'Bold',
    description: 'make text bold',
    return_data: [{ name: 'text', description: 'input text', type: 'STRING' }],
  })
  expect((await new actions.Bold().call({ text: 'x' })).formatResult()).toBe('**x**')
})

it('registers a class that is decorated', () => {
  expect(actions.listTools().at(-1)).toBe('PhraseEmphasis')
  expect(actions.getTool('PhraseEmphasis').isToolkit).toBe(true)
  expect(actions.ownRegistry.getToolCls('Listed')).toBe(actions.Listed)
})
