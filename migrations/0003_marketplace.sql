-- Tools that tenants publish for others; src/market/ is the only reader and writer. Times are milliseconds since 1970.

-- The public name of a tenant. Whoever took it has it for good.
CREATE TABLE market_publishers (
  name TEXT PRIMARY KEY,
  tenant TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;

-- A tool of a publisher. Its number is that of its row in market_index. blocked: why the operator took it away.
CREATE TABLE market_packages (
  no INTEGER PRIMARY KEY,
  publisher TEXT NOT NULL REFERENCES market_publishers (name),
  tool TEXT NOT NULL,
  blocked TEXT,
  UNIQUE (publisher, tool)
) STRICT;

-- Snapshots, numbered from 1. definition, examples and changes are JSON. Of an unpublished one the number is left.
-- chars: of definition, readme and examples together.
CREATE TABLE market_versions (
  package INTEGER NOT NULL REFERENCES market_packages (no),
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('published', 'unpublished')),
  published_at INTEGER NOT NULL,
  definition TEXT NOT NULL,
  readme TEXT NOT NULL,
  examples TEXT NOT NULL,
  breaking INTEGER NOT NULL,
  changes TEXT NOT NULL,
  chars INTEGER NOT NULL,
  PRIMARY KEY (package, version)
) STRICT;

-- Who installed what, once for each; publishers see how many.
CREATE TABLE market_installs (
  package INTEGER NOT NULL REFERENCES market_packages (no),
  tenant TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  PRIMARY KEY (package, tenant)
) STRICT, WITHOUT ROWID;

-- What tenants have to say against a package, one each.
CREATE TABLE market_reports (
  package INTEGER NOT NULL REFERENCES market_packages (no),
  tenant TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (package, tenant)
) STRICT, WITHOUT ROWID;

CREATE INDEX market_reports_by_age ON market_reports (at);

-- Index terms of the newest version of each package that can be found: letters, digits and characters alone.
CREATE VIRTUAL TABLE market_index USING fts5 (
  name, description, readme,
  content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);
