import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { port, state } from './settings.mjs'

const BATCH_MS = 60_000

/** File of a state that has no paper beside the keys. */
export const movedPapers = (directory) => join(directory, 'papers-moved')

/** Moves papers that an earlier version kept beside the keys to the database of papers. The server runs meanwhile. */
export async function movePapers(adminToken, isStopping) {
  const done = movedPapers(state)
  if (existsSync(done)) return
  for (let said = false; !isStopping(); ) {
    const answer = await fetch(`http://127.0.0.1:${port}/admin/papers/move`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${adminToken}` },
      signal: AbortSignal.timeout(BATCH_MS),
    }).catch(() => null)
    if (!answer?.ok) {
      if (!isStopping()) console.error('Toolyard: papers could not be moved; the next start tries again')
      return
    }
    const { moved, remaining, done: isDone } = await answer.json()
    if (moved + remaining > 0 && !said) {
      said = true
      console.log(`Toolyard: moving ${moved + remaining} papers to a database of their own …`)
    }
    if (!isDone) continue
    writeFileSync(done, '', { mode: 0o600 })
    return
  }
}
