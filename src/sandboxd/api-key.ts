import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from './json.ts'

/** The file of the key that the daemon makes for itself, in its state directory. */
export const keyFile = (stateDir: string) => join(stateDir, 'api-key')

/** The daemon's own key, for who may read the files of its user. Made at the first start. */
export function ownKey(stateDir: string): string {
  const file = keyFile(stateDir)
  try {
    writeFileSync(file, `e2b_${randomBytes(20).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    chmodSync(file, 0o600)
  }
  return readFileSync(file, 'utf8').trim()
}
