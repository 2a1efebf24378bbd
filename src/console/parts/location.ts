import { signal } from '@preact/signals'

/** Where the console is: the path as in the address bar, still encoded, and the query, which holds filters. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

/** The place that is shown. It changes with links, {@link go}, back and forward. */
export const here = signal<Place>(currentPlace())

function currentPlace(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) }
}

/** Goes to an address of the console. With `replace` the step back leads past the place that is left. */
export function go(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(history.state, '', href)
  else {
    history.replaceState({ top: scrollY }, '')
    history.pushState({ top: 0 }, '', href)
  }
  here.value = currentPlace()
}

/** The shown path with some parameters of its query set; null or an empty text takes one away. */
export function withQuery(changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(here.value.query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  return here.value.path + (text && `?${text}`)
}

/**
 * Origin of the server in lines for programs. A browser knows names below `localhost` without asking anybody; programs know
 * `localhost` alone.
 */
export function originForPrograms(): string {
  const { origin, hostname } = location
  return hostname === OWN_NAME ? origin.replace(OWN_NAME, 'localhost') : origin
}

/** Name of the console on a laptop: what other servers of the machine have by `localhost` is not for it, nor its cookie for them. */
const OWN_NAME = 'toolyard.localhost'

/** An address of the console from its segments, each encoded, and a query without its empty parameters. */
export function addressOf(segments: readonly string[], query: Readonly<Record<string, string | null>> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const text = new URLSearchParams(given).toString()
  return `/console/${segments.map(encodeURIComponent).join('/')}${text && `?${text}`}`
}

/** How far down the shown place was scrolled when it was left, in pixels. */
export const leftAt = (): number => (history.state as { top?: number } | null)?.top ?? 0

/** Makes links of the console change the place without loading a page, and keeps how far a place was scrolled. */
export function followLinks(): void {
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => {
    here.value = currentPlace()
  })
  addEventListener('pagehide', () => history.replaceState({ top: scrollY }, ''))
  let settled: ReturnType<typeof setTimeout> | undefined
  addEventListener('scroll', () => {
    clearTimeout(settled)
    settled = setTimeout(() => history.replaceState({ top: scrollY }, ''), 150)
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return
    if (link.origin !== location.origin || !link.pathname.startsWith('/console')) return
    event.preventDefault()
    if (link.href !== location.href) go(link.href)
  })
}
