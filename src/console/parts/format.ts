const whole = new Intl.NumberFormat('en')

/** A count with its thousands apart. */
export const countText = (count: number): string => whole.format(count)

/** Bytes in the largest unit that leaves a whole number before the point. */
export function bytesText(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return '–'
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const at = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** at
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[at]}`
}

/** Milliseconds as people say them. */
export function durationText(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Money from millionths of a unit, without a currency: the server knows none. */
export function costText(millionths: number | null | undefined): string {
  if (!millionths) return '–'
  const value = millionths / 1_000_000
  return value < 0.01 ? '< 0.01' : value.toFixed(2)
}

/** Money of one call from millionths of a unit, to the millionth, with that of the calls that it made. */
export const receiptCostText = (millionths: number, ofCalls = 0): string =>
  `${millionths / 1_000_000}${ofCalls > 0 ? ` + ${ofCalls / 1_000_000} by calls that it made` : ''}`

/** One of something, or several. */
export const plural = (count: number, one: string, several = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : several}`
