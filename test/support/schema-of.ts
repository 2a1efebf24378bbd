import type { Sql } from '../../src/ports/sql.ts'

const OURS = `name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'`

/** Statements that make the tables and indexes of a database, each on one line, however they were written. */
export function schemaOf(sql: Pick<Sql, 'all'>): string[] {
  return sql
    .all<{ made: string }>(
      `SELECT sql AS made FROM sqlite_master WHERE sql IS NOT NULL AND ${OURS} ORDER BY tbl_name, type DESC, name`,
    )
    .map(({ made }) =>
      made
        .replace(/\s+/g, ' ')
        .replace(/\( /g, '(')
        .replace(/ ([),])/g, '$1')
        .replace(/"(\w+)"/g, '$1'),
    )
}

/** Rows of a database, by table. */
export function rowsOf(sql: Pick<Sql, 'all'>): Record<string, unknown[]> {
  const tables = sql.all<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table' AND ${OURS}`)
  return Object.fromEntries(tables.map(({ name }) => [name, sql.all(`SELECT * FROM ${name}`)]))
}
