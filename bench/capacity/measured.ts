/** Day on which `npm run bench:cost` counted what follows, with the code of that day. */
export const MEASURED_OF = '2026-11-24'

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
    [7.3, 37.2, 0, 0, 0, 0, 1, 1.1],
    [13, 299, 0, 0, 0, 0, 1, 3],
    [2.3, 41.6, 0, 0, 0, 0, 0, 0.1],
  ),
  'file_write, an existing path': counted(
    [7.2, 37.4, 0, 0, 0, 0, 1, 1.1],
    [13, 310, 0, 0, 0, 0, 1, 3],
    [6.4, 42.8, 0, 0, 0, 0, 0, 0.1],
  ),
  file_read: counted([1.1, 8.9, 0, 0, 0, 0, 1, 1.1], [7, 278, 0, 0, 0, 0, 1, 3], [0.3, 20, 0, 0, 0, 0, 0, 0.1]),
  'execute_shell, no change': counted(
    [7.3, 17.2, 0, 0, 0, 0, 1, 1.1],
    [13, 305, 0, 0, 0, 0, 1, 3],
    [1, 22.5, 0, 0, 0, 0, 0, 0.2],
  ),
  'execute_shell, one file changed': counted(
    [15.9, 125.3, 0, 0, 0, 0, 1, 1.4],
    [21, 407, 0, 0, 0, 0, 1, 3],
    [6.9, 44.5, 0, 0, 0, 0, 0, 0.2],
  ),
  'a call by Toolcore': counted(
    [2.2, 7.9, 0, 0, 0, 0, 1, 1.2],
    [6, 266, 0, 0, 0, 0, 1, 4],
    [0, 18, 0, 0, 0, 0, 0, 0.1],
  ),
  'a paper search, 1,000 papers': counted(
    [3.1, 17.4, 5, 6624.6, 0, 0, 1, 1.5],
    [7, 406, 5, 7548, 0, 0, 1, 3],
    [0.3, 23.8, 0, 0, 0, 0, 0, 0.1],
  ),
} as const

export type MeasuredCall = keyof typeof MEASURED
