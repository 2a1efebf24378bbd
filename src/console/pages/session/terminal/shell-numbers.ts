import { who } from '../../../api.ts'

/** Sessions whose shell is remembered, the last ones. */
const SESSIONS_MAX = 50

type Remembered = readonly (readonly [session: string, shell: number])[]

/**
 * Remembers the number of the shell that this tab began in a session, over reloads; null forgets it. Numbers come from nowhere else: a link
 * with the number of an agent's shell must not make a person type into that.
 */
export function rememberShell(session: string, shell: number | null): void {
  const others = remembered().filter(([other]) => other !== session)
  const all: Remembered = shell === null ? others : [...others, [session, shell] as const]
  sessionStorage.setItem(key(), JSON.stringify(all.slice(-SESSIONS_MAX)))
}

/** Number of the shell that this tab began in a session, and that was not ended here; null for none. */
export const rememberedShell = (session: string): number | null =>
  remembered().find(([other]) => other === session)?.[1] ?? null

const key = () => `shells of ${who.peek()?.tenant ?? ''}`

function remembered(): Remembered {
  return JSON.parse(sessionStorage.getItem(key()) ?? '[]') as Remembered
}
