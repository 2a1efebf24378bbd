-- Deletion of tenants. A row stays for good, so that no id is given again. Times are milliseconds since 1970: deleted_at when the
-- deletion began, purged_at since when nothing of the tenant is left but this row, without its name.
ALTER TABLE tenants ADD COLUMN deleted_at INTEGER;
ALTER TABLE tenants ADD COLUMN purged_at INTEGER;
