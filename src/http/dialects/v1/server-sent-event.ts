/**
 * One server-sent event. Its data has no character at which some readers of lines break one: a file's name or a program's output
 * could forge further events there.
 * @param id place that a client states as `Last-Event-ID` when it connects again; null to leave the last one in force
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export const event = (name: string, data: object, id: string | null): string =>
  `event: ${name}\n${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(data).replace(BREAKS, (character) => ESCAPED[character] ?? '')}\n\n`

// JSON escapes all others; Python's `splitlines` knows these three, too.
const BREAKS = /[\u0085\u2028\u2029]/g
const ESCAPED: Readonly<Record<string, string>> = { '\u0085': '\\u0085', '\u2028': '\\u2028', '\u2029': '\\u2029' }
