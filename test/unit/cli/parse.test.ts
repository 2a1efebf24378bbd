import { describe, expect, it } from 'vitest'
import { type Command, command } from '../../../src/cli/command.ts'
import { CliError } from '../../../src/cli/failure.ts'
import { parsedArguments } from '../../../src/cli/parse.ts'

const options = {
  label: { type: 'string', short: 'l', multiple: true, help: '' },
  state: { type: 'string', choices: ['ready', 'paused'], help: '' },
  force: { type: 'boolean', short: 'f', help: '' },
} as const
const made = (rest: Partial<Command>): Command =>
  command({
    summary: '',
    arguments: [{ name: 'SESSION', help: '' }],
    options,
    examples: [],
    run: async () => 0,
    ...rest,
  })
const parsed = (args: readonly string[], rest: Partial<Command> = {}) => parsedArguments('try', made(rest), args)
const wrong = (args: readonly string[], rest: Partial<Command> = {}) => {
  try {
    parsed(args, rest)
  } catch (error) {
    if (error instanceof CliError && error.exitCode === 2) return `${error.message}: ${error.hint}`
  }
  return null
}

describe('arguments of a command', () => {
  it('have their options anywhere, short and long, with what was not given', () => {
    expect(parsed(['-l', 'a=1', 'lakes', '--label=b=2', '-f'])).toEqual({
      values: { label: ['a=1', 'b=2'], state: undefined, force: true, json: false, profile: undefined, help: false },
      positionals: ['lakes'],
      rest: [],
    })
    expect(parsed(['--', '--force']).positionals).toEqual(['--force'])
    expect(parsed(['lakes', '--label=-1']).values.label).toEqual(['-1'])
  })

  it.each([
    [['lakes', '--lable', 'x'], 'try has no option --lable: did you mean --label?'],
    [['lakes', '-x'], 'try has no option -x: see `toolyard try --help`'],
    [['lakes', '--label'], '--label needs a value: write --label VALUE'],
    [['lakes', '--label', '--force'], '--label needs a value: write --label=--force if that is the value'],
    [['lakes', '--force=yes'], '--force takes no value: write --force alone'],
    [['lakes', '--state', 'gone'], '--state cannot be "gone": it is one of ready, paused'],
    [[], 'try needs SESSION: see `toolyard try --help`'],
    [['lakes', 'rivers'], 'try takes no argument "rivers": see `toolyard try --help`'],
    [['lakes', '--constructor', 'x'], 'try has no option --constructor: see `toolyard try --help`'],
  ])('that do not fit are refused with what to do: %j', (args, words) => {
    expect(wrong(args)).toBe(words)
  })

  it('show help whatever else is wrong', () => {
    expect(parsed(['--lable', '--help']).values.help).toBe(true)
    expect(parsed(['-h']).values.help).toBe(true)
  })

  it.each([
    [['-f', 'lakes', 'ls', '-la', '--json'], ['lakes'], ['ls', '-la', '--json'], true],
    [['lakes', '-f', '--', 'ls', '--', '-f'], ['lakes'], ['ls', '--', '-f'], true],
    [['lakes', '--', '-f'], ['lakes'], ['-f'], false],
    [['--', 'ls'], [], ['ls'], false],
    [['lakes', '-l', 'a=1', 'ls', '--help'], ['lakes'], ['ls', '--help'], false],
    [['lakes'], ['lakes'], [], false],
  ])('leave those of a command for elsewhere as they are: %j', (args, positionals, rest, force) => {
    const found = parsed(args, { takesRest: true, arguments: [{ name: 'SESSION', help: '', isOptional: true }] })
    expect(found).toMatchObject({ positionals, rest, values: { force, help: false } })
  })
})
