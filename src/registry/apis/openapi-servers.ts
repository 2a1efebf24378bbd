import { fail } from '../../core/failure.ts'
import { MAX_URL_CHARS } from '../../core/limits/web.ts'
import { withoutLast } from '../../core/without-last.ts'
import type { ImportOptions } from './imported.ts'
import { type JsonObject, listOrEmpty, objectOf, textOf } from './references.ts'

/**
 * Server of an operation: the caller's base URL, else the first server of the operation, of its path, or of the document.
 * @param places from the one that counts most to the one that counts least
 * @returns an address without a slash at its end
 * @throws FailureError `invalid_input`
 */
export function serverOf(places: readonly JsonObject[], { baseUrl, documentUrl }: ImportOptions): string {
  const named = places
    .map(({ servers }) => objectOf(listOrEmpty(servers)[0]))
    .find(({ url }) => typeof url === 'string')
  const given = baseUrl ?? (named ? withVariables(named) : undefined)
  if (given === undefined) {
    fail('invalid_input', 'the document names no server; give base_url, e.g. "https://api.example.com/v1"')
  }
  const url = given.length > MAX_URL_CHARS ? null : URL.parse(given, documentUrl)
  if (!url) {
    const hint = 'give base_url, an address that begins with https://'
    fail('invalid_input', `the server ${JSON.stringify(given.slice(0, 200))} is no whole address; ${hint}`)
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    fail(
      'invalid_input',
      `the server's address begins with ${url.protocol.slice(0, 20)}; only http and https are asked`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    fail('invalid_input', "the server's address has a password in it; name a secret in auth instead")
  }
  return `${url.origin}${withoutLast(url.pathname, '/')}`
}

/** URL of a server with the default of each variable. */
function withVariables({ url, variables }: JsonObject): string {
  const known = objectOf(variables)
  const text = textOf(url)
  // The caller refuses a URL of such a length.
  if (text.length > MAX_URL_CHARS) return text
  return text.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const { default: value, enum: choices } = Object.hasOwn(known, name) ? objectOf(known[name]) : {}
    const chosen = value ?? listOrEmpty(choices)[0] ?? ''
    return typeof chosen === 'object' ? '' : String(chosen).slice(0, MAX_URL_CHARS)
  })
}
