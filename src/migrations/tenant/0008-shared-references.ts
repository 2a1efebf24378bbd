import { type Migration, runAll } from '../migration.ts'

/** Lets sessions share references: a fork begins with those of its origin, and adds a row or two. */
export const sharedReferences: Migration = {
  name: '0008-shared-references',
  upgrade(sql) {
    runAll(sql, [
      // Names under which a session's own references stood in `refs`, before a fork took part in them. Its own are under the
      // node id at first, and under another name after each such fork.
      `CREATE TABLE ref_pools (
        pool TEXT NOT NULL, node_id TEXT NOT NULL, PRIMARY KEY (pool, node_id)
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX ref_pools_by_node ON ref_pools (node_id, pool)',
      'CREATE TABLE ref_names (node_id TEXT NOT NULL PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID',
      // A row of `refs` in a pool goes when all sessions of the pool have released it.
      `CREATE TABLE ref_releases (
        pool TEXT NOT NULL, hash TEXT NOT NULL, node_id TEXT NOT NULL, PRIMARY KEY (pool, hash, node_id)
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX ref_releases_by_node ON ref_releases (node_id, pool, hash)',
    ])
  },
}
