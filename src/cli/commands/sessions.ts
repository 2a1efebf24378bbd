import { ConflictError, type Schemas, type Session } from '../../client/index.ts'
import { type Argument, type CommandGroup, command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError } from '../failure.ts'
import { LIMIT_OPTION, printList } from '../listing.ts'
import { byteText, timeText } from '../output/numbers.ts'
import type { Output } from '../output/output.ts'
import type { Column } from '../output/table.ts'
import { given, integerOf, pairsOf, secondsOf } from '../values.ts'

const SESSION: Argument = { name: 'SESSION', help: 'name of the session', completes: 'sessions' }

type Info = Schemas['Session']
type Listed = Schemas['SessionPage']['data'][number]

const COLUMNS: readonly Column<Listed>[] = [
  { head: 'NAME', cell: ({ name }) => name, isWhole: true },
  { head: 'STATE', cell: ({ state }) => state, isWhole: true },
  { head: 'LAST USED', cell: ({ last_used_at }) => timeText(last_used_at), isWhole: true },
  { head: 'TITLE', cell: ({ title, name }) => (title === name ? '' : title) },
  { head: 'LABELS', cell: ({ labels }) => labelText(labels) },
]

const list = command({
  summary: 'List sessions, newest first',
  arguments: [],
  options: {
    label: { type: 'string', short: 'l', value: 'NAME=VALUE', multiple: true, help: 'sessions with this label alone' },
    state: {
      type: 'string',
      value: 'STATE',
      choices: ['ready', 'running', 'paused'],
      help: 'sessions in this state alone',
    },
    ...LIMIT_OPTION,
  },
  examples: [
    { args: 'sessions', does: 'the newest 50' },
    { args: 'sessions list --label team=otters --json', does: 'those of a team, as an array' },
  ],
  async run({ values, client, output, signal }) {
    const labels = Object.entries(pairsOf(values.label, '--label')).map(([name, value]) => `${name}:${value}`)
    const query = given({
      labels: labels.length > 0 ? labels.join(',') : undefined,
      state: values.state as Info['state'] | undefined,
    })
    const pages = (await client()).sessions.list(query, { signal })
    await printList(output, pages, { limit: values.limit, columns: COLUMNS, none: 'no sessions' })
    return EXIT.good
  },
})

const show = command({
  summary: 'Show a session',
  arguments: [SESSION],
  options: {},
  examples: [{ args: 'sessions show lakes', does: 'its state, files and labels' }],
  async run({ positionals: [name = ''], client, output, signal }) {
    await printSession(output, await (await client()).sessions.open(name).info({ signal }))
    return EXIT.good
  },
})

const create = command({
  summary: 'Create a session, and print its name',
  arguments: [{ name: 'SESSION', help: 'its name, which never changes; one is made up if left out', isOptional: true }],
  options: {
    title: { type: 'string', value: 'TEXT', help: 'a name for people' },
    label: {
      type: 'string',
      short: 'l',
      value: 'NAME=VALUE',
      multiple: true,
      help: 'a label, by which it is found again',
    },
    require: {
      type: 'string',
      value: 'PACKAGE',
      multiple: true,
      help: 'a Python package that each of its sandboxes gets',
    },
    'no-internet': { type: 'boolean', help: 'commands in it reach no network' },
    lifetime: { type: 'string', value: 'DURATION', help: 'it is deleted this long after it was made, as 2h or 7d' },
    'idle-lifetime': { type: 'string', value: 'DURATION', help: 'it is deleted when nobody used it for so long' },
    'if-absent': { type: 'boolean', help: 'take the one of that name that is there' },
  },
  examples: [
    { args: 'sessions create lakes --label team=otters', does: 'a session with a name' },
    { args: 'sessions create --lifetime 1h --require "pandas>=2"', does: 'one for an hour, with pandas' },
  ],
  async run({ values, positionals: [name], client, output, signal }) {
    const created = (await client()).sessions.create(
      given({
        name,
        title: values.title,
        labels: values.label.length > 0 ? pairsOf(values.label, '--label') : undefined,
        requirements: values.require.length > 0 ? [...values.require] : undefined,
        internet: values['no-internet'] ? false : undefined,
        lifetime_seconds: secondsOf(values.lifetime, '--lifetime'),
        idle_lifetime_seconds: secondsOf(values['idle-lifetime'], '--idle-lifetime'),
        if_exists: values['if-absent'] ? ('return' as const) : undefined,
        keep: true,
      }),
      { signal },
    )
    const session = await created.catch((error: unknown) => {
      if (error instanceof ConflictError && name !== undefined)
        throw new CliError(`there is a session ${name} already`, '--if-absent takes it as it is', EXIT.refused)
      throw error
    })
    await printNew(output, session, signal)
    return EXIT.good
  },
})

const remove = command({
  summary: 'Delete sessions with all their files, for good',
  arguments: [{ ...SESSION, isMany: true }],
  options: { force: { type: 'boolean', short: 'f', help: 'no error where there is no such session' } },
  examples: [{ args: 'sessions delete lakes rivers', does: 'both, one after the other' }],
  async run({ values, positionals, client, output, signal }) {
    const deleted: string[] = []
    for (const name of positionals) {
      const session = (await client()).sessions.open(name)
      const isGone = await session.delete({ signal }).then(
        () => true,
        (error: { code?: string }) => {
          if (values.force && error.code === 'session_not_found') return false
          throw error
        },
      )
      if (isGone) deleted.push(name)
      if (isGone && !output.isJson) await output.note(`deleted ${name}`)
    }
    if (output.isJson) await output.result({ deleted }, '')
    return EXIT.good
  },
})

const undo = command({
  summary: 'Take back the newest changes of files',
  details: 'Undoing is a change too: a second undo takes the first one back.',
  arguments: [SESSION],
  options: {
    commits: { type: 'string', short: 'n', value: 'COUNT', help: 'so many changes, one unless said' },
    to: { type: 'string', value: 'MOMENT', help: 'back to a commit or a snapshot, in the place of a count' },
    path: { type: 'string', value: 'PATH', help: 'this file or directory alone' },
    'dry-run': { type: 'boolean', help: 'change nothing, and say what would change' },
  },
  examples: [
    { args: 'sessions undo lakes', does: 'the newest change' },
    { args: 'sessions undo lakes --to before-cleanup --dry-run', does: 'what going back to a snapshot would do' },
  ],
  async run({ values, positionals: [name = ''], client, output, signal }) {
    const count = integerOf(values.commits, '--commits', { usual: 1, min: 1, max: 100_000 })
    const rest = given({ path: values.path, dry_run: values['dry-run'] || undefined })
    const session = (await client()).sessions.open(name)
    const restored = await session.restore(values.to ?? `HEAD~${count}`, rest, { signal })
    const { changed, changes, more_changes, dry_run } = restored
    const head = `${changed} ${changed === 1 ? 'path' : 'paths'} ${dry_run ? 'would change' : 'changed'}`
    const more = more_changes > 0 ? [`… and ${more_changes} more`] : []
    const paths = changes.map(({ change, path }) => `${change.padEnd(8)}  ${path}`)
    await output.result(restored, [head, ...paths, ...more].join('\n'))
    return EXIT.good
  },
})

const fork = command({
  summary: 'Make a new session with the files of another one, and print its name',
  arguments: [SESSION, { name: 'NEW', help: 'name of the new one; one is made up if left out', isOptional: true }],
  options: {
    'as-of': {
      type: 'string',
      value: 'MOMENT',
      help: 'its files at a commit or a snapshot; as they are now unless said',
    },
    title: { type: 'string', value: 'TEXT', help: 'a name for people' },
  },
  examples: [{ args: 'sessions fork lakes lakes-2', does: 'a copy to try something in' }],
  async run({ values, positionals: [name = '', to], client, output, signal }) {
    const session = (await client()).sessions.open(name)
    const fields = given({ name: to, as_of: values['as-of'], title: values.title, keep: true })
    await printNew(output, await session.fork(fields, { signal }), signal)
    return EXIT.good
  },
})

export const sessions: CommandGroup = {
  summary: 'List, make and delete sessions, take changes back',
  commands: { list, show, create, delete: remove, undo, fork },
  usual: 'list',
}

/** Prints the name of a new session, for `$(…)`; for programs all of it. */
async function printNew(output: Output, session: Session, signal: AbortSignal): Promise<void> {
  await output.result(output.isJson ? await session.info({ signal }) : null, session.name)
}

function printSession(output: Output, info: Info): Promise<void> {
  const { internet, files } = info
  return output.fields(info, [
    ['name', info.name],
    ['title', info.title === info.name ? '' : info.title],
    ['state', info.state],
    ['files', `${files.entries} entries, ${byteText(files.bytes)}`],
    ['labels', labelText(info.labels)],
    ['internet', internet === true ? 'yes' : internet === false ? 'no' : internet.join(', ')],
    ['packages', info.requirements.join(', ')],
    ['created', timeText(info.created_at)],
    ['last used', timeText(info.last_used_at)],
    ['deleted at', timeText(info.expires_at)],
    ['running calls', info.running_calls.join(', ')],
  ])
}

const labelText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
