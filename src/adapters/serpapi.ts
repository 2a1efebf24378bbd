import { optional, serviceUrl } from '../core/settings.ts'

/** Settings of SerpAPI, which searches papers and reads Google Scholar. */
export const SERPAPI = {
  SERPAPI_API_KEY: optional,
  SERPAPI_BASE_URL: serviceUrl('https://serpapi.com'),
}
