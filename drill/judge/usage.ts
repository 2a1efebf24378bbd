import { setTimeout as after } from 'node:timers/promises'
import type { CallCount, Connection } from '../clients/connection.ts'
import { Violation } from '../model/violation.ts'

/** Longest time until completions of calls are reported to the tenant. */
const REPORT_MS = 90_000
const PAUSE_MS = 500
/** Rows of use that one answer may have. */
const LIMIT = 1000

/**
 * Compares the server's counts of each session with the calls sent there and acknowledged.
 * @throws Violation when an acknowledged call is not counted, or one that was not sent is
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

/** Wrong counts, in words. Sessions that the drill did not make are ignored. */
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
  const { data } = await connection.json({ method: 'GET', path })
  const rows = data as readonly { readonly session: string; readonly calls: number }[]
  return new Map(rows.map(({ session, calls }) => [session, calls]))
}
