import { expect, it } from 'vitest'
import {
  ActionExecutor,
  ActionRegistry,
  getTool,
  getToolCls,
  listTools,
  RegistryKeyError,
  register,
  TupleParser,
} from '../../../src/lagent/index.ts'
import { Bold, Kit } from './sample-actions.ts'

it('lists what is registered in its order, after what there is from the start', () => {
  const registry = new ActionRegistry()
  expect(registry.register(Bold)).toBe(Bold)
  registry.register(Kit)
  expect(registry.listTools()).toEqual(['BaseAction', 'InvalidAction', 'NoAction', 'FinishAction', 'Bold', 'Kit'])
  expect(registry.listTools({ withClass: true }).at(-1)).toEqual(['Kit', Kit])
})

it('makes a new action each time, with the arguments for its class', async () => {
  const registry = new ActionRegistry()
  registry.register(Bold)
  expect(registry.getTool('Bold')).not.toBe(registry.getTool('Bold'))
  const action = registry.getTool('Bold', { parser: TupleParser })
  expect((await action.call('("x",)')).formatResult()).toBe('**x**')
  expect(registry.getToolCls('Bold')).toBe(Bold)
})

it('refuses an unknown name and a name that is taken', () => {
  const registry = new ActionRegistry()
  registry.register(Bold)
  expect(() => registry.getTool('Zzz')).toThrow(new RegistryKeyError('Zzz'))
  expect(() => registry.getToolCls('__proto__')).toThrow(RegistryKeyError)
  expect(() => registry.register(Bold)).toThrow(/with key 'Bold' is already registered\.$/)
})

it('has one registry for a program', () => {
  register(Kit)
  expect(listTools()).toContain('Kit')
  expect(listTools({ withClass: true })).toContainEqual(['Kit', Kit])
  expect(getToolCls('Kit')).toBe(Kit)
  expect(new ActionExecutor({ actions: getTool('Kit') }).keys()).toEqual(['Kit'])
  expect(new ActionRegistry().listTools()).not.toContain('Kit')
})
