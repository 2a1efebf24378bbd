import { type Migration, runAll } from '../migration.ts'

/** Adds the time of sandboxes to use: of rows until then it is unknown, and counts as none. */
export const sandboxTime: Migration = {
  name: '0010-sandbox-time',
  upgrade(sql) {
    runAll(sql, [
      'ALTER TABLE usage ADD COLUMN sandbox_running_ms INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE usage ADD COLUMN sandbox_paused_ms INTEGER NOT NULL DEFAULT 0',
    ])
  },
}
