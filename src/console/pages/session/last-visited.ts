import { keepNewest } from '../../parts/keep-newest.ts'

/** Session whose pages were last shown in this tab; '' for none since the page was loaded. */
let name = ''

/** Remembers that a session's page is shown. */
export function rememberVisit(session: string): void {
  name = session
}

/** Name of the session that was last looked at in this tab; '' for none. */
export const lastVisited = (): string => name

/** Sessions of which it is remembered what was open among their files. */
const FILES_MAX = 20
const files = new Map<string, string>()

/** Remembers the address at which the files of a session are shown. */
export function rememberFiles(session: string, address: string): void {
  keepNewest(files, session, address, FILES_MAX)
}

/** Address at which the files of a session were last shown in this tab; undefined for none. */
export const lastFiles = (session: string): string | undefined => files.get(session)
