import type { Hono } from 'hono'
import * as z from 'zod'
import { MAX_SNAPSHOTS } from '../../../../core/limits/snapshots.ts'
import type { Snapshot as StoredSnapshot } from '../../../../session/snapshots-api.ts'
import type { AppEnv } from '../../../dialect.ts'
import type { Operation } from '../../../operations/operation.ts'
import { encodePage, PageOf, pageQuery } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { SESSION, sessionOf } from '../sessions/session-path.ts'
import { Moment } from './moment-schema.ts'
import { noteFiles } from './note-files.ts'

const Snapshot = z
  .object({
    name: z.string(),
    commit: z.int().meta({ description: 'Commit whose state it is.' }),
    author: z.string().meta({ description: 'Id of the call that made it, or `snapshot` and a key.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Snapshot' })

const NewSnapshot = z
  .strictObject({
    commit: Moment.optional().meta({
      description: 'Number of a commit, or name of another snapshot; left out: the files as they are now.',
    }),
    replace: z.boolean().optional().meta({ description: 'true: take the name away from another commit that has it.' }),
  })
  .meta({ id: 'NewSnapshot' })

const SnapshotsQuery = z.strictObject(pageQuery(MAX_SNAPSHOTS))

const params = { ...SESSION, snapshot: 'Name of the snapshot: a letter, then letters, digits, ".", "_" and "-".' }

const LIST: Operation<typeof SnapshotsQuery> = {
  id: 'listSnapshots',
  tag: 'files',
  summary: "List the snapshots of a session's files",
  description: 'In order of their names.',
  scope: 'read',
  params: SESSION,
  query: SnapshotsQuery,
  answers: { 200: { description: 'One page.', content: PageOf(Snapshot) } },
  problems: [400, 404],
  example: { params: { session: 'docs' }, status: 200 },
}

const GET: Operation = {
  id: 'getSnapshot',
  tag: 'files',
  summary: 'Get a snapshot',
  scope: 'read',
  params,
  answers: { 200: { description: 'Which commit has the name.', content: Snapshot } },
  problems: [400, 404],
  example: { params: { session: 'docs', snapshot: 'start' }, status: 200 },
}

const PUT: Operation<never, typeof NewSnapshot> = {
  id: 'putSnapshot',
  tag: 'files',
  summary: "Name a moment of a session's files",
  description:
    'What has a name does not expire, as commits do after a week. It costs what changes since. Naming the same commit again changes nothing; a name of another commit is a conflict, unless `replace` is true.',
  scope: 'execute',
  params,
  body: NewSnapshot,
  bodyIsOptional: true,
  answers: {
    200: { description: 'There was that snapshot of that commit.', content: Snapshot },
    201: { description: 'The name is of the commit.', content: Snapshot },
  },
  problems: [400, 404, 409, 413],
  example: { params: { session: 'docs', snapshot: 'start' }, body: {}, status: 201 },
}

const DELETE: Operation = {
  id: 'deleteSnapshot',
  tag: 'files',
  summary: 'Delete a snapshot',
  description: 'What was kept for it alone goes in a while. The files as they are now do not change.',
  scope: 'execute',
  params,
  answers: { 204: { description: 'It is gone.' } },
  problems: [400, 404],
  example: { params: { session: 'docs', snapshot: 'start' }, status: 204 },
}

/** `/v1/sessions/{session}/snapshots`: named moments of a session's files. */
export function addSnapshots(app: Hono<AppEnv>): void {
  const ALL = '/v1/sessions/:session/snapshots'
  const ONE = '/v1/sessions/:session/snapshots/:snapshot'

  route(app, 'get', ALL, LIST, async (c, { services, query: { limit, cursor } }) => {
    const after = cursor === undefined ? {} : { after: cursor }
    const { snapshots, more } = await sessionOf(c, services).snapshots.list({ limit, ...after })
    return c.json(encodePage(snapshots.map(encode), more ? snapshots.at(-1)?.name : null))
  })

  route(app, 'get', ONE, GET, async (c, { services }) =>
    c.json(encode(await sessionOf(c, services).snapshots.find(c.req.param('snapshot')))),
  )

  route(app, 'put', ONE, PUT, async (c, { services, body }) => {
    const { commit = null, replace = false } = body
    const { created, snapshot, before } = await sessionOf(c, services).snapshots.put({
      name: c.req.param('snapshot'),
      moment: commit,
      replaces: replace,
      author: services.key === null ? 'snapshot' : `snapshot:${services.key}`,
    })
    if (created) {
      const action = before === null ? 'snapshot.create' : 'snapshot.replace'
      const detail = { commit: snapshot.commit, ...(before !== null && { before }) }
      await noteFiles(c, services, { action, name: snapshot.name, detail })
    }
    return c.json(encode(snapshot), created ? 201 : 200)
  })

  route(app, 'delete', ONE, DELETE, async (c, { services }) => {
    const name = c.req.param('snapshot')
    const commit = await sessionOf(c, services).snapshots.remove(name)
    await noteFiles(c, services, { action: 'snapshot.delete', name, detail: { commit } })
    return c.body(null, 204)
  })
}

const encode = ({ name, commit, author, createdAt }: StoredSnapshot): z.output<typeof Snapshot> => ({
  name,
  commit,
  author,
  created_at: new Date(createdAt).toISOString(),
})
