import * as z from 'zod'
import { newSessionName, sessionName } from '../../core/ids.ts'
import { MAX_SESSION_TITLE_CHARS } from '../../core/limits/sessions.ts'
import { optional, requiredText, requiredTextUpTo } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { momentArgument } from '../moment-argument.ts'

const TOO_LONG = `has ${MAX_SESSION_TITLE_CHARS} characters at most (MAX_SESSION_TITLE_CHARS)`

export const workspaceFork = defineTool({
  name: 'workspace_fork',
  description:
    'Make a new session with the files of this one, as they are now or were at a moment, to try something else beside. The ' +
    'server makes it without a sandbox, and copies no bytes. It gets the settings and the list of packages, and a sandbox of its own when it first needs one; ' +
    'neither session sees changes of the other. History stays here. Returns the name of the new session and the commit.',
  effect: 'fetch',
  uses: ['snapshots'],
  input: z.object({
    name: optional(requiredText).describe('Name of the new session. Default: an id that begins with ses_'),
    as_of: optional(momentArgument).describe(
      'Number of a commit, or name of a snapshot. Default: the files as they are now',
    ),
    title: optional(requiredTextUpTo(MAX_SESSION_TITLE_CHARS, TOO_LONG)).describe(
      'A label that people read. Default: that of this session',
    ),
  }),

  async run({ name, as_of, title }, { ports: { snapshots } }) {
    const fork = await snapshots.fork({
      name: name === undefined ? newSessionName() : sessionName(name),
      moment: as_of ?? null,
      ...(title !== undefined && { title }),
    })
    return {
      text: `the session ${fork.name} has the files of this one as of commit ${fork.commit}`,
      data: { name: fork.name, commit: fork.commit },
    }
  },
})
