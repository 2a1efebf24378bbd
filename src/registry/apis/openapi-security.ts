import { fail } from '../../core/failure.ts'
import { MAX_TOOL_CREDENTIALS } from '../../core/limits/registry.ts'
import type { Credential } from '../http-request.ts'
import { type Gathered, type ImportOptions, secretName } from './imported.ts'
import { type JsonObject, listOrEmpty, objectOf, type References, textOf } from './references.ts'

/** Greatest number of alternative authentications of an operation: no real document has more. */
const MAX_ALTERNATIVES = 20

/** Reader of a document's security: the credentials that its operations need. */
export class SecurityReader {
  readonly #schemes: JsonObject
  readonly #references: References
  readonly #gathered: Gathered
  readonly #options: ImportOptions

  constructor(document: JsonObject, references: References, gathered: Gathered, options: ImportOptions) {
    this.#schemes = objectOf(objectOf(document.components).securitySchemes)
    this.#references = references
    this.#gathered = gathered
    this.#options = options
    const { auth = {} } = options
    const unknown = Array.isArray(auth)
      ? undefined
      : Object.keys(auth).find((name) => !Object.hasOwn(this.#schemes, name))
    if (unknown !== undefined) {
      const known = Object.keys(this.#schemes).slice(0, 20).join(', ') || 'none'
      fail('invalid_input', `auth: the document has no security scheme ${unknown.slice(0, 100)}; known are: ${known}`)
    }
  }

  /**
   * Credentials of an operation.
   * @param security of the operation, else of the document: alternatives, each of one scheme or of several at once
   * @returns null when none of the alternatives can be met here
   */
  of(security: unknown): readonly Credential[] | null {
    const { auth } = this.#options
    if (Array.isArray(auth)) {
      for (const { secret } of auth) this.#gathered.secret(secret, 'all operations')
      return auth
    }
    const alternatives = listOrEmpty(security)
      .slice(0, MAX_ALTERNATIVES)
      .map((one) => this.#references.entries(one).map(([scheme]) => scheme))
      .filter((schemes) => schemes.length <= MAX_TOOL_CREDENTIALS)
    const wanted = alternatives.find((schemes) => schemes.some((scheme) => this.#given(scheme) !== undefined))
    for (const schemes of wanted ? [wanted, ...alternatives] : alternatives) {
      const credentials = schemes.map((scheme) => this.#credential(scheme))
      if (credentials.every((one) => one !== null)) {
        for (const [n, { secret }] of credentials.entries()) this.#gathered.secret(secret, schemes[n] ?? '')
        return credentials
      }
    }
    return listOrEmpty(security).length === 0 ? [] : null
  }

  #given(scheme: string): string | undefined {
    const auth = objectOf(this.#options.auth)
    return Object.hasOwn(auth, scheme) ? textOf(auth[scheme]) : undefined
  }

  #credential(scheme: string): Credential | null {
    if (!Object.hasOwn(this.#schemes, scheme)) return null
    const { type, in: place, name, scheme: how } = this.#references.follow(this.#schemes[scheme])
    const secret = this.#given(scheme) ?? secretName(this.#options.env, scheme)
    switch (type) {
      case 'apiKey':
        if (place === 'header') return { type: 'header', name: textOf(name), secret, prefix: '' }
        return place === 'query' || place === 'cookie' ? { type: place, name: textOf(name), secret } : null
      case 'http': {
        const kind = textOf(how).toLowerCase()
        return kind === 'bearer' || kind === 'basic' ? { type: kind, secret } : null
      }
      // The secret is a token that was got elsewhere.
      case 'oauth2':
      case 'openIdConnect':
        return { type: 'bearer', secret }
      default:
        return null
    }
  }
}
