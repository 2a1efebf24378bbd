import { MAX_PYTHON_RESULT_BYTES, PYTHON_GRACE_MS, PYTHON_LINK_MS } from '../../core/limits/python.ts'
import type { Sql } from '../../ports/sql.ts'
import { ResidentLink } from '../resident/link.ts'
import { HOST } from './host.ts'

/** Connection of the session to the process that manages its Python modules. */
export const pythonLink = (sql: Sql, env: Readonly<Record<string, string>>): ResidentLink =>
  new ResidentLink(
    {
      program: HOST,
      table: 'python_process',
      pathVariable: 'MODULE_PATH',
      // A result doubles at most in transit, and the printed output comes with it.
      maxReplyChars: 3 * MAX_PYTHON_RESULT_BYTES,
      graceMs: PYTHON_GRACE_MS,
      linkMs: PYTHON_LINK_MS,
      notRunning: NO_PYTHON,
    },
    sql,
    env,
  )

const NO_PYTHON = 'Python does not run in the sandbox; its memory may be full, or it has no python3'
