import { SERVER_VERSION } from '../../../../core/server-version.ts'
import { NO_LIFETIMES } from '../../../../core/session-settings.ts'
import { tarEnd } from '../../../../core/tar.ts'
import { TarTally } from '../../../../core/tar-tally.ts'
import { encodeTime } from '../../../tenant-keys/codec.ts'
import { encodeTenant } from '../codec.ts'
import { encodeSessionDefaults } from '../session-defaults.ts'
import { jsonFile, lineFiles } from './files.ts'
import { exportedSessions, type SessionCounts } from './sessions.ts'
import type { ExportSource } from './source.ts'
import { TENANT_PAGES } from './tenant-pages.ts'

/** Form of an export. A field or a directory that is added does not change the number. */
const FORMAT = { format: 'toolyard-tenant-export', version: 1 }

/**
 * Archive of a tenant, piece by piece, each read when the one before has been consumed. The manifest is its last entry: an archive without
 * it is a part of one. All is below a directory of the tenant's id.
 */
export async function* tenantArchive(source: ExportSource): AsyncGenerator<Uint8Array, void> {
  const { tenant, now } = source
  const tally = new TarTally()
  const counts: SessionCounts = { sessions: 0 }
  const begunAt = now()
  for await (const piece of everything(source, begunAt, counts)) {
    tally.add(piece)
    yield piece
  }
  const { files, directories, contentBytes, bytes, sha256 } = tally.counts()
  const manifest = {
    ...FORMAT,
    server_version: SERVER_VERSION,
    tenant: tenant.id,
    begun_at: encodeTime(begunAt),
    ended_at: encodeTime(now()),
    sessions: counts.sessions,
    sessions_made_until: encodeTime(begunAt),
    files,
    directories,
    content_bytes: contentBytes,
    before_manifest: { bytes, sha256 },
  }
  yield jsonFile(`${tenant.id}/manifest.json`, manifest, now())
  yield tarEnd()
}

async function* everything(
  source: ExportSource,
  begunAt: number,
  counts: SessionCounts,
): AsyncGenerator<Uint8Array, void> {
  const { tenant, api, owned, now } = source
  const root = tenant.id
  const facts = {
    ...encodeTenant({ ...tenant, createdAt: tenant.createdAt ?? 0 }),
    ...(tenant.createdAt === null && { created_at: null }),
    limits: await api.limits.read(),
    toolkits: await api.toolkits.listed(),
    session_defaults: encodeSessionDefaults((await owned.sessionDefaults()) ?? NO_LIFETIMES),
  }
  yield jsonFile(`${root}/tenant.json`, facts, now())
  for (const [name, pages] of Object.entries(TENANT_PAGES)) yield* lineFiles(`${root}/${name}`, pages(source), now())
  yield* exportedSessions(source, { root, begunAt }, counts)
}
