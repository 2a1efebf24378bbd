/** The client of one dialect, with a session of its own that the errors of its table share. */
export interface Asking {
  /** What the client reads of a call that went wrong. @throws when the answer has not the shape of an error */
  call(tool: string, args?: unknown): Promise<string>
  /** The same of a call that must work, to lay something out for the next one. */
  prepare(tool: string, args?: unknown): Promise<void>
  /** The same of a request. */
  sent(path: string, body: unknown): Promise<void>
  /** What it reads of a request that went wrong before any tool was called. */
  request(path: string, body?: unknown): Promise<string>
}

/** An error that a client can provoke. */
export interface Provoked {
  /** What goes wrong, for the test's title. */
  readonly what: string
  ask(client: Asking): Promise<string>
  /** The whole text, for errors that models meet most; else the text has only to be free of foreign words. */
  readonly says?: string | RegExp
}

/** Calls that must work, made before those of a table. */
export type Before = readonly (readonly [tool: string, args?: unknown])[]

/** A call of a tool that fails. */
export const calling = (
  what: string,
  [tool, args]: readonly [tool: string, args?: unknown],
  says?: Provoked['says'],
): Provoked => ({ what, ask: (client) => client.call(tool, args), ...(says !== undefined && { says }) })

/** Does what {@link calling} does, after other calls that work. */
export const callingAfter = (
  what: string,
  before: Before,
  [tool, args]: readonly [tool: string, args?: unknown],
  says?: Provoked['says'],
): Provoked => ({
  what,
  async ask(client) {
    for (const [name, given] of before) await client.prepare(name, given)
    return client.call(tool, args)
  },
  ...(says !== undefined && { says }),
})

/** Stands for the address of a site on this machine: in arguments it is replaced by that, in answers that by it. */
export const SITE = 'http://site.example'
