import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import type { NamedMoment } from '../../ports/snapshots.ts'
import { flag, optional, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { momentArgument } from '../moment-argument.ts'

/** Going back is no action here: it is the tool for all moments. */
const ACTION = z.enum(['save', 'list', 'remove'], {
  error: ({ input }) =>
    typeof input === 'string' && /^(?:restore|load|apply|rollback|revert|checkout|switch)$/i.test(input)
      ? 'workspace_restore brings files back: give it the name of the snapshot as commit'
      : undefined,
})

export const workspaceSnapshot = defineTool({
  name: 'workspace_snapshot',
  description:
    'Give the files as they are now, or as they were after a commit, a name that does not expire: commits go after a week, ' +
    'snapshots stay until they are removed. The name is taken wherever a commit is. Takes no time in a large workspace. ' +
    'action "list" shows the snapshots, "remove" removes one. Runs without a sandbox. Returns name and commit.',
  effect: 'write',
  uses: ['snapshots'],
  input: z.object({
    name: optional(requiredText).describe(
      'A letter first, then letters, digits, ".", "_" and "-", such as "before-refactoring". Required but for "list"',
    ),
    action: withDefault(ACTION, 'save').describe('Default "save"'),
    as_of: optional(momentArgument).describe(
      'Number of a commit, or another snapshot, to name. Default: the files as they are now',
    ),
    replace: withDefault(flag, false).describe(
      'true: take the name away from another commit that has it. Default false',
    ),
  }),

  async run({ name, action, as_of, replace }, { ports: { snapshots } }) {
    if (action === 'list') {
      const found = await snapshots.list()
      const lines = found.map(({ name, commit }) => `${name}: commit ${commit}`)
      return { text: lines.join('\n') || 'there are no snapshots', data: { snapshots: found.map(encode) } }
    }
    if (name === undefined && action === 'remove')
      fail('invalid_input', 'name: which snapshot to remove; action "list" shows them')
    if (name === undefined) fail('invalid_input', 'name: give the snapshot one, such as "before-refactoring"')
    if (action === 'remove') {
      await snapshots.remove(name)
      return { text: `removed the snapshot ${name}`, data: { name, removed: true } }
    }
    const { created, snapshot } = snapshots.put({ name, moment: as_of ?? null, replaces: replace })
    const text = `the snapshot ${name} is ${created ? '' : 'already '}of commit ${snapshot.commit}`
    return { text, data: { ...encode(snapshot), created } }
  },
})

const encode = ({ name, commit, createdAt }: NamedMoment) => ({
  name,
  commit,
  created_at: new Date(createdAt).toISOString(),
})
