import { FailureError, fail, messageParts } from '../../core/failure.ts'
import { FETCH_MS } from '../../core/limits/web.ts'
import { MAX_EDIT_BYTES } from '../../core/limits/workspace.ts'
import { field, say, tool } from '../../core/saying/saying.ts'
import { oneLine } from '../../documents/markdown.ts'
import type { Http, HttpResponse } from '../../ports/http.ts'
import { mediaType } from './content-type.ts'
import { askRobots } from './robots.ts'

/** Longest chain of refreshing pages: sites need one or two. */
const MAX_REFRESHES = 3

/** Fetches a URL, following redirects and also refreshes that a page requests of a browser. */
export async function fetchPage(http: Http, url: string, signal: AbortSignal): Promise<HttpResponse> {
  let answer = await fetchOne(http, url, signal)
  for (let hop = 0; hop < MAX_REFRESHES; hop++) {
    const target = refreshTarget(answer)
    if (target === null) break
    answer = await fetchOne(http, target, signal)
  }
  return answer
}

/** Fetches one page. The robots.txt of the site that a redirect leads to is read too. */
async function fetchOne(http: Http, url: string, signal: AbortSignal): Promise<HttpResponse> {
  const pageUrl = URL.parse(url.trim())
  // A URL that is no web address is refused by the port, in its words.
  if (pageUrl && /^https?:$/.test(pageUrl.protocol)) await askRobots(http, pageUrl.href, signal)
  const headers = { Accept: 'text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,*/*;q=0.5' }
  const request = { url, headers, timeoutMs: FETCH_MS, maxBytes: MAX_EDIT_BYTES }
  const answer = await http.fetch(request, signal).catch(tellTooLarge)
  if (new URL(answer.url).origin !== pageUrl?.origin) await askRobots(http, answer.url, signal)
  if (answer.status !== 200)
    fail('upstream', say`${new URL(answer.url).host} answered ${answer.status} and no page; check ${field('url')}`)
  return answer
}

/** Fails for an answer too large to be read here, with advice: it can still be downloaded. */
function tellTooLarge(thrown: unknown): never {
  if (!(thrown instanceof FailureError) || thrown.failure.code !== 'limit_exceeded') throw thrown
  const how = say`keep it with ${tool('download_file_from_url')}, and read a PDF with ${tool('execute_shell')}: pdftotext`
  return fail('limit_exceeded', say`${messageParts(thrown.failure)} (MAX_EDIT_BYTES); ${how}`, { cause: thrown })
}

/** Size of a page that only refreshes: a few lines. */
const MAX_REFRESH_BYTES = 16 * 1024
const MAX_REFRESH_CHARS = 200
const MAX_REFRESH_SECONDS = 10

/** Target of `<meta http-equiv="refresh" content="0; url=/new">`, in a page with nothing else. */
function refreshTarget({ body, headers, url }: HttpResponse): string | null {
  if (!/^(?:$|text\/html|application\/xhtml)/.test(mediaType(headers)) || body.length > MAX_REFRESH_BYTES) return null
  const html = new TextDecoder('latin1').decode(body).replace(/<noscript[\s\S]*?<\/noscript>/gi, '')
  const tag = /<meta[^>]{0,200}http-equiv\s*=\s*["']?refresh\b[^>]{0,2000}/i.exec(html)?.[0]
  const [, seconds = '', to = ''] =
    /content ?= ?["']? ?(\d{0,4})[\d.]{0,9} ?[;,] ?(?:url ?= ?)?["']?([^"'>]+)/i.exec(oneLine(tag ?? '')) ?? []
  if (to === '' || Number(seconds) > MAX_REFRESH_SECONDS || shownLength(html) > MAX_REFRESH_CHARS) return null
  const target = URL.parse(to.trim().replaceAll('&amp;', '&'), url)
  return target && target.href !== url ? target.href : null
}

const shownLength = (html: string) =>
  html
    .replace(/<(script|style|title)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim().length
