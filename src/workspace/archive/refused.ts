import { fail } from '../../core/failure.ts'

/** Refuses an archive for one of its entries. @param name as the archive has it @param why a clause, and what to do */
export const refuseEntry = (name: string, why: string): never =>
  fail('invalid_input', `the entry ${shown(name)} of the archive ${why}; nothing was unpacked`)

/** Refuses an archive that is larger than its parts may be. */
export const refuseSize = (limit: string, max: number, what: string): never =>
  fail(
    'limit_exceeded',
    `the archive ${what}; at most ${max} are taken (${limit}); send it in parts. Nothing was unpacked`,
    {
      data: { limit, max },
    },
  )

/** Refuses an archive that cannot be read. */
export const refuseArchive = (why: string, cause?: unknown): never =>
  fail('invalid_input', `the archive ${why}; nothing was unpacked`, { cause })

const shown = (name: string) => JSON.stringify(name.length > 200 ? `${name.slice(0, 200).toWellFormed()}…` : name)
