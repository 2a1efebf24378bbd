-- Sessions of the console, each for one browser that signed in with a key. Times are milliseconds since 1970.
-- hash is the SHA-256 of the cookie's token, which is nowhere. root is the id of the key at the top of the chain `key`, 'local' for the
-- tenant of requests without a key, 'operator' for the owner of the server, who has no tenant. proof is what the credential has to be
-- still: the hash of the key; of the owner's token, under the cookie's; empty where a row says nothing of a secret.
-- links is a JSON list: those of a child key, which nothing else keeps. A session that was ended has no row.
CREATE TABLE console_sessions (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  tenant TEXT,
  root TEXT NOT NULL,
  key TEXT NOT NULL,
  proof TEXT NOT NULL,
  links TEXT NOT NULL,
  scopes TEXT NOT NULL,
  browser TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX console_sessions_by_root ON console_sessions (root, created_at, id);
CREATE INDEX console_sessions_by_tenant ON console_sessions (tenant, created_at, id);
CREATE INDEX console_sessions_by_expiry ON console_sessions (expires_at);
