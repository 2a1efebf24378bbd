import { fail, orNull } from '../core/failure.ts'
import { RESEALED_AT_ONCE } from '../core/limits/tenants.ts'
import type { Sql } from '../ports/sql.ts'
import type { AuditLog } from './audit-log.ts'
import type { RenewedState, SealedKind, SealedState } from './sealed-api.ts'
import {
  keyIdOf,
  placeOfAnswer,
  placeOfSecret,
  placeOfWebhook,
  SEALED_HEAD_BYTES,
  type SecretBox,
} from './secret-box.ts'
import type { Upkeep } from './upkeep.ts'

interface Parts {
  readonly sql: Sql
  /** Null on a server without SECRETS_KEY. */
  readonly box: SecretBox | null
  readonly tenant: string
  readonly webhooks: { forget(): void }
  readonly audit: Pick<AuditLog, 'append'>
  readonly upkeep: Pick<Upkeep, 'plan'>
}

/** A column of encrypted records. */
interface Column {
  readonly kind: SealedKind
  readonly table: string
  readonly id: string
  readonly column: string
  /** Condition for rows that have one. */
  readonly where: string
  readonly place: (tenant: string, id: string) => string
  /** Column with the size of one, if there is any. */
  readonly size?: string
}

/** Everything that a tenant's object encrypts with SECRETS_KEY. */
const COLUMNS: readonly Column[] = [
  { kind: 'secrets', table: 'secrets', id: 'name', column: 'closed', where: 'TRUE', place: placeOfSecret },
  { kind: 'webhooks', table: 'webhooks', id: 'id', column: 'secret', where: 'TRUE', place: placeOfWebhook },
  {
    ...{ kind: 'webhooks', table: 'webhooks', id: 'id', column: 'old_secret', place: placeOfWebhook },
    where: 'old_secret IS NOT NULL',
  },
  {
    ...{ kind: 'answers', table: 'ledger', id: 'id', column: 'answer', place: placeOfAnswer },
    ...{ where: 'closed = 1 AND answer IS NOT NULL', size: 'bytes' },
  },
]

type Blob = ArrayBuffer | Uint8Array

/** Encrypted records of one tenant by the keys that open them, and their encryption by the present key. */
export class SealedRecords {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Number of records by key. */
  read(): SealedState {
    const present = this.#parts.box?.keyId ?? null
    const counts = new Map<string | null, Record<SealedKind, number>>()
    let remaining = 0
    for (const column of COLUMNS) {
      for (const { head } of this.#heads(column)) {
        const keyId = keyIdOf(head)
        const count = counts.get(keyId) ?? { secrets: 0, webhooks: 0, answers: 0 }
        counts.set(keyId, { ...count, [column.kind]: count[column.kind] + 1 })
        if (keyId !== present) remaining += 1
      }
    }
    return { keyId: present, records: [...counts].map(([keyId, count]) => ({ keyId, ...count })), remaining }
  }

  /**
   * Encrypts records of other keys by the present one, RESEALED_AT_ONCE at most. Whatever changes meanwhile stays as it is then.
   * @returns the state afterwards, and the number of records that no key of the server opens
   * @throws FailureError `conflict`
   */
  async renew(): Promise<RenewedState> {
    const { audit, upkeep } = this.#parts
    const box = this.#parts.box ?? fail('conflict', 'this server encrypts nothing: its owner has not set SECRETS_KEY')
    let [changed, unreadable] = [0, 0]
    for (const column of COLUMNS) {
      for (const { id, head } of this.#heads(column)) {
        if (keyIdOf(head) === box.keyId || changed >= RESEALED_AT_ONCE) continue
        const isRenewed = await this.#renew(box, column, id)
        if (isRenewed) changed += 1
        else unreadable += 1
      }
    }
    if (changed > 0) {
      const detail = { key: box.keyId, records: changed }
      audit.append([{ action: 'secret.reencrypt', by: OWNER, subject: '', decision: 'done', detail }])
      await upkeep.plan()
    }
    return { ...this.read(), changed, unreadable }
  }

  /** @returns whether the record could be read */
  async #renew(box: SecretBox, { table, id, column, where, place, size }: Column, of: string): Promise<boolean> {
    const { sql, tenant, webhooks } = this.#parts
    const [row] = sql.all<{ closed: Blob }>(`SELECT ${column} AS closed FROM ${table} WHERE ${id} = ? AND ${where}`, of)
    if (!row) return true
    const before = new Uint8Array(row.closed)
    const text = await orNull(box.open(before, place(tenant, of)), 'upstream')
    if (text === null) return false
    const after = await box.close(text, place(tenant, of))
    const sized = size === undefined ? '' : `, ${size} = length(?1)`
    sql.run(`UPDATE ${table} SET ${column} = ?1${sized} WHERE ${id} = ?2 AND ${column} = ?3`, after, of, before)
    // The list in memory would write the record as it was.
    webhooks.forget()
    return true
  }

  #heads({ table, id, column, where }: Column): { id: string; head: Uint8Array }[] {
    const rows = this.#parts.sql.all<{ id: string; head: Blob }>(
      `SELECT ${id} AS id, substr(${column}, 1, ${SEALED_HEAD_BYTES}) AS head FROM ${table} WHERE ${where}`,
    )
    return rows.map((row) => ({ id: row.id, head: new Uint8Array(row.head) }))
  }
}

const OWNER = { key: null, agent: null }
