const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** Bytes as people read them: `12 B`, `3.4 MiB`. */
export function byteText(bytes: number): string {
  let unit = 0
  let amount = bytes
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024
    unit++
  }
  return `${unit === 0 ? amount : amount.toFixed(1)} ${UNITS[unit]}`
}

/** A duration as people read it: `340 ms`, `2.1 s`, `3 min 4 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
}

/** A time as people read it, in UTC: `2026-11-24 13:40:07`. Null for none. */
export function timeText(time: string | number | null | undefined): string {
  if (time === null || time === undefined) return ''
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return String(time)
  return date.toISOString().slice(0, 19).replace('T', ' ')
}
