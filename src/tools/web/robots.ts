import { fail } from '../../core/failure.ts'
import { MAX_ROBOTS_BYTES, MAX_ROBOTS_RULES, ROBOTS_MS } from '../../core/limits/web.ts'
import type { Http } from '../../ports/http.ts'

const OUR_NAME = 'toolyard'

/**
 * Checks whether the site's robots.txt lets programs read this page.
 * @see https://www.rfc-editor.org/rfc/rfc9309
 * @throws FailureError `forbidden` when it does not
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

/** Rules: whether paths that match a pattern may be read. */
type Rules = Map<string, boolean>

/** Agents whose groups count here: a file may name ten thousand others before each rule. */
const OURS: ReadonlySet<string> = new Set([OUR_NAME, '*'])

/** Whether these rules let us read a path. @param path with its query */
export function mayRead(robots: string, path: string): boolean {
  const groups = rulesByAgent(robots)
  const rules = groups.get(OUR_NAME) ?? groups.get('*') ?? new Map()
  const matching = [...rules].filter(([pattern]) => matches(pattern, path))
  const longest = matching.reduce((most, [pattern]) => Math.max(most, pattern.length), 0)
  const deciding = matching.filter(([pattern]) => pattern.length === longest)
  return deciding.length === 0 || deciding.some(([, allow]) => allow)
}

/** Rules by agent. Several agents in a row share the rules that follow; groups of one agent are one. */
function rulesByAgent(robots: string): Map<string, Rules> {
  const groups = new Map<string, Rules>()
  let agents = new Set<string>()
  let inRules = false
  for (const line of robots.split(/[\r\n]/)) {
    const { name, value } = fieldOf(line)
    if (name === 'user-agent') {
      if (inRules) agents = new Set()
      inRules = false
      const agent = value.toLowerCase()
      if (!OURS.has(agent)) continue
      agents.add(agent)
      if (!groups.has(agent)) groups.set(agent, new Map())
    } else if (name === 'allow' || name === 'disallow') {
      inRules = true
      for (const agent of agents) addRule(groups.get(agent), value, name === 'allow')
    }
  }
  return groups
}

/** Adds a rule. Rules beyond the limit are left out; of two with the same pattern, the one that allows counts. */
function addRule(rules: Rules | undefined, pattern: string, allow: boolean): void {
  if (!rules || pattern === '' || (rules.size >= MAX_ROBOTS_RULES && !rules.has(pattern))) return
  rules.set(pattern, allow || rules.get(pattern) === true)
}

/** Field of a line `Name: value # why`; any other line has an empty name. */
function fieldOf(line: string): { readonly name: string; readonly value: string } {
  const [directive = ''] = line.split('#', 1)
  const colon = directive.indexOf(':')
  return { name: directive.slice(0, Math.max(0, colon)).trim().toLowerCase(), value: directive.slice(colon + 1).trim() }
}

/**
 * Whether a path matches a pattern: `*` is any text, `$` at the end is the end. One pass: a pattern of many stars costs no
 * more than its length times the path's.
 */
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
