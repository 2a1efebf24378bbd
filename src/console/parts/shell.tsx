import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { offline, signOut, who } from '../api.ts'
import { Action, Said } from './action.tsx'
import { KeyHelp, showKeyHelp, useKeys } from './keys.tsx'
import { go, here } from './location.ts'
import { useResource } from './resource.ts'
import { countInTitle } from './title.ts'
import { readWaiting, waiting } from './waiting.ts'

interface MainPlace {
  readonly path: string
  readonly label: string
  /** Key that goes there. */
  readonly key: string
}

/** Main places of a tenant. */
const PLACES: readonly MainPlace[] = [
  { path: 'sessions', label: 'Sessions', key: '1' },
  { path: 'tools', label: 'Tools', key: '2' },
  { path: 'people', label: 'People', key: '3' },
  { path: 'usage', label: 'Usage', key: '4' },
  { path: 'keys', label: 'Keys', key: '5' },
  { path: 'secrets', label: 'Secrets', key: '6' },
  { path: 'audit', label: 'Audit', key: '7' },
  { path: 'settings', label: 'Settings', key: '8' },
]

/** Main places of the operator, who has no sessions, tools or keys of a tenant. */
const OPERATOR_PLACES: readonly MainPlace[] = [
  { path: 'operator/tenants', label: 'Tenants', key: '1' },
  { path: 'operator/invitations', label: 'Invitations', key: '2' },
  { path: 'operator/usage', label: 'Usage', key: '3' },
  { path: 'settings', label: 'Settings', key: '4' },
]

/** Milliseconds between two counts of the questions that wait for a person. */
const COUNT_MS = 5_000

/** Frame of each page: the navigation, who is signed in, messages, the list of keys. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const isOperator = who.value?.scopes.includes('operator') ?? false
  const places = isOperator ? OPERATOR_PLACES : PLACES
  const { path } = here.value
  useKeys(
    Object.fromEntries(
      places.map((place) => [place.key, { label: place.label, run: () => go(`/console/${place.path}`) }]),
    ),
  )
  const closeMenu = () => {
    if (menu.current) menu.current.open = false
  }
  useLayoutEffect(closeMenu, [path])
  useEffect(() => {
    // Elsewhere, and by Escape, as menus are closed.
    const close = (event: Event) => {
      const { current } = menu
      if (!current?.open) return
      const isInside = event.target instanceof Node && current.contains(event.target)
      if (event instanceof KeyboardEvent ? event.key !== 'Escape' : isInside) return
      closeMenu()
      if (event instanceof KeyboardEvent) current.querySelector('summary')?.focus()
    }
    addEventListener('pointerdown', close)
    addEventListener('keydown', close)
    return () => {
      removeEventListener('pointerdown', close)
      removeEventListener('keydown', close)
    }
  }, [])

  const maySee = !isOperator && who.value?.scopes.includes('read')
  useResource(maySee ? 'count of questions' : null, (signal) => readWaiting(null, signal), { everyMs: COUNT_MS })
  const count = maySee ? waiting.value : ''
  useEffect(() => {
    countInTitle.value = count
    return () => {
      countInTitle.value = ''
    }
  }, [count])

  const links = (
    <ul>
      {places.map((place) => (
        <li key={place.path}>
          <a
            href={`/console/${place.path}`}
            onClick={closeMenu}
            aria-current={path.startsWith(`/console/${place.path}`) ? 'page' : undefined}
          >
            {place.label}{' '}
            {place.path === 'people' && count && (
              <span class="count" title={count === '1' ? '1 question waits' : `${count} questions wait`}>
                {count}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  )
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        To the content
      </button>
      <header class="bar">
        <a class="brand" href="/console/">
          Toolyard
        </a>
        <nav class="wide" aria-label="Main">
          {links}
        </nav>
        <details class="narrow" ref={menu}>
          <summary>Menu</summary>
          <div class="menu">
            <nav aria-label="Menu">{links}</nav>
            <Account />
          </div>
        </details>
        <div class="wide bar-end">
          <Account />
        </div>
      </header>
      {offline.value && (
        <p class="banner" role="alert">
          The server does not answer. What is shown may be old.
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Said />
      <KeyHelp />
    </div>
  )
}

function Account() {
  const session = who.value
  const leave = async () => {
    await signOut()
    location.assign('/console/sign-in')
  }
  const isOpen = session?.tenant && session.key_id === null
  return (
    <div class="account">
      <span
        class="soft tenant"
        title={isOpen ? 'Whoever asks from this machine without a key is this tenant' : undefined}
      >
        {session?.tenant ? `Tenant ${session.tenant}` : 'Operator'}
        {isOpen && <span class="no-key"> · no key needed</span>}
      </span>
      <button type="button" class="quiet" onClick={showKeyHelp}>
        Shortcuts <kbd>?</kbd>
      </button>
      <Action tone="quiet" run={leave}>
        Sign out
      </Action>
    </div>
  )
}
