import { type Migration, runAll } from '../migration.ts'

/** Adds webhooks, and the outbox of their deliveries. */
export const webhooks: Migration = {
  name: '0004-webhooks',
  upgrade(sql) {
    runAll(sql, [
      // `wants` is JSON: events and filters. Secrets are encrypted.
      `CREATE TABLE webhooks (
        id TEXT NOT NULL PRIMARY KEY, url TEXT NOT NULL, description TEXT NOT NULL, wants TEXT NOT NULL, secret BLOB NOT NULL,
        old_secret BLOB, old_until INTEGER, created_at INTEGER NOT NULL, disabled_at INTEGER, disabled_by TEXT,
        failing_since INTEGER, dropped INTEGER NOT NULL DEFAULT 0
      ) STRICT, WITHOUT ROWID`,
      // `due_at` is null for deliveries that are over. `about` is set for events that come once.
      `CREATE TABLE webhook_deliveries (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, webhook TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL,
        about TEXT, at INTEGER NOT NULL, state TEXT NOT NULL, due_at INTEGER, attempts INTEGER NOT NULL, attempted_at INTEGER,
        status INTEGER, error TEXT, ended_at INTEGER
      ) STRICT`,
      'CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, due_at) WHERE due_at IS NOT NULL',
      'CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook, seq)',
      'CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (webhook, about) WHERE about IS NOT NULL',
    ])
  },
}
