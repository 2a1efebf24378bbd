import { type Migration, runAll } from '../migration.ts'

/** Adds the toolkits that a tenant's lists of tools show besides the usual ones. */
export const listedToolkits: Migration = {
  name: '0006-listed-toolkits',
  upgrade(sql) {
    runAll(sql, ['CREATE TABLE listed_toolkits (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID'])
  },
}
