import type { SessionRecord } from '../record.ts'

/** Record of a session that was set back: its recovery is a use of it, and a lifetime since its creation that is over is taken off. */
export function recoveredRecord(record: SessionRecord, now: number): SessionRecord {
  const { settings, createdAt } = record
  const isOver = settings?.lifetimeMs != null && createdAt + settings.lifetimeMs <= now
  return { ...record, touchedAt: now, ...(isOver && { settings: { ...settings, lifetimeMs: null } }) }
}
