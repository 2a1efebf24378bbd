/** Kind of number that a cell's format shows. */
export type NumberFormat = 'plain' | 'date' | 'time' | 'datetime' | { readonly percent: number }

/** Formats that have a number but no text in the file (ECMA-376, 18.8.30). */
const BUILT_IN = new Map<number, string>([
  [9, '0%'],
  [10, '0.00%'],
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'yyyy-mm-dd'] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [id, 'h:mm:ss'] as const),
  [22, 'yyyy-mm-dd h:mm'],
])

/** Formats of the cell styles. @param ids of the styles, in their order @param own codes that the file declares */
export const numberFormats = (ids: readonly number[], own: ReadonlyMap<number, string>): NumberFormat[] =>
  ids.map((id) => numberFormat(own.get(id) ?? BUILT_IN.get(id) ?? ''))

function numberFormat(code: string): NumberFormat {
  // Quoted and escaped text, colours and conditions say nothing about the kind.
  const bare = (code.slice(0, 255).split(';')[0] ?? '')
    .replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]|_./gi, '')
    .toLowerCase()
  if (/^general/.test(bare)) return 'plain'
  const percent = /(?:\.(0+))?%/.exec(bare)
  if (percent) return { percent: percent[1]?.length ?? 0 }
  const time = /[hs]/.test(bare)
  const date = /[dy]/.test(bare) || (/m/.test(bare) && !time)
  return date ? (time ? 'datetime' : 'date') : time ? 'time' : 'plain'
}

const DAY_MS = 86_400_000
/** Day 0 of both calendars; the first one counts a 29 February 1900 that never was. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** 31 December 9999. */
const LAST_DAY = 2_958_466

/** Number as its cell shows it. @param value as in the file */
export function shownNumber(value: string, format: NumberFormat, from1904: boolean): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (typeof format === 'object') return `${(number * 100).toFixed(Math.min(format.percent, 10))}%`
  if (format === 'plain' || number < 0 || number >= LAST_DAY) return plain(number, value)
  const shifted = number < 60 && !from1904 ? number + 1 : number
  const moment = new Date(
    Math.round(((from1904 ? EPOCH_1904 : EPOCH_1900) + shifted * DAY_MS) / 1000) * 1000,
  ).toISOString()
  const time = moment.slice(11, 19)
  if (format === 'time') return number >= 1 ? `${Math.floor(number * 24)}${time.slice(2)}` : time
  return format === 'date' && time === '00:00:00' ? moment.slice(0, 10) : `${moment.slice(0, 10)} ${time}`
}

/** Excel shows 15 digits; the file may have 17, with 0.1 + 0.2 in full. */
const plain = (number: number, value: string) => (value.length > 15 ? String(Number(number.toPrecision(15))) : value)
