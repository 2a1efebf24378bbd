import type { Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { RESTORED_CHANGES_SHOWN } from '../../../../core/limits/history.ts'
import type { AppEnv } from '../../../dialect.ts'
import type { Operation } from '../../../operations/operation.ts'
import { route } from '../../../operations/route.ts'
import { problemResponse } from '../../../problem.ts'
import { special } from '../files/file-answers.ts'
import { authorOf } from '../files/files.ts'
import { SESSION, sessionOf } from '../sessions/session-path.ts'
import { Change, encodeChange } from './history-codec.ts'
import { Moment } from './moment-schema.ts'
import { noteFiles } from './note-files.ts'

const Restore = z
  .strictObject({
    commit: Moment.meta({
      description: 'Number of the commit whose files are wanted back, or name of a snapshot; 0: before the first.',
    }),
    path: z.string().default('').meta({
      description: 'A file, or a directory with all below it: what was not there then is removed. Left out: all files.',
    }),
    dry_run: z.boolean().default(false).meta({ description: 'true: change nothing, and say what would change.' }),
  })
  .meta({ id: 'Restore' })
const RestoredFiles = z
  .object({
    restored: z
      .boolean()
      .meta({ description: 'Whether there is a new commit: false where nothing differs, and for a dry run.' }),
    commit: z.int().meta({ description: 'Newest commit now: the one that restored, where there is one.' }),
    from_commit: z.int().meta({ description: 'Commit whose files these are.' }),
    path: z.string(),
    dry_run: z.boolean(),
    changed: z.int().meta({ description: 'Number of paths that changed, or would.' }),
    changes: z.array(Change).meta({ description: `Some of them, at most ${RESTORED_CHANGES_SHOWN}.` }),
    more_changes: z.int().meta({ description: 'Number of those that are not shown.' }),
    notes: z.array(z.string()),
  })
  .meta({ id: 'RestoredFiles' })

const restoreFiles = {
  id: 'restoreFiles',
  tag: 'history',
  summary: 'Restore all files, a directory or one file to a commit',
  description:
    'Makes a new commit, so nothing is lost: restore the commit before it to take it back. Where nothing differs there is no commit. ' +
    'The sandbox has the files before its next command. Directories whose content stays in the sandbox, such as node_modules, are left alone; a locked path refuses it all.',
  scope: 'execute',
  params: SESSION,
  headers: {
    'If-Match':
      'Number of the newest commit in quotes, as the ETag of a dry run has it. Otherwise 412, with the ETag that it has.',
  },
  body: Restore,
  answers: {
    200: {
      description: 'The files are as they were, or would be.',
      content: RestoredFiles,
      headers: { ETag: 'Number of the newest commit in quotes.' },
    },
  },
  problems: [400, 404, 409, 412, 413],
  example: { params: { session: 'docs' }, body: { commit: 1 }, status: 200 },
} satisfies Operation<z.ZodType, typeof Restore>

/** Adds the way back: a part of a session's files, or all, as after an earlier commit. */
export function addRestore(app: Hono<AppEnv>): void {
  route(app, 'post', '/v1/sessions/:session/restore', restoreFiles, async (c, { services, body }) => {
    const { commit: moment, path, dry_run } = body
    const restored = await sessionOf(c, services).history.restore({
      commit: moment,
      path,
      dryRun: dry_run,
      shown: RESTORED_CHANGES_SHOWN,
      author: authorOf('restore', services),
      ifHead: headIn(c.req.header('If-Match')),
    })
    if (restored.state === 'condition failed') return otherHead(restored.head, c.env.requestId)
    const { commit, fromCommit: from_commit, changed, changes, notes } = restored
    const isRestored = !dry_run && changed > 0
    if (isRestored) {
      await noteFiles(c, services, { action: 'session.restore', path, detail: { from_commit, changed, commit } })
    }
    const answer = {
      restored: isRestored,
      ...{ commit, from_commit, path, dry_run, changed },
      changes: changes.map(encodeChange),
      more_changes: changed - changes.length,
      notes,
    }
    return c.json(answer, 200, { ETag: `"${commit}"` })
  })
}

/** Newest commit that a condition names; null for any. @throws FailureError `invalid_input` */
function headIn(condition: string | undefined): number | null {
  if (condition === undefined || condition.trim() === '*') return null
  const [, number] = /^\s*"(\d{1,15})"\s*$/.exec(condition) ?? []
  return number === undefined
    ? fail('invalid_input', 'If-Match names the newest commit by its number in quotes, such as "12"')
    : Number(number)
}

const otherHead = (head: number, requestId: string): Response =>
  problemResponse(
    special(requestId, {
      status: 412,
      title: 'Precondition failed',
      code: 'precondition_failed',
      detail: `the files have changed meanwhile: the newest commit is ${head}`,
      hint: `look at the diff since the commit that you know, then restore again with If-Match: "${head}"`,
    }),
    { ETag: `"${head}"` },
  )
