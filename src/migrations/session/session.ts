import type { Migrations } from '../migration.ts'
import { first } from './0001-first.ts'
import { endsInHistory } from './0002-ends-in-history.ts'
import { leanCommits } from './0003-lean-commits.ts'
import { smallWrite } from './0004-small-write.ts'
import { sandboxTables } from './0005-sandbox-tables.ts'
import { entriesByPath } from './0006-entries-by-path.ts'
import { uncounted } from './0007-uncounted.ts'
import { sentTo } from './0008-sent-to.ts'

/** Tables of a Session object, except those of `lazy-tables.ts`. `docs/storage.md` says what each is for. */
export const SESSION_MIGRATIONS: Migrations = {
  object: 'session',
  steps: [first, endsInHistory, leanCommits, smallWrite, sandboxTables, entriesByPath, uncounted, sentTo],
}
