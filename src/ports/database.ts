/** An SQL database (SQLite's dialect) over a network: D1, or `node:sqlite` in plain tests. */
export interface Database {
  /**
   * Runs one statement and returns its rows.
   * @throws FailureError `upstream`
   */
  rows<Row extends DatabaseRow>(statement: Statement): Promise<Row[]>
  /**
   * Runs statements in this order as one transaction: all are committed, or, when one fails, none.
   * @returns the rows of each
   * @throws FailureError `upstream`
   */
  batch(statements: readonly Statement[]): Promise<DatabaseRow[][]>
}

export interface Statement {
  /** Query text, at most 100 KB; parameters are `?` or `?1`. */
  readonly query: string
  /** Parameters, at most 100, of at most 2 MB each: lists go in as one JSON text, for `json_each`. */
  readonly params: readonly DatabaseValue[]
}

export type DatabaseValue = string | number | null
export type DatabaseRow = Record<string, DatabaseValue>

export const sql = (query: string, ...params: DatabaseValue[]): Statement => ({ query, params })
