import { fail } from '../core/failure.ts'
import { OBJECT_STATES_DAYS } from '../core/limits/recovery.ts'
import type { SetBack, SetBackTo } from './recovery-api.ts'

/** Storage of an object whose earlier states the platform keeps. */
type KeptStorage = Pick<DurableObjectStorage, 'getBookmarkForTime' | 'onNextSessionRestoreBookmark'>

/**
 * Has an object's storage set back at the object's next start.
 * Source: Cloudflare's documents of Durable Objects, SQLite storage API, "Point in time recovery".
 * @throws FailureError `conflict` where no earlier states are kept, `invalid_input` for a moment or bookmark that is not kept
 */
export async function setBack(storage: KeptStorage, to: SetBackTo): Promise<SetBack> {
  try {
    const bookmark = 'bookmark' in to ? to.bookmark : await storage.getBookmarkForTime(to.at)
    return { bookmark, undoBookmark: await storage.onNextSessionRestoreBookmark(bookmark) }
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : ''
    if (/not (implement|support)/i.test(reason)) {
      fail(
        'conflict',
        'this server keeps no earlier states of sessions: put back a copy of its state (docs/operating.md), and send the request again without "at" and "bookmark"',
      )
    }
    fail(
      'invalid_input',
      `at, bookmark: the platform has no state of that moment; it keeps those of the last ${OBJECT_STATES_DAYS} days`,
      {
        cause: thrown,
      },
    )
  }
}
