import { FailureError } from '../../../../core/failure.ts'
import { EXPORT_LIST_PAGE } from '../../../../core/limits/export.ts'
import type { ExportedSession, ExportPart, ExportPlace } from '../../../../session/export-api.ts'
import { encodeTime } from '../../../tenant-keys/codec.ts'
import { jsonFile } from './files.ts'
import type { ExportSource } from './source.ts'

/** Counts of exported sessions. */
export interface SessionCounts {
  sessions: number
}

/**
 * Sessions of a tenant, one after the other, in the order in which they were made. Those made since the export began are left out: a tenant
 * that goes on making them would keep it from ending.
 * @param begunAt milliseconds since 1970
 */
export async function* exportedSessions(
  source: ExportSource,
  { root, begunAt }: { readonly root: string; readonly begunAt: number },
  counts: SessionCounts,
): AsyncGenerator<Uint8Array, void> {
  let number = 0
  for (let after: string | undefined, more = true; more; ) {
    const page = await source.api.sessions.list({ limit: EXPORT_LIST_PAGE, ...(after === undefined ? {} : { after }) })
    const made = page.sessions.filter(({ createdAt }) => createdAt <= begunAt)
    for (const { name } of made) {
      yield* exportedSession(source, { name, directory: `${root}/sessions/${directoryName(++number, name)}` }, counts)
    }
    after = page.next
    more = page.next !== undefined && made.length === page.sessions.length
  }
  // A tenant whose deletion has begun meanwhile refuses this: its sessions were gone before their turn, and the rest must not look whole.
  await source.api.sessions.list({ limit: 1 })
}

async function* exportedSession(
  { session, now }: ExportSource,
  { name, directory }: { readonly name: string; readonly directory: string },
  counts: SessionCounts,
): AsyncGenerator<Uint8Array, void> {
  const object = session(name)
  for (let place: ExportPlace | null = null; ; ) {
    const answer = await object.exportPart(`${directory}/`, place)
    if ('failure' in answer) {
      // Removed before its turn came: not a part of the export. Removed in the middle of it, it would be half of one.
      if (place === null && answer.failure.code === 'session_not_found') return
      throw new FailureError(answer.failure)
    }
    const { part }: { readonly part: ExportPart } = answer
    try {
      if (part.session) {
        counts.sessions++
        yield jsonFile(`${directory}/session.json`, encodeSession(part.session), now())
      }
      for await (const chunk of part.body) yield chunk
    } finally {
      // A client may leave before the first chunk: the object would hold its end of the stream.
      if (!part.body.locked) await part.body.cancel().catch(() => undefined)
    }
    if (part.next === null) return
    place = part.next
  }
}

const NAME_CHARS = 60

/** Name of a session's directory: its number, since names of sessions may have any length and characters, and some of its name. */
const directoryName = (number: number, name: string) =>
  `${String(number).padStart(6, '0')}-${name.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, NAME_CHARS)}`

const secondsOrNull = (ms: number | null) => (ms === null ? null : ms / 1_000)

const encodeSession = ({ info, settings, packages, commit, files }: ExportedSession) => ({
  name: info.name,
  node_id: info.nodeId,
  title: info.title,
  requirements: info.requirements,
  packages,
  labels: settings.labels,
  internet: settings.internet,
  lifetime_seconds: secondsOrNull(settings.lifetimeMs),
  idle_lifetime_seconds: secondsOrNull(settings.idleLifetimeMs),
  created_at: encodeTime(info.createdAt),
  as_of: commit,
  files,
})
