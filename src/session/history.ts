import { MAYBE_DONE, RESTARTED } from '../core/cut-off.ts'
import { MAX_HISTORY_CALLS, MAX_HISTORY_CHARS } from '../core/limits/sessions.ts'
import type { Outcome } from '../core/outcome.ts'
import type { CallCosts, Receipt } from '../core/receipt.ts'
import { REDACT_AHEAD_CHARS, redact } from '../core/redact.ts'
import type { Sql, SqlValue } from '../ports/sql.ts'
import { PASS_ON } from './allowed-tools.ts'
import { CallExitCodes, exitCodeOf } from './call-exit-codes.ts'
import type { EndInRow } from './call-outbox.ts'
import { CallParents } from './call-parents.ts'
import type { HistoryCall, HistoryPage, HistoryQuery } from './calls-api.ts'
import { KeptAnswers } from './kept-answers.ts'

type Row = {
  seq: number
  call_id: string
  tool: string
  args: string
  state: string
  answer: string
  started_at: number
  ended_at: number | null
  receipt: string | null
}

export interface BegunCall {
  readonly callId: string
  readonly tool: string
  /** Arguments in the form that may be stored. */
  readonly args: unknown
  /** The call that made this one; null or left out for a caller's own. */
  readonly parent?: string | null
  /** Name of the agent that called; null or left out where the caller named none. */
  readonly agent?: string | null
  readonly now: number
}

const DROP_EVERY = 100

/**
 * Every call of a session, in the order in which they were noted; the newest MAX_HISTORY_CALLS are kept, and calls whose
 * completion the tenant has not acknowledged. Ids have no index, which would cost a row for each call: requests are for one of
 * the newest calls.
 */
export class History {
  readonly #sql: Sql
  readonly #heard: () => number
  /** Rows of calls that were noted when they began, by call id. */
  readonly #noted = new Map<string, number>()
  /** Number of calls noted since old ones were dropped. */
  #sinceDropped = DROP_EVERY
  readonly #answers: KeptAnswers
  readonly #parents: CallParents
  readonly #exitCodes: CallExitCodes
  /** Completions that wait for room on the disk, oldest first. */
  readonly #held: HeldEnd[] = []

  /** @param heard gives the number of the last acknowledged completion, over restarts too */
  constructor(sql: Sql, heard: () => number) {
    this.#sql = sql
    this.#answers = new KeptAnswers(sql)
    this.#parents = new CallParents(sql)
    this.#exitCodes = new CallExitCodes(sql)
    this.#heard = heard
  }

  /** Notes a running call, so that it is known even if it never ends. */
  begin({ callId, tool, args, parent, agent, now }: BegunCall): void {
    if (parent) this.#parents.note(callId, parent)
    const [row] = this.#sql.all<{ seq: number }>(
      `INSERT INTO calls (call_id, tool, args, state, answer, started_at, receipt) VALUES (?, ?, ?, 'running', '', ?, ?) RETURNING seq`,
      callId,
      tool.slice(0, 200),
      kept(args),
      now,
      agent ? JSON.stringify({ agent }) : null,
    )
    if (row) this.#noted.set(callId, row.seq)
  }

  /**
   * Notes the end of a call, whether or not its begin was noted.
   * @param counted its completion as the tenant counts it, where no other row has that
   */
  end(call: BegunCall, outcome: Outcome, receipt: Receipt, now: number, counted: EndInRow | null): void {
    const row: EndedRow = [
      call.callId,
      call.tool.slice(0, 200),
      kept(call.args),
      call.now,
      outcome.kind,
      start(answerOf(outcome), MAX_HISTORY_CHARS),
      now,
      JSON.stringify(call.agent ? { ...receipt, agent: call.agent } : receipt),
      counted?.number ?? null,
      counted?.usage ?? null,
    ]
    if (this.#sql.isReadOnly) {
      this.#held.push({ row, parent: call.parent, exitCode: exitCodeOf(outcome) })
      return
    }
    this.#write({ row, parent: call.parent, exitCode: exitCodeOf(outcome) })
  }

  /** Keeps the whole answer of a call that ran something. */
  keepAnswer(callId: string, outcome: Outcome): void {
    if (!this.#sql.isReadOnly) this.#answers.keep(callId, answerOf(outcome))
  }

  /** The call with its whole answer, where that is kept. */
  withAnswer(call: HistoryCall): HistoryCall {
    return { ...call, answer: this.#answers.whole(call.callId, call.answer) }
  }

  /** Number of completions that wait for room on the disk. */
  get held(): number {
    return this.#held.length
  }

  /** Writes the completions that waited for room on the disk. */
  writeHeld(): void {
    for (const end of this.#held.splice(0)) this.#write(end)
  }

  #write({ row, parent, exitCode }: HeldEnd): void {
    const [callId] = row
    if (parent && !this.#noted.has(callId)) this.#parents.note(callId, parent)
    this.#exitCodes.note(callId, exitCode)
    this.#insert(row)
  }

  #insert(row: EndedRow): void {
    const seq = this.#noted.get(row[0])
    if (seq === undefined) this.#sql.run(PUT_ENDED, ...row)
    else this.#finish(seq, row)
    this.#sinceDropped += 1
    if (this.#sinceDropped < DROP_EVERY) return
    this.#sinceDropped = 0
    this.#sql.run(DROP_OLD, MAX_HISTORY_CALLS, this.#heard())
    this.#parents.dropOld()
    this.#exitCodes.dropOld()
  }

  #finish(seq: number, [callId, , , , state = '', answer = '', endedAt = null, receipt = null]: EndedRow): void {
    this.#noted.delete(callId)
    this.#sql.run(state === 'pending' ? PUT_PENDING : PUT_END, state, answer, endedAt, receipt, seq)
  }

  /**
   * Notes the end of a pending call's work.
   * @param costs what the call cost, with its work
   */
  settle(callId: string, outcome: Outcome, now: number, costs: CallCosts): void {
    this.#exitCodes.note(callId, exitCodeOf(outcome))
    this.#sql.run(
      `UPDATE calls SET state = ?, answer = ?, ended_at = ?, receipt = json_patch(coalesce(receipt, '{}'), ?) WHERE seq = (${newestOf})`,
      outcome.kind,
      start(answerOf(outcome), MAX_HISTORY_CHARS),
      now,
      JSON.stringify(costs),
      callId,
    )
  }

  /** Ends the pending calls of a tool that wait for something with an id, which their answers name. No work of theirs went on meanwhile. */
  endPendingOn(tool: string, id: string, answer: string): void {
    this.#sql.run(
      `UPDATE calls SET state = 'done', answer = ?1 WHERE state = 'pending' AND instr(answer, ?2) > 0 AND (${TOOL_BEHIND}) = ?3`,
      start(answer, MAX_HISTORY_CHARS),
      id,
      tool,
    )
  }

  /** Adds to the cost of a call that has ended before another one that it made. */
  addCost(callId: string, cost: number): void {
    if (this.#sql.isReadOnly) return
    this.#sql.run(
      `UPDATE calls SET receipt = json_set(receipt, '$.cost', coalesce(receipt ->> '$.cost', 0) + ?) WHERE seq = (${newestOf})`,
      cost,
      callId,
    )
  }

  /** Time when a call last began or ended. @returns null when there was none */
  lastUsed(): number | null {
    const [row] = this.#sql.all<{ at: number }>(
      'SELECT max(started_at, ifnull(ended_at, 0)) AS at FROM calls ORDER BY seq DESC LIMIT 1',
    )
    return row?.at ?? null
  }

  /**
   * Marks calls that a crash cut off as lost, since no code will end them.
   * @param goingOn ids of calls whose work continues
   * @param running ids of those among them that were not answered
   * @returns how many calls were lost
   */
  loseRunning(goingOn: readonly string[], running: readonly string[]): number {
    const pending = goingOn.filter((id) => !running.includes(id))
    for (const id of pending) this.#sql.run(`UPDATE calls SET state = 'pending' WHERE seq = (${newestOf})`, id)
    const lost = `UPDATE calls SET state = 'lost', answer = ?
      WHERE state = 'running' AND call_id NOT IN (SELECT value FROM json_each(?)) RETURNING seq`
    return this.#sql.all(lost, LOST, JSON.stringify(running)).length
  }

  /** Marks a running call as lost. */
  lose(callId: string): void {
    this.#sql.run(
      `UPDATE calls SET state = 'lost', answer = ? WHERE seq = (${newestOf}) AND state = 'running'`,
      LOST,
      callId,
    )
  }

  /** Call of the history. @returns null when there is no such call, or it is no longer kept */
  call(callId: string): HistoryCall | null {
    const [row] = this.#sql.all<Row>(`SELECT * FROM calls WHERE seq = (${newestOf})`, callId)
    return row ? this.withAnswer(this.#whole([toCall(row)])[0] ?? toCall(row)) : null
  }

  /** Tools of calls by call id, of those that are kept. One look at all of them: ids have no index. */
  toolsOf(callIds: readonly string[]): ReadonlyMap<string, string> {
    if (callIds.length === 0) return new Map()
    const rows = this.#sql.all<{ call_id: string; tool: string }>(
      'SELECT call_id, tool FROM calls WHERE call_id IN (SELECT value FROM json_each(?))',
      JSON.stringify([...new Set(callIds)]),
    )
    return new Map(rows.map(({ call_id, tool }) => [call_id, tool]))
  }

  /** Calls with what few of them have. */
  #whole(calls: readonly HistoryCall[]): HistoryCall[] {
    return this.#exitCodes.withExitCodes(this.#parents.withParents(calls))
  }

  page({ limit, before, tool, state, callId, tools }: HistoryQuery): HistoryPage {
    const hasExitCode = this.#exitCodes.condition
    const inStates: Readonly<Record<string, string>> = {
      successful: `state = 'done' AND NOT (${hasExitCode})`,
      unsuccessful: `state IN (${UNSUCCESSFUL}) OR ${hasExitCode}`,
    }
    const inState = inStates[state ?? ''] ?? 'state = ?3'
    const rows = this.#sql.all<Row>(
      `SELECT * FROM calls WHERE seq < ?1 AND (?2 IS NULL OR tool = ?2) AND (?3 IS NULL OR ${inState})
         AND (?5 IS NULL OR call_id = ?5) AND (?6 IS NULL OR (${TOOL_BEHIND}) IN (SELECT value FROM json_each(?6)))
         ORDER BY seq DESC LIMIT ?4`,
      before ?? Number.MAX_SAFE_INTEGER,
      tool ?? null,
      state ?? null,
      limit,
      callId ?? null,
      tools ? JSON.stringify(tools) : null,
    )
    const last = rows.length === limit ? rows.at(-1) : undefined
    return { calls: this.#whole(rows.map(toCall)), ...(last && { next: last.seq }) }
  }
}

/** SQL for the states of calls that did not go well; that of a command with another exit code than 0 is `done`. */
const UNSUCCESSFUL = "'failed', 'refused', 'lost'"
const LOST = `${RESTARTED}, ${MAYBE_DONE} call again`
const CUT = '{"tool_id":"'
/** SQL for the name of the tool that a call passes on to; null where its arguments were cut and do not begin with it. */
const NAMED = `CASE WHEN json_valid(args) THEN coalesce(args ->> '$.tool_id', args ->> '$.tool_name', args ->> '$.name')
  WHEN substr(args, 1, ${CUT.length}) = '${CUT}' THEN substr(args, ${CUT.length + 1}, instr(substr(args, ${CUT.length + 1}), '"') - 1) END`
/** SQL for the tool that a call is of: for one that only passes on, the tool behind it, without its version. */
const TOOL_BEHIND = `CASE WHEN tool NOT IN ('${[...PASS_ON].join("', '")}') THEN tool
  ELSE substr(${NAMED}, 1, instr(${NAMED} || '@', '@') - 1) END`

/** Values of a row in the order of {@link PUT_ENDED}. */
type EndedRow = [callId: string, ...SqlValue[]]

/** End of a call with what stands in tables of its own. */
interface HeldEnd {
  readonly row: EndedRow
  readonly parent: string | null | undefined
  readonly exitCode: number
}

const PUT_ENDED = `INSERT INTO calls (call_id, tool, args, started_at, state, answer, ended_at, receipt, end_number, usage)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const PUT_END = 'UPDATE calls SET state = ?, answer = ?, ended_at = ?, receipt = ? WHERE seq = ?'
/** SQL for the answer "pending": the work of the call may have ended before this, and then only the receipt is missing, but for its costs. */
const PUT_PENDING = `UPDATE calls SET state = iif(state = 'running', ?1, state), answer = iif(state = 'running', ?2, answer),
  ended_at = iif(state = 'running', ?3, ended_at), receipt = json_patch(?4, coalesce(receipt, '{}')) WHERE seq = ?5`
const DROP_OLD = `DELETE FROM calls WHERE seq <= (SELECT max(seq) FROM calls) - ? AND (end_number IS NULL OR end_number <= ?)`
/** SQL that ends at the first row that it finds. */
const newestOf = 'SELECT seq FROM calls WHERE call_id = ? ORDER BY seq DESC LIMIT 1'

function answerOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'done':
      return outcome.result.text
    case 'failed':
    case 'refused':
      return outcome.failure.message
    case 'pending':
      return outcome.soFar.text
  }
}

/** Start of a text, masked before it is cut: half a secret is not recognised. */
const start = (text: string, chars: number) => redact(text.slice(0, chars + REDACT_AHEAD_CHARS)).slice(0, chars)

/** JSON of arguments with every long text in them shortened, so that the whole stays readable and small. */
function kept(args: unknown): string {
  const whole = JSON.stringify(args ?? {}) ?? '{}'
  // No text in it can be long; and serializing with a function takes several times as long.
  if (whole.length <= 500) return start(whole, MAX_HISTORY_CHARS)
  const short = (_key: string, value: unknown) =>
    typeof value === 'string' && value.length > 500 ? `${start(value, 500)}… (${value.length} characters)` : value
  return start(JSON.stringify(args ?? {}, short) ?? '{}', MAX_HISTORY_CHARS)
}

/** Fields of the column `receipt`: the receipt, and who called, which needs no column of its own so. */
type ReceiptColumn = CallCosts & Partial<Receipt> & { readonly agent?: string }

const toCall = (row: Row): HistoryCall => {
  const { agent, ...receipt }: ReceiptColumn = JSON.parse(row.receipt ?? '{}')
  return { ...withoutAgent(row, receipt), ...(agent !== undefined && { agent }) }
}

const withoutAgent = (row: Row, receipt: CallCosts & Partial<Receipt>): HistoryCall => ({
  seq: row.seq,
  callId: row.call_id,
  tool: row.tool,
  args: row.args,
  state: row.state as HistoryCall['state'],
  answer: row.answer,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  // With nothing but the costs of work that ended before the answer “pending” it is none yet.
  receipt: receipt.executed_on === undefined ? null : (receipt as Receipt),
})
