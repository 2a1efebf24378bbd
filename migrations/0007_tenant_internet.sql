-- Internet policies of a tenant's sessions, as JSON: {"default": ..., "ceiling": ...}, each true, false or a list of hosts.
-- Null for a tenant for which none were set.
ALTER TABLE tenants ADD COLUMN internet TEXT;
