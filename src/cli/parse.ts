import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Command, Options } from './command.ts'
import { usageError } from './failure.ts'
import { GLOBAL_OPTIONS } from './global-options.ts'
import { didYouMean } from './nearest.ts'

/** Arguments of a command, read. */
export interface ParsedArguments {
  /** Values of all options, global ones too: a text, a flag, or a list of texts. */
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly positionals: readonly string[]
  readonly rest: readonly string[]
}

/**
 * Reads the arguments of a command. With `--help` among them nothing is checked.
 * @param name what a user writes to call it, such as `sessions list`
 * @throws CliError of usage
 */
export function parsedArguments(name: string, command: Command, args: readonly string[]): ParsedArguments {
  const options: Options = { ...command.options, ...GLOBAL_OPTIONS }
  const { own, rest } = command.takesRest ? dividedArgs(command, options, args) : { own: args, rest: [] }
  const tokens = tokensOf(options, own)
  const values: Record<string, string | boolean | string[] | undefined> = {}
  for (const [option, { type, multiple }] of Object.entries(options))
    values[option] = multiple ? [] : type === 'boolean' ? false : undefined
  if (tokens.some((token) => token.kind === 'option' && token.name === 'help'))
    return { values: { ...values, help: true }, positionals: [], rest: [] }

  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind === 'option') values[token.name] = optionValue(name, options, token, values[token.name])
  }
  checkPositionals(name, command, positionals)
  return { values, positionals, rest }
}

type Token = NonNullable<ReturnType<typeof parseArgs<{ tokens: true; strict: false }>>['tokens']>[number]
type OptionToken = Extract<Token, { kind: 'option' }>

/** Tokens of arguments as `parseArgs` divides them, unknown options included. */
export function tokensOf(options: Options, args: readonly string[]): readonly Token[] {
  const known = Object.entries(options).map(([name, { type, short, multiple = false }]) => [
    name,
    { type, multiple, ...(short !== undefined && { short }) },
  ])
  const config = { args: [...args], options: Object.fromEntries(known), strict: false, allowPositionals: true }
  return parseArgs({ ...(config as ParseArgsConfig), strict: false, tokens: true }).tokens ?? []
}

/** Arguments of the command itself, and those of the command for elsewhere that follows. */
function dividedArgs({ arguments: { length } }: Command, options: Options, args: readonly string[]) {
  let positionals = 0
  for (const token of tokensOf(options, args)) {
    if (token.kind === 'option-terminator')
      return { own: args.slice(0, token.index), rest: args.slice(token.index + 1) }
    if (token.kind === 'positional' && ++positionals > length)
      return { own: args.slice(0, token.index), rest: args.slice(token.index) }
  }
  return { own: args, rest: [] }
}

function optionValue(
  name: string,
  options: Options,
  token: OptionToken,
  before: string | boolean | readonly string[] | undefined,
): string | boolean | string[] {
  const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
  const written = token.rawName
  if (!option) {
    const known = Object.keys(options).map((one) => `--${one}`)
    throw usageError(`${name} has no option ${written}`, didYouMean(written, known, `see \`toolyard ${name} --help\``))
  }
  if (option.type === 'boolean') {
    if (token.value !== undefined) throw usageError(`${written} takes no value`, `write ${written} alone`)
    return true
  }
  const { value, inlineValue } = token
  if (value === undefined) throw usageError(`${written} needs a value`, `write ${written} ${option.value ?? 'VALUE'}`)
  if (!inlineValue && value.length > 1 && value.startsWith('-'))
    throw usageError(`${written} needs a value`, `write ${written}=${value} if that is the value`)
  if (option.choices && !option.choices.includes(value))
    throw usageError(`${written} cannot be "${value}"`, `it is one of ${option.choices.join(', ')}`)
  return option.multiple ? [...((before as readonly string[] | undefined) ?? []), value] : value
}

function checkPositionals(name: string, command: Command, positionals: readonly string[]): void {
  const { arguments: wanted } = command
  const missing = wanted.find(({ isOptional }, at) => !isOptional && positionals.length <= at)
  if (missing) throw usageError(`${name} needs ${missing.name}`, `see \`toolyard ${name} --help\``)
  const most = wanted.at(-1)?.isMany ? Number.POSITIVE_INFINITY : wanted.length
  if (positionals.length > most) {
    const surplus = positionals[wanted.length] ?? ''
    throw usageError(`${name} takes no argument "${surplus}"`, `see \`toolyard ${name} --help\``)
  }
  wanted.forEach(({ name: word, choices }, at) => {
    const value = positionals[at]
    if (choices && value !== undefined && !choices.includes(value))
      throw usageError(`${word} cannot be "${value}"`, didYouMean(value, choices, `it is one of ${choices.join(', ')}`))
  })
}
