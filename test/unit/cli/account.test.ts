import { expect, it } from 'vitest'
import { Account } from '../../../src/cli/deploy/account.ts'
import { Wrangler } from '../../../src/cli/deploy/wrangler.ts'

/** wrangler's command line of somebody who is signed in. */
class SignedIn extends Wrangler {
  constructor() {
    super({ root: '/', env: {}, signal: new AbortController().signal })
  }

  override async run(): Promise<string> {
    return '{"token": "t"}'
  }
}

const open = (env: Record<string, string>, configured?: string) =>
  Account.open(new SignedIn(), { env, configured, signal: new AbortController().signal })

it('is the one of the environment or of the configuration', async () => {
  expect((await open({ CLOUDFLARE_ACCOUNT_ID: 'a' })).id).toBe('a')
  expect((await open({}, 'b')).id).toBe('b')
  expect((await open({ CLOUDFLARE_ACCOUNT_ID: 'b' }, 'b')).id).toBe('b')
})

it('is none where both name one and they differ: wrangler would change another than is asked', async () => {
  const refused = open({ CLOUDFLARE_ACCOUNT_ID: 'a' }, 'b')
  await expect(refused).rejects.toThrow('the configuration has account_id b, and CLOUDFLARE_ACCOUNT_ID is a')
})
