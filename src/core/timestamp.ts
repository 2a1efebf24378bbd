/**
 * A time as Python's `datetime.isoformat()` writes it, in UTC and without a zone: `2026-11-20T11:08:41.368771`.
 * The fraction has six digits, and is absent when it is exactly zero. The Tool Server's clients parse this form.
 * @param ms milliseconds since 1970; may have a fraction
 */
export function pythonTimestamp(ms: number): string {
  const micros = Math.round(ms * 1000)
  const fraction = ((micros % 1_000_000) + 1_000_000) % 1_000_000
  const whole = new Date((micros - fraction) / 1000).toISOString().slice(0, 19)
  return fraction === 0 ? whole : `${whole}.${String(fraction).padStart(6, '0')}`
}
