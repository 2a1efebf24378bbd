import { toFailure } from '../../../../../core/failure.ts'
import { MAX_WATCH_REOPENINGS, WATCH_REOPENING_MS } from '../../../../../core/limits/mcp-resources.ts'
import { EVENTS_MS, MAX_EVENT_LOOKS, MAX_EVENTS_PAUSE_MS } from '../../../../../core/limits/requests.ts'
import { WATCH_HEARTBEAT_MS } from '../../../../../core/limits/watch.ts'
import type { SessionApi } from '../../../../../session/api.ts'
import type { WakeUps } from '../../../../watching/wake-ups.ts'
import { wakeUpsOf } from '../../../../watching/wake-ups-of.ts'

interface Parts {
  readonly session: Pick<SessionApi, 'fetch' | 'watch'>
  /** Number of the commit from which on changes are wanted. */
  readonly from: number
  /** File or directory to which all wanted changes belong; empty for all. */
  readonly path: () => string
  /** Hears which paths changed; null where it may have been any. */
  readonly touched: (paths: readonly string[] | null) => void
  /** Hears that the watcher stopped by itself. */
  readonly ended: () => void
}

/**
 * Watcher of one session, as long as it is started: waits on a WebSocket and reads commits when it says so, so a session that rests costs
 * nothing. What it has read it remembers: started again, it goes on there.
 */
export class SessionWatcher {
  readonly #parts: Parts
  #place: number
  #run: Run | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#place = parts.from
  }

  start(): void {
    if (this.#run) return
    const run: Run = { stopped: new AbortController(), wakeUps: null }
    this.#run = run
    // It never rejects: whatever goes wrong is an end.
    void this.#watch(run)
      .catch(() => undefined)
      .then(() => {
        if (this.#run !== run) return
        this.stop()
        this.#parts.ended()
      })
  }

  stop(): void {
    this.#run?.stopped.abort()
    this.#run?.wakeUps?.close()
    this.#run = null
  }

  /** Watches until it is stopped, the session is gone, or the bounds of one stream are reached. */
  async #watch(run: Run): Promise<void> {
    const { signal } = run.stopped
    const until = Date.now() + EVENTS_MS
    let looks = 0
    for (let opened = 0; opened <= MAX_WATCH_REOPENINGS; opened++) {
      await pause(opened * WATCH_REOPENING_MS)
      if (signal.aborted) return
      let heard = await this.#open(run)
      while (heard !== 'over') {
        if (signal.aborted || looks >= MAX_EVENT_LOOKS || Date.now() >= until) return
        if (heard !== 'silence') {
          // A session that commits all the time would use up the looks within minutes.
          await pause(Math.min(looks++ * PAUSE_GROWTH_MS, MAX_EVENTS_PAUSE_MS))
          if (signal.aborted) return
          const look = await this.#look()
          if (look === 'gone') return
          if (look === 'behind') continue
        }
        heard = heard === 'closed' || !run.wakeUps ? 'over' : await run.wakeUps.next(WATCH_HEARTBEAT_MS)
      }
    }
  }

  /** Opens the WebSocket. What was committed before it was open is read as if it had told of it. */
  async #open(run: Run): Promise<Heard> {
    try {
      run.wakeUps = await wakeUpsOf(this.#parts.session, '')
      if (run.stopped.signal.aborted) run.wakeUps.close()
      return 'message'
    } catch (thrown) {
      const { code } = toFailure(thrown)
      if (code === 'session_not_found') return 'closed' // the look finds out, and tells
      if (code === 'rate_limited' || code === 'forbidden') throw thrown
      return 'over'
    }
  }

  /** Reads the next commits. `behind`: there are more; `gone`: the session is. */
  async #look(): Promise<'read' | 'behind' | 'gone'> {
    const { session, path, touched } = this.#parts
    const view = await session.watch.commits({ after: this.#place, path: path() }).catch(toFailure)
    if ('code' in view) {
      if (view.code !== 'session_not_found') return 'read' // the socket is closed too, and opened again
      touched(null)
      return 'gone'
    }
    if (view.state === 'gone') {
      this.#place = view.head
      touched(null)
      return 'read'
    }
    this.#place = view.upTo
    const { commits } = view
    if (commits.some(({ changes, changed }) => changed > changes.length)) touched(null)
    else if (commits.length > 0) touched(commits.flatMap(({ changes }) => changes.map((change) => change.path)))
    return view.more ? 'behind' : 'read'
  }
}

/** Time between a start and a stop. */
interface Run {
  readonly stopped: AbortController
  wakeUps: WakeUps | null
}

type Heard = 'message' | 'silence' | 'closed' | 'over'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const PAUSE_GROWTH_MS = 10
