import type { Migration } from '../migration.ts'

/** Spares have the process that runs commands: see `src/session/machine/spare-maker.ts`. */
export const supervisorsOfSpares: Migration = {
  name: '0003-supervisors-of-spares',
  upgrade: (sql) => {
    sql.all('ALTER TABLE spares ADD COLUMN supervisor_pid INTEGER')
  },
}
