import type * as z from 'zod'

type Issue = z.core.$ZodIssue

/**
 * Issues that say why a value does not fit. Of a union that takes values of this kind they are those of the form that the value is
 * nearest to, with their places in the whole.
 */
export function plainIssues(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union' || !isUnworded(issue)) return [issue]
  const [nearest] = issue.errors
    .filter((form) => !form.some(isAnotherKind))
    .sort((one, other) => distanceOf(one) - distanceOf(other))
  return nearest?.flatMap((one) => plainIssues({ ...one, path: [...issue.path, ...one.path] })) ?? [issue]
}

/** Whether the value is of another kind than a form of a union takes. */
const isAnotherKind = ({ code, path }: Issue) =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union')

/** How far a value is from a form. One whose fixed fields differ is another form's. */
const distanceOf = (form: readonly Issue[]) =>
  form.length + (form.some(({ code, path }) => code === 'invalid_value' && path.length === 1) ? 1_000 : 0)

/** Words on what a value may be and what was given, of one that is none of a list or fits no form of a union; null for other issues. */
export function choiceWords(issue: Issue): { readonly what: string; readonly isMissing: boolean } | null {
  if (!isUnworded(issue)) return null
  if (issue.code === 'invalid_value') return words(valuesOf(issue.values), issue.input)
  if (issue.code !== 'invalid_union') return null
  const { discriminator, options, input } = issue as typeof issue & { readonly options?: z.core.util.Primitive[] }
  if (discriminator !== undefined && options)
    return words(valuesOf(options), (input as Readonly<Record<string, unknown>> | undefined)?.[discriminator])
  const kinds = kindsOf(issue.errors.flat())
  return kinds.length === 0 ? null : words([...new Set(kinds)].join(' or '), input)
}

const words = (what: string, given: unknown) =>
  given === undefined ? { what, isMissing: true } : { what: `must be ${what}; got ${shown(given)}`, isMissing: false }

/** Kinds of values that forms take. */
const kindsOf = (issues: readonly Issue[]): string[] =>
  issues.flatMap((issue) => {
    if (issue.code === 'invalid_type') return [KINDS[issue.expected] ?? issue.expected]
    if (issue.code === 'invalid_value') return [valuesOf(issue.values)]
    return issue.code === 'invalid_union' ? kindsOf(issue.errors.flat()) : []
  })

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function valuesOf(values: readonly z.core.util.Primitive[]): string {
  const listed = values.slice(0, MAX_SHOWN_VALUES).map((value) => JSON.stringify(value) ?? String(value))
  const more = values.length > MAX_SHOWN_VALUES ? ', …' : ''
  return listed.length === 1 ? `${listed[0]}` : `one of ${listed.join(', ')}${more}`
}
const MAX_SHOWN_VALUES = 40

function shown(given: unknown): string {
  if (typeof given === 'string')
    return JSON.stringify(given.length > MAX_SHOWN_CHARS ? `${given.slice(0, MAX_SHOWN_CHARS)}…` : given)
  if (Array.isArray(given)) return 'a list'
  return typeof given === 'object' && given !== null ? 'an object' : String(given)
}
const MAX_SHOWN_CHARS = 40

/** Whether an issue has no message of its own in the schema. */
const isUnworded = ({ message }: Issue) => message.startsWith('Invalid ')
