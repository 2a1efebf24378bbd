import { fail } from '../core/failure.ts'
import { MAX_LINKS } from '../core/limits/files.ts'
import type { ServedGroup } from '../core/served.ts'
import { ROOT, workspacePath } from '../core/workspace-path.ts'
import { LazyTable } from '../migrations/session/lazy-table.ts'
import type { Sql } from '../ports/sql.ts'
import type { SyncedWorkspace } from '../workspace/synced.ts'
import type { FileLink, NewFileLink, SessionLinksApi } from './links-api.ts'
import type { Room } from './room.ts'

interface LinksParts {
  readonly sql: Sql
  readonly workspace: (callId: string) => SyncedWorkspace
  readonly now: () => number
  readonly room: Pick<Room, 'require'>
}

type Row = {
  readonly id: string
  readonly path: string
  readonly method: FileLink['method']
  readonly max_bytes: number | null
  readonly key_id: string | null
  readonly created_at: number
  readonly expires_at: number
}

/** Signed links to files of one session, which are valid while their row is there. */
export class SessionLinks implements ServedGroup<SessionLinksApi> {
  readonly #parts: LinksParts
  readonly #table: LazyTable

  constructor(parts: LinksParts) {
    this.#parts = parts
    this.#table = new LazyTable(parts.sql, 'links')
  }

  async make({ lifeMs, ...link }: NewFileLink): Promise<FileLink> {
    const { workspace, now, room } = this.#parts
    await room.require()
    const path = workspacePath(link.path)
    const there = workspace('').filesAt(null)
    if (path === ROOT || there.stat(path)?.kind === 'directory')
      fail('invalid_input', 'a link leads to a file; name one')
    if (link.method === 'download' && !there.find(path)) fail('not_found', `there is no file ${path}`)
    this.#table.read('DELETE FROM links WHERE expires_at <= ?', now())
    if (this.list().length >= MAX_LINKS) {
      fail('limit_exceeded', `the session has ${MAX_LINKS} links (MAX_LINKS); revoke some, or wait until they expire`)
    }
    const createdAt = now()
    const made: FileLink = { ...link, id: `lnk_${randomId()}`, path, createdAt, expiresAt: createdAt + lifeMs }
    this.#table.write(
      'INSERT INTO links (id, path, method, max_bytes, key_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[made.id, path, made.method, made.maxBytes, made.key, createdAt, made.expiresAt],
    )
    return made
  }

  list(): FileLink[] {
    const rows = this.#table.read<Row>(
      'SELECT * FROM links WHERE expires_at > ? ORDER BY created_at, id',
      this.#parts.now(),
    )
    return rows.map(({ id, path, method, max_bytes, key_id, created_at, expires_at }) => ({
      ...{ id, path, method, maxBytes: max_bytes, key: key_id, createdAt: created_at, expiresAt: expires_at },
    }))
  }

  revoke(id: string | null): number {
    const gone =
      id === null
        ? this.#table.read('DELETE FROM links RETURNING id')
        : this.#table.read('DELETE FROM links WHERE id = ? RETURNING id', id)
    return gone.length
  }

  isValid(id: string): boolean {
    return this.#table.read('SELECT 1 FROM links WHERE id = ? AND expires_at > ?', id, this.#parts.now()).length > 0
  }
}

const randomId = () => crypto.randomUUID().replaceAll('-', '')
