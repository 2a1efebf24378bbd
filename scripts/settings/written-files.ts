import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { choiceVariable, providersOf } from '../../src/adapters/choose-provider.ts'
import type { PortName, Provider } from '../../src/adapters/provider.ts'
import { PROVIDERS } from '../../src/adapters/providers.ts'
import { VARIABLE_NAMES } from '../../src/config.ts'
import { fallbackOf } from '../../src/core/settings.ts'

const home = join(import.meta.dirname, '../..')

/** Purpose of each port, for the table of settings. */
const PURPOSES: Readonly<Record<PortName, string>> = {
  sandbox: 'sandboxes: everything that runs code',
  search: '`google_search` and the other searches of the web',
  scholar: '`google_scholar_search`',
  scholarIndex: "[Lagent's](dialects/lagent-actions.md) GoogleScholar",
  arxiv: "Lagent's ArxivSearch",
  maps: "Lagent's BINGMap",
  browser: '`crawl_page`: pages that scripts write',
  github: '`github_*`',
  papers: '`rag_*` ([papers](papers.md))',
}

/** Files that are made of the settings, whole or in part, as they should be. */
export const writtenFiles = (): readonly { readonly path: string; readonly text: string }[] => [
  {
    path: 'docs/settings.md',
    text: between('docs/settings.md', '<!-- settings: npm run settings -->', '<!-- /settings -->', table()),
  },
  { path: 'test/support/worker/settings.ts', text: list() },
]

function list(): string {
  const names = [...VARIABLE_NAMES].sort().map((name) => `  '${name}',\n`)
  return `/** Settings that a server of tests is given when it starts; \`npm run settings\` writes them. */
export const SETTINGS = [\n${names.join('')}]\n`
}

function between(file: string, start: string, end: string, text: string): string {
  const whole = readFileSync(join(home, file), 'utf8')
  const [from, to] = [whole.indexOf(start), whole.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${file} lacks ${start} before ${end}`)
  return `${whole.slice(0, from + start.length)}\n\n${text}\n\n${whole.slice(to)}`
}

function table(): string {
  const ports = [...new Set(PROVIDERS.map(({ port }) => port))]
  const rows = ports.flatMap((port) =>
    providersOf(port).map((provider, at) => [at === 0 ? purposeOf(port) : '', aboutOf(provider), settingsOf(provider)]),
  )
  return [['for', 'by', 'settings'], ['---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function purposeOf(port: PortName): string {
  const variable = choiceVariable(port)
  return PURPOSES[port] + (variable === null ? '' : `; \`${variable}\` names one`)
}

const aboutOf = ({ port, name, about }: Provider) => (choiceVariable(port) === null ? about : `\`${name}\`: ${about}`)

const settingsOf = ({ settings, needs }: Provider) =>
  Object.entries(settings)
    .map(([name, schema]) => {
      const fallback = fallbackOf(schema)
      return `\`${name}\`${needs.includes(name) ? ' ●' : ''}${fallback === undefined ? '' : ` (\`${fallback}\`)`}`
    })
    .join(', ')
