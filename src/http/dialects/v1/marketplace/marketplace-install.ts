import type { Context, Hono } from 'hono'
import { fail } from '../../../../core/failure.ts'
import type { PackageName } from '../../../../ports/market.ts'
import { ToolDefinition } from '../../../../registry/definition.ts'
import { needsMore, needsOf } from '../../../../registry/needs.ts'
import type { RegisteredTool } from '../../../../registry/registered-tool.ts'
import { compareSchemas } from '../../../../registry/schema-change.ts'
import type { MarketNote } from '../../../../tenant/market-api.ts'
import type { ChangedTool, ToolChange } from '../../../../tenant/tools-api.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import { parseInput } from '../../../input.ts'
import { route } from '../../../operations/route.ts'
import { refusesId } from '../tools/registered-ids.ts'
import { Installed, Upgraded } from './marketplace-answers.ts'
import { encodeChange, Install, NAME, Upgrade } from './marketplace-codec.ts'

/**
 * Installs a published version among the caller's own tools, or upgrades to it. What is installed is a copy: nothing that its
 * publisher does changes it, and it runs with the caller's permissions.
 */
export function addInstalls(app: Hono<AppEnv>, base: string): void {
  route(
    app,
    'post',
    `${base}/:publisher/:tool/install`,
    {
      id: 'installPackage',
      tag: 'marketplace',
      summary: 'Install a published tool among your own',
      description: 'The tool is a copy that runs with your permissions; nothing that its publisher does changes it.',
      scope: 'admin',
      params: NAME,
      body: Install,
      answers: {
        201: {
          description: 'The tool is installed.',
          content: Installed,
          headers: { Location: 'Where the tool is looked at.' },
        },
      },
      problems: [404, 409],
      example: { params: { publisher: 'riverside', tool: 'slug' }, body: { id: 'my.slug' }, status: 201 },
    },
    async (c, { services, body: { version, id: wantedId, allow_secrets } }) => {
      const name = nameOf(c)
      const id = wantedId ?? idOf(name)
      const refused = refusesId(services)(id)
      if (refused !== null) fail('conflict', `${id} ${refused}`)
      const published = await services.market.find(name, version)
      const { needs } = published
      const kept = new Set((await services.tenant.secrets.list()).map((secret) => secret.name))
      const missing = needs.secrets.filter((secret) => !kept.has(secret))
      // A publisher may request secrets that it hopes other tenants have stored.
      const waiting = needs.secrets.filter((secret) => !allow_secrets.includes(secret))
      const enabled = missing.length === 0 && waiting.length === 0
      const changed = await change(services, {
        op: 'put',
        definition: parseInput({ ...published.definition, id }, ToolDefinition),
        policy: { enabled },
        source: sourceOf(name, published.version),
        expected: 0,
      })
      // The tool is installed, whether the installation is counted or not.
      await services.market.noteInstall(name).catch((thrown) => c.env.report?.(thrown))
      await noteInAudit(services, 'tool.install', name, { versions: [published.version], id })
      c.header('Location', `/v1/tools/registered/${id}`)
      return c.json(
        {
          id,
          version: changed.version,
          installed: { ...name, version: published.version },
          enabled,
          needs,
          missing_secrets: missing,
          secrets_to_allow: waiting,
        },
        201,
      )
    },
  )

  route(
    app,
    'post',
    `${base}/:publisher/:tool/upgrade`,
    {
      id: 'upgradePackage',
      tag: 'marketplace',
      summary: 'Upgrade an installed tool',
      description:
        'A version that may break callers, or that needs more, is taken with accept_breaking alone; the problem says what it is.',
      scope: 'admin',
      params: NAME,
      body: Upgrade,
      answers: { 200: { description: 'The plan, and whether it was applied.', content: Upgraded } },
      problems: [404, 409],
      example: {
        params: { publisher: 'riverside', tool: 'slug' },
        body: { id: 'installed.slug', dry_run: true },
        status: 200,
      },
    },
    async (c, { services, body: { version, id: wantedId, dry_run, accept_breaking } }) => {
      const name = nameOf(c)
      const id = wantedId ?? idOf(name)
      const installed = await installedTool(services, name, id)
      const published = await services.market.find(name, version)
      const definition = parseInput({ ...published.definition, id }, ToolDefinition)
      const { breaking, changes } = compareSchemas(installed.tool.definition, definition)
      const more = [
        ...needsMore(needsOf(installed.tool.definition), needsOf(definition)),
        ...otherUse(installed.tool.definition, definition),
      ]
      const plan = {
        id,
        // After a rollback to another version, nobody knows which that was.
        from: installed.tool.version === installed.tool.latest ? installed.version : null,
        to: published.version,
        breaking,
        needs_more: more,
        changes: changes.map(encodeChange),
      }
      if (dry_run) return c.json({ ...plan, applied: false })
      if ((breaking || more.length > 0) && !accept_breaking) {
        const why = [
          ...(breaking ? ['may break its callers'] : []),
          ...(more.length > 0 ? [`needs ${more.join(', ')}`] : []),
        ]
        fail(
          'conflict',
          `version ${published.version} ${why.join(' and ')}; look at the changes, then send accept_breaking`,
          {
            data: { refused: plan },
          },
        )
      }
      const changed = await change(services, {
        op: 'put',
        definition,
        source: sourceOf(name, published.version),
        expected: installed.tool.latest,
      })
      const applied = changed.outcome !== 'unchanged'
      if (applied) await noteInAudit(services, 'tool.upgrade', name, { versions: [published.version], id })
      return c.json({ ...plan, applied, version: changed.version })
    },
  )
}

export const noteInAudit = (
  { tenant, key }: Services,
  action: MarketNote['action'],
  { publisher, tool }: PackageName,
  detail: Omit<MarketNote, 'action' | 'package'>,
): Promise<void> => tenant.market.note({ action, package: `${publisher}/${tool}`, ...detail }, { key, agent: null })

export const nameOf = (c: Context<AppEnv>): PackageName => ({
  publisher: c.req.param('publisher') ?? '',
  tool: c.req.param('tool') ?? '',
})

/** Default id of an installed tool. */
const idOf = ({ publisher, tool }: PackageName) => `${publisher}.${tool}`

const prefixOf = ({ publisher, tool }: PackageName) => `marketplace:${publisher}/${tool}@`
const sourceOf = (name: PackageName, version: number) => `${prefixOf(name)}${version}`

/**
 * Changes of an upgrade in its use of secrets. Code may do anything with its secrets, and a request may take one to a place
 * of the same host that others read; nothing else in a code or request shows that.
 */
function otherUse(before: ToolDefinition, after: ToolDefinition): string[] {
  const isSame = JSON.stringify(before.executor) === JSON.stringify(after.executor)
  if (isSame || needsOf(after).secrets.length === 0) return []
  return [
    after.executor.kind === 'python' ? 'to give other code its secrets' : 'to send its secrets in another request',
  ]
}

/** The installed tool. @throws FailureError `not_found`, `conflict` for a tool that came from elsewhere or was changed since */
async function installedTool(
  { tenant }: Services,
  name: PackageName,
  id: string,
): Promise<{ readonly tool: RegisteredTool; readonly version: number }> {
  const tool = await tenant.tools.find(id)
  const { source } = tool
  const version = source?.startsWith(prefixOf(name)) ? Number(source.slice(prefixOf(name).length)) : Number.NaN
  if (!Number.isSafeInteger(version)) {
    fail(
      'conflict',
      `${id} is not ${name.publisher}/${name.tool} as it was installed; look what it is, or give another id`,
    )
  }
  return { tool, version }
}

async function change({ tenant, key }: Services, put: Extract<ToolChange, { op: 'put' }>): Promise<ChangedTool> {
  const [changed] = await tenant.tools.change([put], { key, agent: null })
  return changed ?? fail('internal', 'a change was made and is not told of')
}
