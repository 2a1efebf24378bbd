import { MAYBE_DONE, RESTARTED } from '../core/cut-off.ts'
import { failureWith } from '../core/failure.ts'
import type { BegunOnce, CallKey } from '../core/idempotency.ts'
import {
  IDEMPOTENCY_KEPT_MS,
  KEPT_OUTCOMES_CHECK_EVERY,
  MAX_KEPT_OUTCOME_BYTES,
  MAX_KEPT_OUTCOMES,
  MAX_KEPT_OUTCOMES_BYTES,
} from '../core/limits/idempotency.ts'
import type { Outcome } from '../core/outcome.ts'
import { type Saying, say } from '../core/saying/saying.ts'
import { utf8Length } from '../core/utf8-length.ts'
import { LazyTable } from '../migrations/session/lazy-table.ts'
import type { Sql, SqlValue } from '../ports/sql.ts'

interface Row extends Record<string, SqlValue> {
  readonly request: string
  readonly state: 'accepted' | 'running' | 'done'
  readonly call_id: string
  readonly tool: string
  readonly at: number
  readonly outcome: string | null
}

/**
 * Calls that came with an idempotency key: accepted, running, done with their outcome. A row is written before its tool runs, and
 * completed in the transaction that writes the end of the call into the history. A row that is running without a call of this object is
 * of a call that a crash cut off, and nobody knows how far that came; one that was only accepted never began, and may be made again.
 */
export class CallLedger {
  readonly #sql: Sql
  readonly #table: LazyTable
  /** Calls under way, by the ids of their rows. */
  readonly #inFlight = new Map<string, { readonly request: string; readonly callId: string }>()
  /** Ends that wait for room on the disk, by the ids of their rows; null for a call that was refused. */
  readonly #held = new Map<string, Ended | null>()
  /** Number of keys accepted since kept outcomes were last checked. */
  #sinceChecked = KEPT_OUTCOMES_CHECK_EVERY

  constructor(sql: Sql) {
    this.#sql = sql
    this.#table = new LazyTable(sql, 'ledger')
  }

  /** Outcome of a call whose key came before; null for a call to be made. Writes nothing. */
  outcomeOf(key: CallKey, tool: string, now: number): Outcome | null {
    const id = rowId(key)
    const running = this.#inFlight.get(id)
    if (running) return running.request === key.request ? IN_USE : REUSED
    const row = this.#row(id)
    // A call that never began is as good as none, and so is one of yesterday.
    if (!row || row.state === 'accepted' || row.at <= now - IDEMPOTENCY_KEPT_MS) return null
    if (row.request !== key.request) return REUSED
    const begun = { callId: row.call_id, tool: row.tool, at: row.at }
    // The call is another one where what the request asked for has changed meanwhile, such as a registered tool.
    if (row.state === 'running' || row.tool !== tool) return failedWith('outcome_unknown', cutOff(begun), begun)
    if (row.outcome === null) return failedWith('answer_not_kept', notKept(begun), begun)
    return { ...(JSON.parse(row.outcome) as Outcome), replayed: true }
  }

  /**
   * The call whose key came before, for a caller that does not wait for its end: under way, or ended. Null for a call to be made.
   * Writes nothing.
   */
  begunBefore(
    key: CallKey,
    tool: string,
    now: number,
  ): { readonly callId: string } | { readonly refused: Outcome } | null {
    const outcome = this.outcomeOf(key, tool, now)
    if (!outcome) return null
    const isUnknown = outcome.kind === 'failed' && outcome.failure.code === 'outcome_unknown'
    const callId = outcome === IN_USE ? this.#inFlight.get(rowId(key))?.callId : isUnknown ? undefined : outcome.callId
    return callId === undefined ? { refused: outcome } : { callId }
  }

  #row(id: string): Row | null {
    const held = this.#held.get(id)
    if (held === null) return null
    const [row] = this.#table.read<Row>(
      'SELECT request, state, call_id, tool, at, outcome FROM ledger WHERE id = ?',
      id,
    )
    return row && held ? { ...row, ...held, state: 'done' } : (row ?? null)
  }

  /** Notes a call that is about to be made, before anything is awaited for it. */
  accept(key: CallKey, { callId, tool, at }: BegunOnce): void {
    const id = rowId(key)
    this.#held.delete(id)
    if (this.#sinceChecked >= KEPT_OUTCOMES_CHECK_EVERY) this.#drop(at)
    this.#sinceChecked += 1
    this.#table.write(
      `INSERT OR REPLACE INTO ledger (id, request, state, call_id, tool, at, bytes) VALUES (?, ?, 'accepted', ?, ?, ?, 0)`,
      id,
      key.request,
      callId,
      tool,
      at,
    )
    // After what may throw: nobody would end a call that was not noted, and its key would be in use for ever.
    this.#inFlight.set(id, { request: key.request, callId })
  }

  /** Notes that the tool runs from now on: after a crash, nobody can tell how far it came. */
  begin(key: CallKey): void {
    this.#sql.run(`UPDATE ledger SET state = 'running' WHERE id = ?`, rowId(key))
  }

  /** Takes calls for under way that a crash cut off from their work, which goes on. */
  goOn(callIds: readonly string[]): void {
    if (callIds.length === 0) return
    const query = `SELECT id, request, call_id FROM ledger WHERE state = 'running' AND call_id IN (SELECT value FROM json_each(?))`
    const rows = this.#table.read<Pick<Row, 'request' | 'call_id'> & { id: string }>(query, JSON.stringify(callIds))
    for (const { id, request, call_id: callId } of rows) this.#inFlight.set(id, { request, callId })
  }

  /** Keeps the outcome of a call of {@link goOn}, which had a key or had none; without one (null) it is unknown from now on. */
  endCutOff(callId: string, outcome: Outcome | null, now: number): void {
    const [id] = [...this.#inFlight].find(([, one]) => one.callId === callId) ?? []
    if (id === undefined) return
    if (outcome) this.#end(id, outcome, now)
    else this.#inFlight.delete(id)
  }

  /** Keeps the outcome of a call, with its receipt. A refused one never ran, and is forgotten: the same request may come again. */
  end(key: CallKey, outcome: Outcome, now: number): void {
    this.#end(rowId(key), outcome, now)
  }

  #end(id: string, outcome: Outcome, now: number): void {
    this.#inFlight.delete(id)
    const ended = outcome.kind === 'refused' ? null : endOf(outcome, now)
    if (this.#sql.isReadOnly) this.#held.set(id, ended)
    else this.#write(id, ended)
  }

  #write(id: string, ended: Ended | null): void {
    if (!ended) this.#sql.run('DELETE FROM ledger WHERE id = ?', id)
    else {
      const { at, bytes, outcome } = ended
      this.#sql.run(
        `UPDATE ledger SET state = 'done', at = ?, bytes = ?, outcome = ? WHERE id = ?`,
        at,
        bytes,
        outcome,
        id,
      )
    }
  }

  /** Writes the ends that waited for room on the disk. */
  writeHeld(): void {
    for (const [id, ended] of this.#held) this.#write(id, ended)
    this.#held.clear()
  }

  /** Drops outcomes that are too old, and the oldest of too many. Calls under way stay. */
  #drop(now: number): void {
    this.#sinceChecked = 0
    const [kept] = this.#table.read<Kept>(
      'SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes, coalesce(min(at), 0) AS oldest FROM ledger',
    )
    if (!kept) return
    if (kept.oldest <= now - IDEMPOTENCY_KEPT_MS) this.#dropOld(now)
    if (kept.count > MAX_KEPT_OUTCOMES || kept.bytes > MAX_KEPT_OUTCOMES_BYTES) this.#dropMany()
  }

  #dropOld(now: number): void {
    this.#table.read(
      'DELETE FROM ledger WHERE at <= ? AND id NOT IN (SELECT value FROM json_each(?))',
      now - IDEMPOTENCY_KEPT_MS,
      JSON.stringify([...this.#inFlight.keys()]),
    )
  }

  /** Drops a tenth more than it must: a full ledger, which has to be sorted for it, would be at its limit again with the next key. */
  #dropMany(): void {
    this.#table.read(
      `DELETE FROM ledger WHERE id IN (SELECT id FROM (
         SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS total
           FROM ledger WHERE state = 'done' WINDOW newest AS (ORDER BY at DESC, rowid DESC)
       ) WHERE place > ? OR total > ?)`,
      MAX_KEPT_OUTCOMES * KEPT_SHARE,
      MAX_KEPT_OUTCOMES_BYTES * KEPT_SHARE,
    )
  }
}

/** Share of the limits that stays when one of them is passed. */
const KEPT_SHARE = 0.9

interface Kept extends Record<string, SqlValue> {
  readonly count: number
  readonly bytes: number
  readonly oldest: number
}

interface Ended {
  readonly at: number
  readonly bytes: number
  /** The outcome as JSON; null for one that is too large. */
  readonly outcome: string | null
}

function endOf(outcome: Outcome, at: number): Ended {
  const text = JSON.stringify(outcome)
  const bytes = utf8Length(text)
  return bytes > MAX_KEPT_OUTCOME_BYTES ? { at, bytes: 0, outcome: null } : { at, bytes, outcome: text }
}

const rowId = ({ id, at }: CallKey) => `${id}/${at}`

const IN_USE: Outcome = {
  kind: 'refused',
  failure: failureWith(
    'key_in_use',
    'the first request with this Idempotency-Key is under way; send the very same again in a second, it will get the same answer',
  ),
}

const REUSED: Outcome = {
  kind: 'refused',
  failure: failureWith(
    'key_reused',
    'another request came with this Idempotency-Key before, so this one was not carried out; send it under a new key',
  ),
}

const failedWith = (code: 'outcome_unknown' | 'answer_not_kept', message: Saying, begun: BegunOnce): Outcome => ({
  kind: 'failed',
  callId: begun.callId,
  failure: failureWith(code, message, {
    outcome: code === 'outcome_unknown' ? 'unknown' : 'done',
    call_id: begun.callId,
    tool: begun.tool,
    began_at: timeOf(begun),
  }),
})

const timeOf = ({ at }: BegunOnce) => new Date(at).toISOString()

const cutOff = (begun: BegunOnce) =>
  say`the call ${begun.callId} of ${begun.tool} began at ${timeOf(begun)}, and ${RESTARTED}, ${MAYBE_DONE} send it again under a new Idempotency-Key`

const notKept = (begun: BegunOnce) =>
  say`the call ${begun.callId} of ${begun.tool} was done at ${timeOf(begun)}, and its answer was too long to be kept (MAX_KEPT_OUTCOME_BYTES); its beginning is in the history, what it wrote is in the files; do not send it again`
