import { decodeBase64, encodeBase64 } from '../../core/base64.ts'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** A new secret in the form of the Standard Webhooks specification. */
export const newWebhookSecret = () => PREFIX + encodeBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))

/**
 * Headers of a message by the Standard Webhooks specification, signed with each of the secrets.
 * @param at time of the attempt, in milliseconds since 1970
 */
export async function signedHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  at: number,
  secrets: readonly string[],
): Promise<Record<string, string>> {
  const seconds = Math.floor(at / 1_000)
  const signatures = await Promise.all(secrets.map((secret) => sign(`${id}.${seconds}.${body}`, secret)))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  }
}

async function sign(text: string, secret: string): Promise<string> {
  const bytes = new Uint8Array(decodeBase64(secret.slice(PREFIX.length), 'the secret'))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return encodeBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))))
}
