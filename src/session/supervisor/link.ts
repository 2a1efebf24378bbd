import { MAX_CONSOLE_REPLY_BYTES } from '../../core/limits/consoles.ts'
import { SHELLS_GRACE_MS, SHELLS_LINK_MS } from '../../core/limits/shells.ts'
import type { Sql } from '../../ports/sql.ts'
import { ResidentLink } from '../resident/link.ts'
import { SUPERVISOR, SUPERVISOR_PATH } from './program.ts'

/** The session's connection to the process in its sandbox that runs what calls ask for. */
export const supervisorLink = (sql: Sql, env: Readonly<Record<string, string>>): ResidentLink =>
  new ResidentLink(
    {
      program: SUPERVISOR,
      table: 'supervisor_process',
      pathVariable: SUPERVISOR_PATH,
      // A reply doubles at most on its way.
      maxReplyChars: 3 * MAX_CONSOLE_REPLY_BYTES,
      graceMs: SHELLS_GRACE_MS,
      linkMs: SHELLS_LINK_MS,
      notRunning: NOT_RUNNING,
    },
    sql,
    env,
  )

const NOT_RUNNING = 'no process can be started in the sandbox; its memory may be full, or it has no python3'
