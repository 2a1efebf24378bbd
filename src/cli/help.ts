import type { Argument, Command, CommandGroup, CommandTable, Options } from './command.ts'
import { GLOBAL_OPTIONS } from './global-options.ts'
import type { Output } from './output/output.ts'
import { padded, widthOf } from './output/width.ts'

/** Help of the whole command line. */
export function overview(commands: CommandTable, output: Pick<Output, 'styled'>): string {
  const head = (text: string) => output.styled('bold', text)
  return [
    'Toolyard gives agents files, code, a shell and tools over HTTP. This command speaks to its server.',
    '',
    `${head('Usage:')} toolyard COMMAND [ARGUMENTS] [OPTIONS]`,
    '',
    head('Commands'),
    ...rows(Object.entries(commands).map(([name, { summary }]) => [name, summary])),
    '',
    head('Options of every command'),
    ...optionRows(GLOBAL_OPTIONS),
    '',
    head('Environment'),
    ...rows([
      ['TOOLYARD_BASE_URL', 'address of the server, in the place of the stored one; else http://localhost:8001'],
      ['TOOLYARD_API_KEY', 'API key, in the place of the stored one'],
      ['TOOLYARD_PROFILE', 'name of the stored server that is used'],
      ['NO_COLOR', 'no colours, if it is set and not empty'],
    ]),
    '',
    head('Exit codes'),
    ...rows([
      ['0', 'good'],
      ['1', 'failed'],
      ['2', 'wrong usage'],
      ['3', 'not signed in'],
      ['4', 'not found'],
      ['5', 'refused: not allowed, or something stands against it'],
      ['6', 'no answer from the server'],
      ['7', 'a limit was met'],
      ['124', 'not done in its time'],
      ['125', '`exec`: the command did not run; else `exec` has the exit code of its command'],
      ['130', 'Ctrl-C'],
    ]),
    '',
    'More of a command: toolyard help COMMAND',
  ].join('\n')
}

/** Help of a group of commands. */
export function groupHelp(name: string, { summary, commands, usual }: CommandGroup, output: Pick<Output, 'styled'>) {
  const head = (text: string) => output.styled('bold', text)
  return [
    `${summary}.`,
    '',
    `${head('Usage:')} toolyard ${name} COMMAND`,
    '',
    head('Commands'),
    ...rows(
      Object.entries(commands).map(([each, command]) => [
        [each, ...command.arguments.map(argumentWord)].join(' '),
        command.summary + (each === usual ? ' (also without a command)' : ''),
      ]),
    ),
    '',
    `More of one: toolyard ${name} COMMAND --help`,
  ].join('\n')
}

/** Help of a command. @param name what a user writes to call it */
export function commandHelp(name: string, command: Command, output: Pick<Output, 'styled'>): string {
  const head = (text: string) => output.styled('bold', text)
  const { arguments: wanted, options, examples, details, takesRest } = command
  const words = ['toolyard', name, '[OPTIONS]', ...wanted.map(argumentWord), ...(takesRest ? ['[--] COMMAND…'] : [])]
  const sections = [
    [`${command.summary}.`],
    [`${head('Usage:')} ${words.join(' ')}`],
    details === undefined ? [] : [details],
    wanted.length === 0 ? [] : [head('Arguments'), ...rows(wanted.map((one) => [one.name, argumentText(one)]))],
    Object.keys(options).length === 0 ? [] : [head('Options'), ...optionRows(options)],
    [head('Options of every command'), ...optionRows(GLOBAL_OPTIONS)],
    examples.length === 0
      ? []
      : [head('Examples'), ...examples.flatMap(({ args, does }) => [`  # ${does}`, `  toolyard ${args}`])],
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

const argumentWord = ({ name, isOptional, isMany }: Argument): string => {
  const word = isMany ? `${name}…` : name
  return isOptional ? `[${word}]` : word
}

const argumentText = ({ help, choices }: Argument): string => (choices ? `${help}: ${choices.join(', ')}` : help)

const optionRows = (options: Options): readonly string[] =>
  rows(
    Object.entries(options).map(([name, { short, type, value = 'VALUE', help, choices, multiple }]) => [
      `${short ? `-${short}, ` : '    '}--${name}${type === 'string' ? ` ${value}` : ''}`,
      help + (choices ? `: ${choices.join(', ')}` : '') + (multiple ? '; may be given several times' : ''),
    ]),
  )

/** Rows of two columns. */
function rows(pairs: readonly (readonly [string, string])[] | readonly string[][]): readonly string[] {
  const width = pairs.reduce((most, [first = '']) => Math.max(most, widthOf(first)), 0)
  return pairs.map(([first = '', second = '']) => `  ${padded(first, width)}  ${second}`.trimEnd())
}
