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

/** State that the browser keeps with a place, over reloads too. */
interface Mark {
  /** How far down it was scrolled, in pixels. */
  readonly top: number
  /** Queries of the places that led to it, by their paths: the filters that their lists had. */
  readonly queries: Readonly<Record<string, string>>
  /** Ids of the rows at which lists were left, here and at the places that led here, by the lists' paths. */
  readonly rows: Readonly<Record<string, string>>
  /** A form that was filled in, by whoever was signed in. */
  readonly form?: { readonly by: string; readonly content: unknown } | undefined
}

/** Paths whose queries are kept, and lists whose rows are. */
const QUERIES_MAX = 20
const ROWS_MAX = 20
/** Characters of a form, as JSON, that are kept: a browser keeps the state of all places of a tab. */
const FORM_MAX = 100_000

const NO_MARK: Mark = { top: 0, queries: {}, rows: {} }
const mark = (): Mark => ({ ...NO_MARK, ...(history.state as Partial<Mark> | null) })
const setTop = (top: number) => history.replaceState({ ...mark(), top }, '')

/** Goes to an address of the console. With `replace` the step back leads past the place that is left. */
export function go(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(mark(), '', href)
  else {
    setTop(scrollY)
    const { [location.pathname]: _, ...queries } = mark().queries
    const kept = Object.fromEntries(
      [...Object.entries(queries), [location.pathname, location.search]].slice(-QUERIES_MAX),
    )
    history.pushState({ top: 0, queries: kept, rows: mark().rows } satisfies Mark, '', href)
  }
  here.value = currentPlace()
}

/** Remembers the row at which the list of a path is left, for the way back to it. */
export function keepRow(path: string, id: string): void {
  const { [path]: before, ...rows } = mark().rows
  if (before === id) return
  const kept = Object.fromEntries([...Object.entries(rows), [path, id]].slice(-ROWS_MAX))
  history.replaceState({ ...mark(), rows: kept }, '')
}

/** Id of the row at which the list of a path was left; undefined for none. */
export const keptRow = (path: string): string | undefined => mark().rows[path]

/** Remembers with the shown place what is in its form, over reloads too. What is too long is not kept. */
export function keepForm(by: string, content: unknown): void {
  const form = JSON.stringify(content).length <= FORM_MAX ? { by, content } : undefined
  history.replaceState({ ...mark(), form }, '')
}

/** Content of {@link keepForm} of the shown place, where the same person is signed in; undefined for none. */
export function keptForm(by: string): unknown {
  const { form } = mark()
  return form?.by === by ? form.content : undefined
}

/** Whether the shown place is new, or was left at its top. */
export const isAtTop = (): boolean => mark().top === 0

/** The address of a list of the console with the filter that it had when it was left on the way here. */
export function asLeft(path: string): string {
  // Read for the place that is shown, and anew with the next one.
  void here.value
  return path + (mark().queries[path] ?? '')
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

/** Milliseconds for which a place that was left far down may stay as long as it is, before it is taken for whole. */
const RESTORE_MS = 15_000
let endRestoring: () => void = () => undefined

/**
 * Scrolls to where the shown place was left. A list that is read anew grows page by page: it is followed down until it is long enough,
 * unless somebody scrolls or types meanwhile.
 */
export function restoreScroll(): void {
  endRestoring()
  const { top } = mark()
  scrollTo(0, top)
  if (scrollY >= top) return
  const end = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const follow = new ResizeObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(() => endRestoring(), RESTORE_MS)
    scrollTo(0, top)
    if (scrollY >= top) endRestoring()
  })
  endRestoring = () => {
    clearTimeout(timer)
    follow.disconnect()
    end.abort()
    endRestoring = () => undefined
  }
  follow.observe(document.body)
  for (const input of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
    addEventListener(input, () => endRestoring(), { signal: end.signal, passive: true })
  }
}

/** Makes links of the console change the place without loading a page, and keeps how far a place was scrolled. */
export function followLinks(): void {
  history.scrollRestoration = 'manual'
  let settled: ReturnType<typeof setTimeout> | undefined
  addEventListener('popstate', () => {
    clearTimeout(settled)
    here.value = currentPlace()
  })
  addEventListener('pagehide', () => setTop(scrollY))
  addEventListener('scroll', () => {
    clearTimeout(settled)
    settled = setTimeout(() => setTop(scrollY), 150)
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
