import { fail } from '../../core/failure.ts'
import { isObject } from '../../core/json-object.ts'
import { parseJson, readBodyText } from '../json.ts'

/**
 * Refuses a query parameter that an operation does not take: one that is misspelt would be as good as none.
 * @throws FailureError `invalid_input` naming the parameter and those there are
 */
export function refuseUnknownQuery(given: Readonly<Record<string, string>>, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const taken = known.length === 0 ? 'takes none' : `takes ${known.join(', ')}`
  fail('invalid_input', `unknown query parameter ${shown(unknown)}; this operation ${taken}`)
}

/**
 * Refuses the body of a request whose operation takes none. An empty one, and an empty object, say nothing.
 * @throws FailureError `invalid_input` naming the first field; `limit_exceeded`
 */
export async function refuseBody(request: Request): Promise<void> {
  if (request.body === null) return
  const text = await readBodyText(request)
  if (text.trim() === '') return
  const parsed = parseJson(text)
  const fields = parsed.ok && isObject(parsed.value) ? Object.keys(parsed.value) : null
  if (fields?.length === 0) return
  const what = fields?.[0] === undefined ? '' : `unknown field ${shown(fields[0])}: `
  fail('invalid_input', `${what}this operation takes no body; send none`)
}

/** A name that a caller sent, which may be of any length. */
const shown = (name: string) => JSON.stringify(name.slice(0, 64))
