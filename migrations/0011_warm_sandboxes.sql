-- Number of sandboxes that are kept booted for a tenant's sessions: its warm pool. The index has the tenants with one alone.
ALTER TABLE tenants ADD COLUMN warm_sandboxes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX tenants_with_warm_sandboxes ON tenants (id) WHERE warm_sandboxes > 0;
