import * as z from 'zod'
import { optional, serviceUrl } from '../core/settings.ts'
import type { Browser } from '../ports/browser.ts'
import type { Http } from '../ports/http.ts'
import { askApi, understood } from './json-api.ts'
import { provider } from './provider.ts'
import { refuseStatus } from './service-error.ts'

const Answer = z.object({ result: z.string() })

interface CloudflareBrowserOptions {
  readonly http: Http
  readonly baseUrl: string
  readonly accountId: string
  readonly apiToken: string
}

export const browserCloudflare = provider({
  name: 'cloudflare',
  port: 'browser',
  about: "Cloudflare's Browser Rendering; without it pages are read as their server sends them",
  settings: {
    BROWSER_RENDERING_ACCOUNT_ID: optional,
    BROWSER_RENDERING_API_TOKEN: optional,
    BROWSER_RENDERING_BASE_URL: serviceUrl('https://api.cloudflare.com/client/v4'),
  },
  needs: ['BROWSER_RENDERING_ACCOUNT_ID', 'BROWSER_RENDERING_API_TOKEN'],
  make: ({ BROWSER_RENDERING_ACCOUNT_ID, BROWSER_RENDERING_API_TOKEN, BROWSER_RENDERING_BASE_URL }, { http }) =>
    cloudflareBrowser({
      http: http(BROWSER_RENDERING_BASE_URL),
      baseUrl: BROWSER_RENDERING_BASE_URL,
      accountId: BROWSER_RENDERING_ACCOUNT_ID,
      apiToken: BROWSER_RENDERING_API_TOKEN,
    }),
})

/** Cloudflare's Browser Rendering. @see https://developers.cloudflare.com/browser-rendering/rest-api/content-endpoint/ */
function cloudflareBrowser({ http, baseUrl, accountId, apiToken }: CloudflareBrowserOptions): Browser {
  const endpoint = `${baseUrl}/accounts/${encodeURIComponent(accountId)}/browser-rendering/content`
  return {
    async render(url, signal) {
      const headers = { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' }
      const { status, json } = await askApi(
        http,
        { url: endpoint, method: 'POST', headers, body: JSON.stringify({ url }) },
        signal,
      )
      refuseStatus(status, 'Cloudflare Browser Rendering', 'BROWSER_RENDERING_API_TOKEN')
      return understood(Answer, json, 'Cloudflare Browser Rendering').result
    },
  }
}

/** Browser of a server without one: pages are read as their server sends them. */
export const noBrowser: Browser = { render: async () => null }
