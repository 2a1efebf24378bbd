/** Session whose pages were last shown in this tab; '' for none since the page was loaded. */
let name = ''

/** Remembers that a session's page is shown. */
export function rememberVisit(session: string): void {
  name = session
}

/** Name of the session that was last looked at in this tab; '' for none. */
export const lastVisited = (): string => name
