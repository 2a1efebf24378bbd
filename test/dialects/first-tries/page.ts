import type { Call, NoTry, Try } from './task.ts'
import { COMMANDS } from './tasks/commands.ts'
import { DOCUMENTS } from './tasks/documents.ts'
import { EDITING } from './tasks/editing.ts'
import { FINDING } from './tasks/finding.ts'
import { HISTORY } from './tasks/history.ts'
import { NAMES } from './tasks/names.ts'
import { PATHS } from './tasks/paths.ts'
import { READING } from './tasks/reading.ts'
import { TASKS, type TaskName } from './tasks.ts'
import { TRIES } from './tries.ts'

const TOPICS: Readonly<Record<string, object>> = {
  'Names and types': NAMES,
  Reading: READING,
  Paths: PATHS,
  Editing: EDITING,
  Finding: FINDING,
  Commands: COMMANDS,
  'History and the way back': HISTORY,
  'Documents and papers': DOCUMENTS,
}

const DIALECTS: Readonly<Record<keyof typeof TRIES, string>> = {
  toolserver: "The Tool Server's API",
  v1: '`/v1`',
  mcp: 'MCP',
  lagent: 'Lagent',
  xagent: 'XAgent',
  toolcore: 'Toolcore',
}

type Tries = (typeof TRIES)[keyof typeof TRIES]

/** docs/first-tries.md: the tasks for readers. */
export function firstTriesPage(): string {
  const total = Object.keys(TASKS).length
  return `# First tries

What a model tries first that has only the API, and what it is told: ${total} tasks with wrong names, wrong types, stale lines, huge files and odd
encodings. Whoever changes an answer finds here what it says today, and may ask of it: does it say what to do next?

\`test/dialects/first-tries\` has the tasks as data and asks all of them of a running server; this page is made from that
data (\`npx vitest run --project unit test/unit/words/first-tries.test.ts -u\`). The errors that clients can provoke are in \`test/dialects/errors\`.

\`…\` stands for what differs from run to run or is left out here, \`⏎\` for a line break. "with" names fields of the answer's data.

| dialect | tasks that its tools can express |
|---|---|
${Object.entries(DIALECTS)
  .map(([dialect, name]) => `| ${name} | ${triesOf(TRIES[dialect as keyof typeof TRIES]).length} of ${total} |`)
  .join('\n')}

## ${DIALECTS.toolserver}

${Object.entries(TOPICS)
  .map(([topic, tasks]) => `### ${topic}\n\n${table(TRIES.toolserver, Object.keys(tasks) as TaskName[])}`)
  .join('\n\n')}

## ${DIALECTS.v1}

As the Tool Server's API, but for these:

${table(TRIES.v1, differing(TRIES.v1))}

## ${DIALECTS.mcp}

As the Tool Server's API, with texts alone, but for these:

${table(TRIES.mcp, differing(TRIES.mcp))}

## ${DIALECTS.lagent}

Actions refuse other names of arguments, in Lagent's words. Where a model knows the names, they answer as the Tool Server's API, with texts alone. What is
told otherwise:

${table(TRIES.lagent, differing(TRIES.lagent))}

${without(TRIES.lagent)}

## ${DIALECTS.xagent}

Errors are those of Python functions, as published.

${table(TRIES.xagent, differing(TRIES.xagent))}

${without(TRIES.xagent)}

## ${DIALECTS.toolcore}

The tools are those that somebody registered; here, some that call the server's own.

${table(TRIES.toolcore, differing(TRIES.toolcore))}

${without(TRIES.toolcore)}
`
}

const triesOf = (tries: Tries) => [...tries].filter(([, tried]) => 'sends' in tried)

/** Tasks that a dialect answers otherwise than the Tool Server's API. */
const differing = (tries: Tries): TaskName[] =>
  triesOf(tries).flatMap(([name, tried]) => (row(name, tried) === row(name, TASKS[name].tries) ? [] : [name]))

const table = (tries: Tries, names: readonly TaskName[]) =>
  [
    '| the model wants to | and sends first | it is told |',
    '|---|---|---|',
    ...names.map((name) => row(name, tries.get(name) ?? TASKS[name].tries)),
  ].join('\n')

function row(name: TaskName, tried: Try | NoTry): string {
  if ('none' in tried) return ''
  const place = tried.session === undefined ? '' : `in the session ${code(tried.session)}: `
  const before = (tried.before ?? []).map((call) => `after ${called(call)}: `).join('')
  return `| ${lowered(TASKS[name].wants)} | ${place}${before}${called(tried.sends)} | ${answer(tried)} |`
}

const called = ([tool, args]: Call) => code(`${tool} ${JSON.stringify(args)}`)

function answer({ fails, message, data = {} }: Try): string {
  const fields = Object.entries(data).map(([field, value]) => code(`${field}: ${JSON.stringify(value)}`))
  const texts = message === undefined ? [] : [code(message)]
  const withFields = fields.length === 0 ? [] : [`with ${fields.join(', ')}`]
  return [...(fails ? ['refused:'] : []), ...texts, ...withFields].join(' ')
}

/** Tasks that a dialect does not answer, by reason. */
function without(tries: Tries): string {
  const names = Map.groupBy(
    [...tries].flatMap(([name, tried]) => ('none' in tried ? [{ name, why: tried.none }] : [])),
    ({ why }) => why,
  )
  const lines = [...names].map(([why, tasks]) => `- ${tasks.map(({ name }) => name).join('; ')}: ${why}.`)
  return `Without a try:\n\n${lines.join('\n')}`
}

/** Text as code in a cell of a table. */
function code(text: string): string {
  const shown = text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS)} …` : text
  return `\`${shown.replaceAll('\n', '⏎').replaceAll('|', '\\|')}\``
}

/** Longest text of a cell: patches are longer. */
const MAX_CELL_CHARS = 300

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
