-- Who may use the server. Times are milliseconds since 1970.
CREATE TABLE tenants (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  disabled_at INTEGER
) STRICT;

-- `hash` is SHA-256 of the whole key in hex; the key itself is nowhere. `scopes` are words with blanks between.
-- There is no "last used": it would turn each request into a write.
CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  tenant TEXT NOT NULL REFERENCES tenants (id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE INDEX keys_by_tenant ON keys (tenant, created_at, id);
