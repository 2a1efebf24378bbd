import type { Migrations } from '../migration.ts'
import { first } from './0001-first.ts'
import { spares } from './0002-spares.ts'
import { warmPools } from './0003-warm-pools.ts'

/** Tables of the Leases object. `docs/storage.md` says what each is for. */
export const LEASES_MIGRATIONS: Migrations = { object: 'Leases object', steps: [first, spares, warmPools] }
