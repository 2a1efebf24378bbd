import { fail } from '../../core/failure.ts'
import { newCallId } from '../../core/ids.ts'
import { EXPORT_PIECE_BYTES } from '../../core/limits/export.ts'
import { SESSION, say } from '../../core/saying/saying.ts'
import { USUAL_SETTINGS } from '../../core/session-settings.ts'
import { tarPadding } from '../../core/tar.ts'
import { bytesOfPieces } from '../../workspace/bytes.ts'
import { contentMissing } from '../../workspace/contents.ts'
import type { SessionWorkspace } from '../../workspace/workspace.ts'
import type { ExportedSession, ExportPart, ExportPlace } from '../export-api.ts'
import { infoOf } from '../life/session-info.ts'
import type { SessionRecord } from '../record.ts'
import { PackageStore } from '../sandbox/package-store.ts'
import type { Session } from '../session.ts'
import { type PlannedEntry, type PlanSources, planPart, START } from './plan.ts'

interface Parts extends Pick<PlanSources, 'sql' | 'now'> {
  readonly record: SessionRecord
  readonly session: Pick<Session, 'calls' | 'inTurn'>
  readonly workspace: PlanSources['workspace'] & Pick<SessionWorkspace, 'openBlob' | 'totals'>
}

/**
 * Part of a session's export, as of one commit: the newest one when the first part is made. Nothing is kept between parts, and of a
 * part no more than a page and some pieces are in memory.
 * @param prefix directory of the session in the archive, with a slash at its end
 * @param from place of the part; null for the first one
 * @throws FailureError `session_not_found` for a place of another session; `not_found` when its commit is no longer kept
 */
export async function exportPart(parts: Parts, prefix: string, from: ExportPlace | null): Promise<ExportPart> {
  const { record, session, workspace, sql, now } = parts
  if (from && from.node !== record.nodeId) fail('session_not_found', say`the ${SESSION} was removed meanwhile`)
  const described = from ? null : await describe(parts)
  const commit = from?.commit ?? described?.commit ?? workspace.headSeq()
  const place = from ?? { node: record.nodeId, commit, step: 'files', after: START, pages: 0 }
  const { entries, next } = await planPart({ sql, workspace, calls: session.calls, now }, prefix, place)
  return { session: described, body: bytesOfPieces(joinedPieces(piecesOf(entries, workspace))), next }
}

/** The session as of its newest commit, after what its sandbox has was taken over, as far as the sandbox can be reached. */
async function describe({ record, session, workspace, sql, now }: Parts): Promise<ExportedSession> {
  await session.inTurn(newCallId(now()), async () => {})
  return {
    info: infoOf(record),
    settings: record.settings ?? USUAL_SETTINGS,
    packages: new PackageStore(sql).specs(),
    commit: workspace.headSeq(),
    files: workspace.totals(),
  }
}

/** Bytes of the entries, each content opened when its turn comes. @throws FailureError `upstream` for a file without its content */
async function* piecesOf(
  entries: readonly PlannedEntry[],
  workspace: Pick<SessionWorkspace, 'openBlob'>,
): AsyncGenerator<Uint8Array, undefined> {
  for (const entry of entries) {
    if ('bytes' in entry) {
      yield entry.bytes
      continue
    }
    const { header, hash, size, path } = entry
    const content = await workspace.openBlob(hash)
    if (!content) {
      // History may have expired since the part was planned.
      if (path === null) continue
      contentMissing(path)
    }
    yield header
    let bytes = 0
    for await (const chunk of content.body) {
      bytes += chunk.length
      yield chunk
    }
    if (bytes !== size) fail('upstream', `a content has ${bytes} bytes in the file store, and not ${size}; try again`)
    yield tarPadding(size)
  }
  return undefined
}

/** The same bytes in pieces of EXPORT_PIECE_BYTES or more, each in a buffer of its own. */
async function* joinedPieces(
  pieces: AsyncGenerator<Uint8Array, undefined>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const buffer = new Uint8Array(EXPORT_PIECE_BYTES)
  let held = 0
  for await (const piece of pieces) {
    if (held > 0 && held + piece.length > EXPORT_PIECE_BYTES) {
      yield buffer.slice(0, held)
      held = 0
    }
    if (piece.length >= EXPORT_PIECE_BYTES) yield Uint8Array.from(piece)
    else {
      buffer.set(piece, held)
      held += piece.length
    }
  }
  if (held > 0) yield buffer.slice(0, held)
  return undefined
}
