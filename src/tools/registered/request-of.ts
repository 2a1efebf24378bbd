import { fail } from '../../core/failure.ts'
import { MAX_URL_CHARS } from '../../core/limits/web.ts'
import { type HttpRequestOf, PLACEHOLDER } from '../../registry/http-request.ts'
import type { Opened } from './credentials.ts'
import { type Args, argumentNames, encoded, ownValue, queryPairs, simple, textOf } from './part-values.ts'
import { sameAsOneOf } from './same-field.ts'

/** HTTP request, ready to be sent. */
export interface ReadyRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Request of a tool for these arguments. Whatever they are, it goes to the definition's origin and below its path, with the
 * headers that the definition names.
 * @throws FailureError `invalid_input` for arguments that would lead elsewhere, or into another header
 */
export function requestOf(target: string, call: HttpRequestOf, args: Args, opened: Opened): ReadyRequest {
  const body = bodyOf(call, { target, args, opened })
  const headers: Record<string, string> = { Accept: 'application/json, */*;q=0.5' }
  if (body) headers['Content-Type'] = body.mediaType
  for (const [name, part] of Object.entries(call.headers)) {
    const value = simple(part, args)
    if (value !== null) put(headers, name, headerValue(name, value))
  }
  const cookies = [
    ...cookiesOf(call, args),
    ...opened.cookies.map(([name, value]) => `${encoded(name)}=${encoded(value)}`),
  ]
  if (cookies.length > 0) headers.Cookie = cookies.join('; ')
  for (const [name, value] of Object.entries(opened.headers)) put(headers, name, value)
  const { method } = call
  return { url: urlOf(target, call, args, opened), method, headers, ...(body && { body: body.text }) }
}

/** Sets a header, in the place of one whose name differs by capitals only. */
function put(headers: Record<string, string>, name: string, value: string): void {
  const same = Object.keys(headers).find((other) => other.toLowerCase() === name.toLowerCase())
  headers[same ?? name] = value
}

/** Checks a header's value: a line break in it would begin another header. */
function headerValue(name: string, value: string): string {
  if (!/^[\t\x20-\x7e]*$/.test(value)) {
    fail('invalid_input', `what goes into the header ${name} may have printable ASCII only, and no line breaks`)
  }
  return value
}

function cookiesOf({ cookies }: HttpRequestOf, args: Args): string[] {
  return Object.entries(cookies).flatMap(([name, part]) => {
    const value = simple(part, args, encoded)
    return value === null ? [] : [`${encoded(name)}=${value}`]
  })
}

function urlOf(target: string, { query }: HttpRequestOf, args: Args, opened: Opened): string {
  const [address = '', ...given] = target.split('#', 1)[0]?.split('?') ?? []
  const path = address.replace(PLACEHOLDER, (_, name: string) => pathPiece(name, args))
  const taken = new Set([
    ...Object.keys(query),
    ...opened.query.map(([name]) => name),
    ...new URLSearchParams(given.join('?')).keys(),
  ])
  const pairs = [
    ...(given.length > 0 ? [fillQuery(given.join('?'), args)] : []),
    ...Object.entries(query).flatMap(([name, part]) => queryPairs(name, part, args, taken)),
    ...opened.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`),
  ]
  const url = pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
  if (url.length > MAX_URL_CHARS) {
    fail('invalid_input', `with these arguments the URL has more than ${MAX_URL_CHARS} characters (MAX_URL_CHARS)`)
  }
  return url
}

const fillQuery = (query: string, args: Args) =>
  query.replace(PLACEHOLDER, (_, name: string) => simple({ arg: name }, args, encoded) ?? '')

/**
 * Piece of a path. An empty one would lead to the collection: `DELETE /pets/` instead of `DELETE /pets/7`. Servers that
 * take `%2F` for a slash would follow `..` behind it too.
 */
function pathPiece(name: string, args: Args): string {
  const value = simple({ arg: name }, args) ?? ''
  if (value === '') fail('invalid_input', `missing required parameter: ${name}; it stands in the address`)
  if (value.split(/[/\\]/).some((piece) => piece === '.' || piece === '..')) {
    fail('invalid_input', `${name} may not lead to another path by "." or ".."`)
  }
  return simple({ arg: name }, args, encoded) ?? ''
}

interface Filling {
  readonly target: string
  readonly args: Args
  readonly opened: Opened
}

function bodyOf(call: HttpRequestOf, filling: Filling): { readonly mediaType: string; readonly text: string } | null {
  const { body } = call
  if (body === null) return null
  if (body.as === 'argument') {
    const value = ownValue(filling.args, body.arg)
    if (value === undefined || value === null) return null
    const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(body.media_type)
    return { mediaType: body.media_type, text: isJson ? JSON.stringify(value) : (textOf(value) ?? '') }
  }
  const given = argumentFields(call, filling)
  const under = body.as === 'json' ? body.under : undefined
  const callFields = under === undefined ? given : { [under]: given }
  refuseDoubles(Object.keys(callFields), [...Object.keys(body.fixed), ...Object.keys(filling.opened.fields)])
  // No argument takes the place of a fixed field, and fixed fields stand first.
  const fields = { ...body.fixed, ...callFields, ...body.fixed, ...filling.opened.fields }
  if (body.as === 'json') return { mediaType: 'application/json', text: JSON.stringify(fields) }
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, textOf(item) ?? '')
  }
  return { mediaType: 'application/x-www-form-urlencoded', text: form.toString() }
}

/** Refuses fields that a service may take for one of the definition's. A field of the very same name is replaced instead. */
function refuseDoubles(callFields: readonly string[], own: readonly string[]): void {
  const [exact, sameAs] = [new Set(own), sameAsOneOf(own)]
  for (const name of callFields) {
    const same = exact.has(name) ? undefined : sameAs(name)
    if (same !== undefined) {
      fail('invalid_input', `the argument ${name.slice(0, 100)} may not be sent: the tool itself sends ${same}`)
    }
  }
}

/** Arguments that go into the body, each under its field's name. */
function argumentFields(call: HttpRequestOf, { target, args }: Filling): Record<string, unknown> {
  const named = call.body !== null && call.body.as !== 'argument' ? call.body.fields : null
  if (named !== null) {
    return Object.fromEntries(
      Object.entries(named).flatMap(([field, arg]) => (Object.hasOwn(args, arg) ? [[field, args[arg]]] : [])),
    )
  }
  const elsewhere = new Set([
    ...argumentNames(target),
    ...[call.query, call.headers, call.cookies].flatMap((parts) => Object.values(parts).flatMap(argumentNames)),
  ])
  return Object.fromEntries(Object.entries(args).filter(([name]) => !elsewhere.has(name)))
}
