import { expect, it } from 'vitest'
import { providersOf } from '../../src/adapters/choose-provider.ts'
import { KEY, providerBench } from '../support/provider-bench.ts'
import { jsonAnswer } from '../support/stand-in.ts'
import { browserContract } from './browser.ts'

browserContract('Cloudflare', {
  provider: 'cloudflare',
  settings: { BROWSER_RENDERING_ACCOUNT_ID: 'acc', BROWSER_RENDERING_API_TOKEN: KEY },
  answer: (html) => jsonAnswer({ success: true, result: html }),
  expectedRequest: {
    method: 'POST',
    path: '/accounts/acc/browser-rendering/content',
    body: '{"url":"https://example.com/"}',
    headers: { authorization: `Bearer ${KEY}` },
  },
  variable: 'BROWSER_RENDERING_API_TOKEN',
})

it('each browser keeps the contract', () => {
  expect(providersOf('browser').map(({ name }) => name)).toEqual(['cloudflare'])
})

it('without one there is no page of a browser', async () => {
  const { outside } = await providerBench({}, () => jsonAnswer({}))
  expect(await outside.browser.render('https://example.com/', new AbortController().signal)).toBeNull()
})
