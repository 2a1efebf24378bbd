import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError } from '../failure.ts'

/** A server that somebody signed in to. */
export interface Profile {
  readonly url: string
  readonly key?: string | undefined
}

/** Content of the file of the command line. */
export interface Profiles {
  /** Name of the profile in use. */
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

type Environment = Readonly<Record<string, string | undefined>>

/** Path of the file: below `XDG_CONFIG_HOME`, else below `~/.config`. */
export const profilesPath = (env: Environment): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'toolyard', 'config.json')

/** Profiles as they are stored; none where there is no file. @throws CliError for a file that cannot be read */
export async function readProfiles(env: Environment): Promise<Profiles> {
  const path = profilesPath(env)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw new CliError(`${path} cannot be read (${error.code})`, 'mend its permissions, or sign in again')
  })
  if (text === null) return { current: null, profiles: {} }
  const read = profilesIn(text)
  if (!read) throw new CliError(`${path} is not what \`toolyard login\` writes`, 'mend or remove it, and sign in again')
  return read
}

/** Stores profiles, whole or not at all, for the user alone: the file has mode 0600, its directory 0700 if it is new. */
export async function writeProfiles(env: Environment, profiles: Profiles): Promise<void> {
  const path = profilesPath(env)
  const draft = `${path}.${randomUUID()}`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function profilesIn(text: string): Profiles | null {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return null
  }
  if (!isRecord(read) || !isRecord(read.profiles)) return null
  const entries = Object.entries(read.profiles)
  if (!entries.every(([, profile]) => isProfile(profile))) return null
  const current = typeof read.current === 'string' ? read.current : null
  return { current, profiles: Object.fromEntries(entries) as Record<string, Profile> }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isProfile = (value: unknown): value is Profile =>
  isRecord(value) && typeof value.url === 'string' && ['string', 'undefined'].includes(typeof value.key)
