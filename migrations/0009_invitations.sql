-- Invitations to sign up. hash is the SHA-256 of the token, which is nowhere; internet is JSON, as that of tenants.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  plan TEXT,
  internet TEXT,
  jurisdiction TEXT,
  location_hint TEXT,
  uses INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

-- Uses of invitations: the tenant that each made, and the id of its first key.
CREATE TABLE sign_ups (
  key TEXT PRIMARY KEY,
  invitation TEXT NOT NULL REFERENCES invitations (id),
  tenant TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_ups_by_invitation ON sign_ups (invitation, at);
