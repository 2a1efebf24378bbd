import { expect, it } from 'vitest'
import { ChildSigner } from '../../../src/auth/child-signer.ts'
import { LinkSigner } from '../../../src/auth/link-signer.ts'
import { hexOfBytes } from '../../../src/core/hex.ts'
import { tenantId } from '../../../src/core/ids.ts'
import { SecretBox } from '../../../src/tenant/secret-box.ts'

const KEY = 'a key of a server, 32 characters'

it('links, child keys and secrets of an earlier server are good for this one: each purpose derives the same key', async () => {
  const link = 'WyJsIiwidCIsInMiLCJwIiwiZG93bmxvYWQiLG51bGwsImsiLDVd.l9o8-HXPobRvS8qV_RxIsRgvb3TC7fuJfOzTIni2-og'
  expect(await new LinkSigner(KEY).verify(link)).toMatchObject({ id: 'l', tenant: 't', key: 'k', expiresAt: 5 })
  expect(await new LinkSigner(`${KEY}.`).verify(link)).toBeNull()

  const root = { id: 'k', tenant: tenantId('t'), firstHash: new Uint8Array(32) }
  const tag = await new ChildSigner(KEY).tag(root, ['{"a":1}'])
  expect(hexOfBytes(tag)).toBe('7d439287fed1e4a2977d8a49ff7b97785f334b1564e4c240d45aeebd1cf9115b')

  const closed = Buffer.from('a7bf635928f245f88949518994af7680d43c41310ce242b12ad3a7cb348f1819798b9c', 'hex')
  expect(await new SecretBox(KEY).open(closed, 't/n')).toBe('hunter2')
})
