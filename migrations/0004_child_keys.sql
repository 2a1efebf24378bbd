-- Revoked child keys until they would have expired: the ids of their chains, `root.child.grandchild`. Read with the row of the root
-- key, so that checking a child key takes no look-up of its own. A child key that is not here has no row anywhere in this database.
CREATE TABLE revoked_children (
  chain TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX revoked_children_by_expiry ON revoked_children (expires_at);
