import type { Migrations } from '../migration.ts'
import { first } from './0001-first.ts'
import { sessions } from './0002-sessions.ts'
import { childKeys } from './0003-child-keys.ts'
import { webhooks } from './0004-webhooks.ts'
import { ledger } from './0005-ledger.ts'
import { listedToolkits } from './0006-listed-toolkits.ts'
import { mcpServers } from './0007-mcp-servers.ts'
import { sharedReferences } from './0008-shared-references.ts'
import { ownerWork } from './0009-owner-work.ts'
import { sandboxTime } from './0010-sandbox-time.ts'
import { sessionDefaults } from './0011-session-defaults.ts'
import { auditSegments } from './0012-audit-segments.ts'
import { openQuestions } from './0013-open-questions.ts'

/** Tables of a Tenant object. `docs/storage.md` says what each is for. */
export const TENANT_MIGRATIONS: Migrations = {
  object: 'tenant',
  steps: [
    first,
    sessions,
    childKeys,
    webhooks,
    ledger,
    listedToolkits,
    mcpServers,
    sharedReferences,
    ownerWork,
    sandboxTime,
    sessionDefaults,
    auditSegments,
    openQuestions,
  ],
}
