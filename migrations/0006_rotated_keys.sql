-- Rotation of keys, their last use, and the addresses that may use them. Times are milliseconds since 1970.
-- hash is that of the present secret. first_hash: of the first one, once there was a rotation, since the chains of child keys begin with it.
-- old_hash: of the secret before the present one, which is good until old_until. Both are null after a rotation without overlap.
ALTER TABLE keys ADD COLUMN rotated_at INTEGER;
ALTER TABLE keys ADD COLUMN first_hash TEXT CHECK (length(first_hash) = 64);
ALTER TABLE keys ADD COLUMN old_hash TEXT CHECK (length(old_hash) = 64);
ALTER TABLE keys ADD COLUMN old_until INTEGER;

-- Coarse: written once in some minutes at most, whatever the number of requests.
ALTER TABLE keys ADD COLUMN used_at INTEGER;

-- Addresses and networks with blanks between, in their canonical form; none for a key that is good from everywhere.
ALTER TABLE keys ADD COLUMN addresses TEXT NOT NULL DEFAULT '';
