import { fail } from '../../core/failure.ts'
import { MAX_ROBOTS_BYTES, ROBOTS_MS } from '../../core/limits/web.ts'
import type { Http } from '../../ports/http.ts'

const OUR_NAME = 'toolyard'

/**
 * Asks the site whether programs may read this page.
 * @see https://www.rfc-editor.org/rfc/rfc9309
 * @throws FailureError `forbidden` when they may not
 */
export async function askRobots(http: Http, page: string, signal: AbortSignal): Promise<void> {
  const { origin, host, pathname, search } = new URL(page)
  const request = { url: `${origin}/robots.txt`, timeoutMs: ROBOTS_MS, maxBytes: MAX_ROBOTS_BYTES }
  const { status, body } = await http.fetch(request, signal)
  if (status >= 500)
    fail('upstream', `${host} cannot say now what programs may read (robots.txt: ${status}); try again later`)
  if (status !== 200) return
  if (!mayRead(new TextDecoder().decode(body), `${pathname}${search}`)) {
    fail('forbidden', `${host} does not let programs read this page (robots.txt); look for another source`)
  }
}

interface Rule {
  readonly allow: boolean
  readonly pattern: string
}

/** @param path with its query */
export function mayRead(robots: string, path: string): boolean {
  const groups = rulesByAgent(robots)
  const rules = groups.get(OUR_NAME) ?? groups.get('*') ?? []
  const matching = rules.filter(({ pattern }) => pattern !== '' && matches(pattern, path))
  const longest = matching.reduce((most, { pattern }) => Math.max(most, pattern.length), 0)
  const deciding = matching.filter(({ pattern }) => pattern.length === longest)
  return deciding.length === 0 || deciding.some(({ allow }) => allow)
}

/** Several agents in a row share the rules that follow; groups of one agent are one. */
function rulesByAgent(robots: string): Map<string, Rule[]> {
  const groups = new Map<string, Rule[]>()
  let agents: string[] = []
  let inRules = false
  for (const line of robots.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? []
    const name = field.toLowerCase()
    if (name === 'user-agent') {
      agents = inRules ? [value.toLowerCase()] : [...agents, value.toLowerCase()]
      inRules = false
      for (const agent of agents) if (!groups.has(agent)) groups.set(agent, [])
    } else if (name === 'allow' || name === 'disallow') {
      inRules = true
      for (const agent of agents) groups.get(agent)?.push({ allow: name === 'allow', pattern: value })
    }
  }
  return groups
}

/** `*` is any text, `$` at the end is the end. One pass: a pattern of many stars costs no more than its length times the path's. */
function matches(pattern: string, path: string): boolean {
  const toEnd = pattern.endsWith('$')
  const [first = '', ...parts] = (toEnd ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  if (parts.length === 0) return !toEnd || path === first
  let at = first.length
  const last = parts.pop() ?? ''
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return toEnd ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) !== -1
}
