import { z } from 'zod'
import type { Browser } from '../ports/browser.ts'
import type { Http } from '../ports/http.ts'
import { askApi, understood } from './json-api.ts'
import { refuseStatus } from './service-error.ts'

const Answer = z.object({ result: z.string() })

export interface CloudflareBrowserOptions {
  readonly http: Http
  readonly baseUrl: string
  readonly accountId: string
  readonly apiToken: string
}

/** @see https://developers.cloudflare.com/browser-rendering/rest-api/content-endpoint/ */
export function browserCloudflare({ http, baseUrl, accountId, apiToken }: CloudflareBrowserOptions): Browser {
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

/** Where none is set up, pages are read as their server sends them. */
export const noBrowser: Browser = { render: async () => null }
