import type { Internet } from '../../core/internet.ts'
import { USUAL_SETTINGS } from '../../core/session-settings.ts'
import { sessionInternet } from '../../core/tenant-internet.ts'
import type { KeyStore } from '../../ports/keys.ts'
import type { RecordStore, SessionRecord } from '../record.ts'

/**
 * Internet policy in force for a session: its own, or its tenant's default, within its tenant's ceiling. It is read anew for each sandbox,
 * so that a new ceiling holds for all that are made after it.
 */
export const internetOf =
  (records: Pick<RecordStore, 'read'>, keys: Pick<KeyStore, 'internet'>, tenant: SessionRecord['tenant']) =>
  async (): Promise<Internet> => {
    const policies = await keys.internet(tenant)
    return sessionInternet((records.read()?.settings ?? USUAL_SETTINGS).internet, policies)
  }
