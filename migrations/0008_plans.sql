-- Plans that the owner of the server sells. definition is JSON: prices as decimal texts, no binary fractions.
CREATE TABLE plans (
  name TEXT PRIMARY KEY,
  definition TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The plan of a tenant; one without a row has none.
CREATE TABLE tenant_plans (
  tenant TEXT PRIMARY KEY REFERENCES tenants (id),
  plan TEXT NOT NULL REFERENCES plans (name)
) STRICT, WITHOUT ROWID;

CREATE INDEX tenant_plans_by_plan ON tenant_plans (plan);
