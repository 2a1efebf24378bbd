import { MAX_CONSOLE_REPLY_BYTES } from '../../core/limits/consoles.ts'
import { MAX_OUTPUT_BYTES } from '../../core/limits/sandbox.ts'
import { SHELLS_GRACE_MS, SHELLS_LINK_MS } from '../../core/limits/shells.ts'
import type { Sql } from '../../ports/sql.ts'
import { type Resident, ResidentLink } from '../resident/link.ts'
import { SUPERVISOR, SUPERVISOR_PATH } from './program.ts'

/** The supervisor as a resident program: the process that runs commands. */
export const SUPERVISOR_RESIDENT: Resident = {
  program: SUPERVISOR,
  name: 'toolyard-supervisor',
  table: 'supervisor_process',
  pathVariable: SUPERVISOR_PATH,
  // A control character becomes six in JSON. The limit is two channels with their other fields; or a reply of the consoles, which
  // is JSON already and doubles at most.
  maxReplyChars: Math.max(2 * 6 * MAX_OUTPUT_BYTES, 2 * MAX_CONSOLE_REPLY_BYTES) + 8_192,
  graceMs: SHELLS_GRACE_MS,
  linkMs: SHELLS_LINK_MS,
  notRunning: 'the process that runs commands does not start in the sandbox',
  isAskable: true,
  isBare: true,
}

/** Connection of the session to the process that runs its commands. */
export const supervisorLink = (sql: Sql, env: Readonly<Record<string, string>>): ResidentLink =>
  new ResidentLink(SUPERVISOR_RESIDENT, sql, env)
