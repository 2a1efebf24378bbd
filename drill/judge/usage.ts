import { setTimeout as after } from 'node:timers/promises'
import type { CallCount, Connection } from '../clients/connection.ts'
import { Violation } from '../model/violation.ts'

/** Longest time until ends of calls are told to the tenant. */
const REPORT_MS = 90_000
const PAUSE_MS = 500
/** Rows of use that one answer may have. */
const LIMIT = 1000

/**
 * Compares what the server counts for each session with what was sent there and what was acknowledged.
 * @throws Violation when a call that was acknowledged is not counted, or one that was not sent is
 */
export async function judgeUsage(calls: ReadonlyMap<string, CallCount>, connection: Connection): Promise<void> {
  const deadline = performance.now() + REPORT_MS
  for (;;) {
    const wrong = differences(calls, await counted(connection))
    if (wrong.length === 0) return
    if (performance.now() > deadline) throw new Violation('miscounted', wrong.join('; '))
    await after(PAUSE_MS)
  }
}

/** Wrong counts, in words. Sessions that nobody of the drill knows are not looked at. */
export function differences(
  calls: ReadonlyMap<string, CallCount>,
  counts: ReadonlyMap<string, number>,
): readonly string[] {
  return [...calls].flatMap(([session, { sent, done }]) => {
    const count = counts.get(session) ?? 0
    const isTrue = count >= done && count <= sent
    return isTrue ? [] : [`${session} counts ${count} calls, of ${sent} sent and ${done} acknowledged`]
  })
}

async function counted(connection: Connection): Promise<ReadonlyMap<string, number>> {
  const path = `/v1/usage?group_by=session&limit=${LIMIT}`
  const { groups } = await connection.json({ method: 'GET', path })
  const rows = groups as readonly { readonly session: string; readonly calls: number }[]
  return new Map(rows.map(({ session, calls }) => [session, calls]))
}
