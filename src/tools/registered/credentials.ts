import { encodeBase64 } from '../../core/base64.ts'
import { fail } from '../../core/failure.ts'
import { operator, type Saying, say } from '../../core/saying/saying.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Credential } from '../../registry/http-request.ts'
import { Mask } from './masked.ts'

/** Secrets of a request, by the place where they go. */
export interface Opened {
  readonly headers: Readonly<Record<string, string>>
  readonly query: readonly (readonly [string, string])[]
  readonly cookies: readonly (readonly [string, string])[]
  readonly fields: Readonly<Record<string, string>>
  /** Mask for all of them in an answer. */
  readonly mask: Mask
}

/**
 * Opens the secrets of a request.
 * @throws FailureError `conflict` when the tenant has stored no secret of that name, `upstream` when one cannot be opened
 */
export async function openCredentials(auth: readonly Credential[], secrets: Secrets): Promise<Opened> {
  const opened = await Promise.all(
    auth.map(async (credential) => ({ credential, value: await openedSecret(credential, secrets) })),
  )
  const headers: Record<string, string> = {}
  const places = { query: [] as [string, string][], cookie: [] as [string, string][], body: [] as [string, string][] }
  for (const { credential, value } of opened) {
    switch (credential.type) {
      case 'bearer':
        headers.Authorization = `Bearer ${value}`
        break
      case 'basic':
        headers.Authorization = `Basic ${base64Of(value)}`
        break
      case 'header':
        headers[credential.name] = `${credential.prefix}${value}`
        break
      default:
        places[credential.type].push([credential.name, value])
    }
  }
  return {
    headers,
    query: places.query,
    cookies: places.cookie,
    fields: Object.fromEntries(places.body),
    mask: new Mask(opened.flatMap(({ credential, value }) => formsOf(credential, value))),
  }
}

/** Error for a secret the tenant has not stored. */
export const needsSecret = (name: string): Saying =>
  say`this tool needs the secret ${name}, which its owner has not put yet; use another tool${operator(` (PUT /v1/secrets/${name})`)}`

async function openedSecret({ secret, type }: Credential, secrets: Secrets): Promise<string> {
  const value = (await secrets(secret))?.trim()
  if (!value) fail('conflict', needsSecret(secret))
  // The other places encode the value.
  if ((type === 'bearer' || type === 'header') && !/^[\x20-\x7e]*$/.test(value)) {
    fail('conflict', `the secret ${secret} has characters that cannot be sent as a header; its owner puts it again`)
  }
  return value
}

function formsOf({ type }: Credential, value: string): string[] {
  if (type !== 'basic') return [value]
  return [value, base64Of(value), value.slice(value.indexOf(':') + 1)]
}

const base64Of = (text: string) => encodeBase64(new TextEncoder().encode(text))
