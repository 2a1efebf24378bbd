/** Day on which `npm run bench:cost` counted what follows, with the code of that day. */
export const MEASURED_OF = '2026-11-28'

/** Counts of one call: rows of objects and of D1, operations of R2, requests to the Worker and to objects. */
export interface MeasuredCounts {
  readonly rowsWritten: number
  readonly rowsRead: number
  readonly d1Written: number
  readonly d1Read: number
  readonly classA: number
  readonly classB: number
  readonly workerRequests: number
  readonly objectRequests: number
}

type Row = readonly [number, number, number, number, number, number, number, number]

const counts = ([rowsWritten, rowsRead, d1Written, d1Read, classA, classB, workerRequests, objectRequests]: Row) =>
  ({ rowsWritten, rowsRead, d1Written, d1Read, classA, classB, workerRequests, objectRequests }) as MeasuredCounts

/** Counts of one kind of call: of one of many in a row, of one alone, and of what it leaves to be collected days later. */
const counted = (many: Row, alone: Row, collected: Row) => ({
  many: counts(many),
  alone: counts(alone),
  collected: counts(collected),
})

/** Second table that `npm run bench:cost` prints, without bytes. */
export const MEASURED = {
  'file_write, a new path': counted(
    [6.2, 34.4, 0, 0, 0, 0, 1, 1.1],
    [12, 315, 0, 0, 0, 0, 1, 3],
    [2.3, 27.3, 0, 0, 0, 0, 0, 0.1],
  ),
  'file_write, an existing path': counted(
    [6.2, 34.6, 0, 0, 0, 0, 1, 1.1],
    [12, 323, 0, 0, 0, 0, 1, 3],
    [6.4, 42.5, 0, 0, 0, 0, 0, 0.1],
  ),
  file_read: counted([1.1, 9.4, 0, 0, 0, 0, 1, 1.1], [7, 298, 0, 0, 0, 0, 1, 3], [0.3, 20.6, 0, 0, 0, 0, 0, 0.1]),
  'execute_shell, no change': counted(
    [7.3, 17.6, 0, 0, 0, 0, 1, 1.1],
    [13, 157, 0, 0, 0, 0, 1, 3],
    [1, 22.4, 0, 0, 0, 0, 0, 0.2],
  ),
  'execute_shell, one file changed': counted(
    [14.5, 102.1, 0, 0, 0, 0, 1, 1.2],
    [20, 237, 0, 0, 0, 0, 1, 3],
    [6.9, 56.7, 0, 0, 0, 0, 0, 0.3],
  ),
  'a call by Toolcore': counted(
    [2.1, 8.3, 0, 0, 0, 0, 1, 1.3],
    [6, 288, 0, 0, 0, 0, 1, 4],
    [0, 6.2, 0, 0, 0, 0, 0, 0.1],
  ),
  'a paper search, 1,000 papers': counted(
    [2.5, 11.9, 5, 6624.6, 0, 0, 1, 1.2],
    [7, 292, 5, 7548, 0, 0, 1, 3],
    [0.3, 20.5, 0, 0, 0, 0, 0, 0.1],
  ),
} as const

export type MeasuredCall = keyof typeof MEASURED

/** Seconds for which objects are in use for a call, six seconds after the one before, as `npm run bench:cost -- --in-use` prints them. */
export const IN_USE_SECONDS: Readonly<Record<MeasuredCall, number>> = {
  'file_write, a new path': 0.04,
  'file_write, an existing path': 0.06,
  file_read: 0.02,
  'execute_shell, no change': 5.11,
  'execute_shell, one file changed': 5.03,
  'a call by Toolcore': 0.29,
  'a paper search, 1,000 papers': 0.36,
}
