/** Algorithm of a derived key. */
type DerivedKeyType =
  | { readonly name: 'HMAC'; readonly hash: 'SHA-256'; readonly length: 256 }
  | { readonly name: 'AES-GCM'; readonly length: 256 }

/**
 * Key that HKDF-SHA-256 derives from the server's own, one for each purpose.
 * @param purpose text that must never change: what another key has signed or encrypted is lost
 */
export async function derivedKey(
  serverKey: string,
  purpose: string,
  type: DerivedKeyType,
  usages: readonly KeyUsage[],
): Promise<CryptoKey> {
  const encoder = new TextEncoder()
  const material = await crypto.subtle.importKey('raw', encoder.encode(serverKey), 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(purpose) },
    material,
    type,
    false,
    [...usages],
  )
}

type KeyUsage = 'sign' | 'verify' | 'encrypt' | 'decrypt'
