import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { hasLeft, isOpen, type Problem, problemOf, who } from './api.ts'
import { SignInPage } from './pages/sign-in.tsx'
import { focusPage } from './parts/focus.ts'
import { here, restoreScroll } from './parts/location.ts'
import type { PageProps } from './parts/page.ts'
import { ProblemView } from './parts/problem.tsx'
import { Shell } from './parts/shell.tsx'
import { Loading } from './parts/states.tsx'
import { useTitle } from './parts/title.ts'

type Page = ComponentType<PageProps>

interface Route {
  /** Segments after `/console/`: `:name` is one segment, `*name` the rest, none too. */
  readonly path: string
  /** Title of the page, as {@link useTitle} has it. */
  readonly title: string
  /** Loads the page's code. */
  readonly load: () => Promise<Page>
}

/** All places of the console but sign-in, the first that fits wins. A page's code is loaded when it is first shown. */
const ROUTES: readonly Route[] = [
  { path: '', title: '', load: () => import('./pages/home.tsx').then(({ HomePage }) => HomePage) },
  {
    path: 'sessions',
    title: 'Sessions',
    load: () => import('./pages/sessions.tsx').then(({ SessionsPage }) => SessionsPage),
  },
  { path: 'tools', title: 'Tools', load: () => import('./pages/tools/tools.tsx').then(({ ToolsPage }) => ToolsPage) },
  {
    path: 'tools/registered',
    title: 'Registered · Tools',
    load: () => import('./pages/tools/registered.tsx').then(({ RegisteredPage }) => RegisteredPage),
  },
  {
    path: 'tools/registered/:tool',
    title: ':tool · Tools',
    load: () => import('./pages/tools/registered-tool.tsx').then(({ RegisteredToolPage }) => RegisteredToolPage),
  },
  {
    path: 'tools/chains/draw',
    title: 'Chains · Tools',
    load: () => import('./pages/tools/chains.tsx').then(({ ChainsPage }) => ChainsPage),
  },
  {
    path: 'tools/from/apis',
    title: 'APIs · Tools',
    load: () => import('./pages/tools/apis.tsx').then(({ ApisPage }) => ApisPage),
  },
  {
    path: 'tools/from/mcp-servers',
    title: 'MCP servers · Tools',
    load: () => import('./pages/tools/mcp-servers.tsx').then(({ McpServersPage }) => McpServersPage),
  },
  {
    path: 'tools/from/mcp-servers/:server',
    title: ':server · MCP servers',
    load: () => import('./pages/tools/mcp-server.tsx').then(({ McpServerPage }) => McpServerPage),
  },
  {
    path: 'tools/from/marketplace',
    title: 'Marketplace · Tools',
    load: () => import('./pages/tools/marketplace.tsx').then(({ MarketplacePage }) => MarketplacePage),
  },
  {
    path: 'tools/from/marketplace/:publisher/:tool',
    title: ':tool · Marketplace',
    load: () => import('./pages/tools/package.tsx').then(({ PackagePage }) => PackagePage),
  },
  {
    path: 'tools/:name',
    title: ':name · Tools',
    load: () => import('./pages/tools/tool.tsx').then(({ ToolPage }) => ToolPage),
  },
  {
    path: 'sessions/:session',
    title: 'Calls · :session',
    load: () => import('./pages/session/calls/calls.tsx').then(({ CallsPage }) => CallsPage),
  },
  {
    path: 'sessions/:session/calls',
    title: 'Calls · :session',
    load: () => import('./pages/session/calls/calls.tsx').then(({ CallsPage }) => CallsPage),
  },
  {
    path: 'sessions/:session/calls/:call',
    title: 'Call:tool · :session',
    load: () => import('./pages/session/calls/call.tsx').then(({ CallPage }) => CallPage),
  },
  {
    path: 'sessions/:session/files/*path',
    title: 'Files:path · :session',
    load: () => import('./pages/session/files/files.tsx').then(({ FilesPage }) => FilesPage),
  },
  {
    path: 'sessions/:session/terminal',
    title: 'Terminal · :session',
    load: () => import('./pages/session/terminal/terminal.tsx').then(({ TerminalPage }) => TerminalPage),
  },
  {
    path: 'sessions/:session/live',
    title: 'Live · :session',
    load: () => import('./pages/session/live.tsx').then(({ LivePage }) => LivePage),
  },
  {
    path: 'sessions/:session/history',
    title: 'History · :session',
    load: () => import('./pages/session/history/history.tsx').then(({ HistoryPage }) => HistoryPage),
  },
  {
    path: 'people',
    title: 'People',
    load: () => import('./pages/people/list.tsx').then(({ PeoplePage }) => PeoplePage),
  },
  {
    path: 'people/:session/:question',
    title: 'Question · :session',
    load: () => import('./pages/people/question.tsx').then(({ QuestionPage }) => QuestionPage),
  },
  { path: 'keys', title: 'Keys', load: () => import('./pages/keys/keys.tsx').then(({ KeysPage }) => KeysPage) },
  {
    path: 'keys/new',
    title: 'New key',
    load: () => import('./pages/keys/new-key.tsx').then(({ NewKeyPage }) => NewKeyPage),
  },
  {
    path: 'keys/new-child',
    title: 'New child key',
    load: () => import('./pages/keys/new-child.tsx').then(({ NewChildKeyPage }) => NewChildKeyPage),
  },
  { path: 'usage', title: 'Usage', load: () => import('./pages/usage/usage.tsx').then(({ UsagePage }) => UsagePage) },
  {
    path: 'secrets',
    title: 'Secrets',
    load: () => import('./pages/secrets.tsx').then(({ SecretsPage }) => SecretsPage),
  },
  { path: 'audit', title: 'Audit', load: () => import('./pages/audit/audit.tsx').then(({ AuditPage }) => AuditPage) },
  {
    path: 'settings',
    title: 'Settings',
    load: () => import('./pages/settings/settings.tsx').then(({ SettingsPage }) => SettingsPage),
  },
  {
    path: 'operator/tenants',
    title: 'Tenants',
    load: () => import('./pages/operator/tenants.tsx').then(({ TenantsPage }) => TenantsPage),
  },
  {
    path: 'operator/new-tenant',
    title: 'New tenant',
    load: () => import('./pages/operator/new-tenant.tsx').then(({ NewTenantPage }) => NewTenantPage),
  },
  {
    path: 'operator/tenants/:tenant',
    title: 'Tenant:name · Tenants',
    load: () => import('./pages/operator/tenant.tsx').then(({ TenantPage }) => TenantPage),
  },
  {
    path: 'operator/invitations',
    title: 'Invitations',
    load: () => import('./pages/operator/invitations.tsx').then(({ InvitationsPage }) => InvitationsPage),
  },
  {
    path: 'operator/usage',
    title: 'Usage',
    load: () => import('./pages/operator/usage.tsx').then(({ OperatorUsagePage }) => OperatorUsagePage),
  },
  {
    path: 'settings/webhooks',
    title: 'Webhooks',
    load: () => import('./pages/settings/webhooks.tsx').then(({ WebhooksPage }) => WebhooksPage),
  },
  {
    path: 'settings/webhooks/:webhook',
    title: 'Webhook:name · Webhooks',
    load: () => import('./pages/settings/webhook.tsx').then(({ WebhookPage }) => WebhookPage),
  },
  {
    path: 'keys/:key',
    title: 'Key:name · Keys',
    load: () => import('./pages/keys/key.tsx').then(({ KeyPage }) => KeyPage),
  },
]

/** The place of somebody who was invited, and has no key yet: it has no navigation around it. */
const SIGN_UP: Route = {
  path: '/console/sign-up',
  title: 'Sign up',
  load: () => import('./pages/sign-up.tsx').then(({ SignUpPage }) => SignUpPage),
}

/** The console: the sign-in page, or the page of the place with the navigation around it. */
export function App() {
  if (who.value === undefined) return <Loading label="Signing in" />
  if (here.value.path === SIGN_UP.path) return <Outlet />
  const isOutside = who.value === null || (isOpen.value && hasLeft)
  if (isOutside || here.value.path === '/console/sign-in') return <SignInPage />
  return (
    <Shell>
      <Outlet />
    </Shell>
  )
}

/** The page of the place. The page that is left stays until the code of the next one is there. */
function Outlet() {
  const shown = useSignal<{ Page: Page; path: string } | null>(null)
  const problem = useSignal<Problem | null>(null)
  const found = findRoute(here.value.path)
  const route = found?.route

  useEffect(() => {
    let left = false
    problem.value = null
    route?.load().then(
      (Page) => {
        if (!left) shown.value = { Page, path: route.path }
      },
      (thrown) => {
        if (!left) problem.value = problemOf(thrown)
      },
    )
    return () => {
      left = true
    }
  }, [route])

  const loaded = shown.value?.path === route?.path ? shown.value : null
  const path = here.value.path
  const isFirst = useRef(true)
  useTitle(found ? found.route.title : 'No such page', found?.params)
  useLayoutEffect(() => {
    if (!loaded) return
    restoreScroll()
    if (!isFirst.current) focusPage()
    // The place where the console begins leads to another one by itself.
    isFirst.current &&= loaded.path === ''
  }, [path, loaded?.path])

  if (!found) return <NoSuchPage />
  if (problem.value) return <ProblemView problem={problem.value} retry={() => location.reload()} />
  if (!loaded) return <Loading />
  const { Page } = loaded
  return <Page params={found.params} />
}

function NoSuchPage() {
  return (
    <div class="empty">
      <h1>There is no such page</h1>
      <p>
        The address may be of an older version. <a href="/console/sessions">All sessions</a> are where most things
        begin.
      </p>
    </div>
  )
}

function findRoute(path: string) {
  if (path === SIGN_UP.path) return { route: SIGN_UP, params: {} }
  const segments = path
    .replace(/^\/console\/?/, '')
    .replace(/\/$/, '')
    .split('/')
  const end = path.endsWith('/') ? '/' : ''
  for (const route of ROUTES) {
    const params = matched(route.path.split('/'), segments, end)
    if (params) return { route, params }
  }
  return null
}

/** Parameters of a route in the segments of a path. A path within a session keeps the slash at its `end`, which makes it a directory's. */
function matched(
  pattern: readonly string[],
  segments: readonly string[],
  end: '/' | '',
): Record<string, string> | null {
  const params: Record<string, string> = {}
  const open = pattern.at(-1)?.startsWith('*')
  if (open ? segments.length < pattern.length - 1 : segments.length !== pattern.length) return null
  for (const [at, part] of pattern.entries()) {
    if (part.startsWith('*'))
      params[part.slice(1)] = segments.length > at ? `${segments.slice(at).map(decoded).join('/')}${end}` : ''
    else if (part.startsWith(':')) params[part.slice(1)] = decoded(segments[at] ?? '')
    else if (part !== segments[at]) return null
  }
  return params
}

/** Addresses are typed by people: a `%` that encodes nothing stands for itself. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
