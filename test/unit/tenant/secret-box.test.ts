import { expect, it } from 'vitest'
import { SecretBox } from '../../../src/tenant/secret-box.ts'

const NONCE_BYTES = 12
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

it('one secret, closed again and again for one place, is never the same twice, nor is its nonce', async () => {
  const box = new SecretBox('key')
  const closed = await Promise.all(Array.from({ length: 50 }, () => box.close('a secret', 'acme/NAME')))
  const distinct = (part: (bytes: Uint8Array) => Uint8Array) => new Set(closed.map((bytes) => hex(part(bytes)))).size
  expect(distinct((bytes) => bytes.subarray(0, NONCE_BYTES))).toBe(50)
  // Under one nonce the same text is the same bytes: who sees two knows that they are equal, or the XOR of both.
  expect(distinct((bytes) => bytes.subarray(NONCE_BYTES, NONCE_BYTES + 'a secret'.length))).toBe(50)
  for (const bytes of closed) expect(await box.open(bytes, 'acme/NAME')).toBe('a secret')
})

it('a nonce is used for no two secrets, whichever box closed them', async () => {
  const closed = await Promise.all(
    Array.from({ length: 50 }, (_, n) => new SecretBox('key').close(`${n}`, `acme/NAME_${n}`)),
  )
  expect(new Set(closed.map((bytes) => hex(bytes.subarray(0, NONCE_BYTES)))).size).toBe(50)
})

it('a closed secret opens only whole: not with a bit changed, cut short, or under another key or place', async () => {
  const box = new SecretBox('key')
  const closed = await box.close('a secret', 'acme/NAME')
  const refused = { failure: { code: 'upstream' } }
  for (let at = 0; at < closed.length; at++) {
    const changed = closed.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    await expect(box.open(changed, 'acme/NAME'), `byte ${at}`).rejects.toMatchObject(refused)
  }
  for (const part of [closed.slice(0, -1), closed.slice(0, NONCE_BYTES), new Uint8Array(0)]) {
    await expect(box.open(part, 'acme/NAME')).rejects.toMatchObject(refused)
  }
  await expect(box.open(closed, 'rival/NAME')).rejects.toMatchObject(refused)
  await expect(new SecretBox('other').open(closed, 'acme/NAME')).rejects.toMatchObject(refused)
})
