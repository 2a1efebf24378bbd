import { type Field, isSchema } from './fields.ts'

/**
 * Content of a field: null for nothing, a text as it is typed, or drafts of what the field is made of. `json` is for a
 * value that does not fit its field, which then is shown as its text.
 */
export type Draft =
  | null
  | string
  | { readonly json: string }
  | { readonly items: readonly Draft[] }
  | { readonly parts: readonly Draft[]; readonly rest: string }
  | { readonly option: number; readonly draft: Draft }

/** Arguments of a draft, and what in it is no value. */
export interface Made {
  /** Undefined for nothing. */
  readonly value: unknown
  readonly problems: readonly string[]
}

const asJson = (value: unknown): Draft => ({ json: JSON.stringify(value, null, 2) })

/** A draft that gives a value back; undefined is nothing. */
export function draftOf(field: Field, value: unknown): Draft {
  if (value === undefined) return null
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? value : asJson(value)
    case 'number':
      return typeof value === 'number' ? String(value) : asJson(value)
    case 'flag':
      return typeof value === 'boolean' ? String(value) : asJson(value)
    case 'choice':
      return field.values.some((one) => isSame(one, value)) ? JSON.stringify(value) : asJson(value)
    case 'json':
      return JSON.stringify(value, null, 2)
    case 'list':
      return Array.isArray(value) ? { items: value.map((item) => draftOf(field.item, item)) } : asJson(value)
    case 'group': {
      if (!isSchema(value)) return asJson(value)
      const names = new Set(field.fields.map(({ name }) => name))
      const rest = Object.entries(value).filter(([name]) => !names.has(name))
      const parts = field.fields.map(({ name, field: inner }) =>
        draftOf(inner, Object.hasOwn(value, name) ? value[name] : undefined),
      )
      return { parts, rest: rest.length > 0 ? JSON.stringify(Object.fromEntries(rest), null, 2) : '' }
    }
    case 'either': {
      const option = field.options.findIndex((one) => fits(one.field, value))
      const chosen = field.options[option]
      return chosen ? { option, draft: draftOf(chosen.field, value) } : asJson(value)
    }
  }
}

/** The value of a draft. What is left empty is not there: never null. `at` names the field in problems. */
export function madeOf(field: Field, draft: Draft, at = ''): Made {
  if (draft === null) return { value: undefined, problems: [] }
  if (typeof draft === 'string') return ofText(field, draft, at)
  if ('json' in draft) return parsed(draft.json, at)
  if ('items' in draft && field.kind === 'list') {
    const made = draft.items.map((item, index) => madeOf(field.item, item, `${at}[${index}]`))
    const value = made.flatMap((one) => (one.value === undefined ? [] : [one.value]))
    return { value, problems: made.flatMap(({ problems }) => problems) }
  }
  if ('option' in draft && field.kind === 'either') {
    const chosen = field.options[draft.option]
    return chosen ? madeOf(chosen.field, draft.draft, at) : { value: undefined, problems: [] }
  }
  if ('parts' in draft && field.kind === 'group') {
    const made = field.fields.map(({ name, field: inner }, index) => ({
      name,
      ...madeOf(inner, draft.parts[index] ?? null, at ? `${at}.${name}` : name),
    }))
    const rest = draft.rest.trim()
      ? parsed(draft.rest, `${at || 'Arguments'}, further fields`)
      : { value: {}, problems: [] }
    const further = isSchema(rest.value) ? Object.entries(rest.value) : []
    const given = made.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]))
    const problems = [...made.flatMap((one) => one.problems), ...rest.problems]
    if (!isSchema(rest.value) && rest.problems.length === 0)
      problems.push(`${at || 'Arguments'}: further fields are no object`)
    return { value: Object.fromEntries([...further, ...given]), problems }
  }
  return { value: undefined, problems: [] }
}

/** Names of required fields that are empty, as problems name them. Where further fields are given, one of them may be meant: the server knows. */
export function missingIn(field: Field, draft: Draft, at = ''): readonly string[] {
  if (field.kind === 'group' && (draft === null || (typeof draft === 'object' && 'parts' in draft))) {
    return field.fields.flatMap(({ name, required, field: inner }, index) => {
      const part = draft?.parts[index] ?? null
      const path = at ? `${at}.${name}` : name
      if (part !== null) return missingIn(inner, part, path)
      return required && !draft?.rest.trim() ? [path] : []
    })
  }
  if (draft === null || typeof draft !== 'object') return []
  if ('items' in draft && field.kind === 'list') {
    return draft.items.flatMap((item, index) => missingIn(field.item, item, `${at}[${index}]`))
  }
  const chosen = 'option' in draft && field.kind === 'either' ? field.options[draft.option] : undefined
  return chosen && 'draft' in draft ? missingIn(chosen.field, draft.draft, at) : []
}

function ofText(field: Field, text: string, at: string): Made {
  if (field.kind === 'text') return { value: text, problems: [] }
  if (text.trim() === '') return { value: undefined, problems: [] }
  if (field.kind !== 'number') return parsed(text, at)
  const number = Number(text)
  if (!Number.isFinite(number)) return { value: undefined, problems: [`${at}: “${text}” is no number`] }
  if (field.whole && !Number.isInteger(number))
    return { value: undefined, problems: [`${at}: a whole number is needed`] }
  return { value: number, problems: [] }
}

function parsed(text: string, at: string): Made {
  if (text.trim() === '') return { value: undefined, problems: [] }
  try {
    return { value: JSON.parse(text) as unknown, problems: [] }
  } catch {
    return { value: undefined, problems: [`${at || 'Arguments'}: no JSON yet`] }
  }
}

/** The draft that a field begins with where it has to have a value: its only choice, an object of such, or nothing. */
export function firstDraft(field: Field): Draft {
  switch (field.kind) {
    case 'choice':
      return field.values.length === 1 ? JSON.stringify(field.values[0]) : null
    case 'group':
      return {
        parts: field.fields.map(({ required, field: inner }) => (required ? firstDraft(inner) : null)),
        rest: '',
      }
    case 'text':
    case 'number':
    case 'flag':
    case 'list':
    case 'json':
    case 'either':
      return null
  }
}

/** Whether a value is of the shape of a field, as far as a form knows. */
function fits(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' && (!field.whole || Number.isInteger(value))
    case 'flag':
      return typeof value === 'boolean'
    case 'choice':
      return field.values.some((one) => isSame(one, value))
    case 'list':
      return Array.isArray(value) && value.every((item) => fits(field.item, item))
    case 'either':
      return field.options.some((option) => fits(option.field, value))
    case 'json':
      return true
    case 'group': {
      if (!isSchema(value)) return false
      const known = field.fields.every(({ name, required, field: inner }) =>
        Object.hasOwn(value, name) ? fits(inner, value[name]) : !required,
      )
      const names = new Set(field.fields.map(({ name }) => name))
      return known && (field.open || Object.keys(value).every((name) => names.has(name)))
    }
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
