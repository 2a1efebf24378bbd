import { optional, serviceUrl } from '../core/settings.ts'

/** Settings of Serper, which searches the web and papers. */
export const SERPER = {
  SERPER_API_KEY: optional,
  SERPER_BASE_URL: serviceUrl('https://google.serper.dev'),
}
