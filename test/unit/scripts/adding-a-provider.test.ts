import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const [FILE = '', LINE = '', STAND_IN = ''] = [
  ...readFileSync('docs/adding-a-provider.md', 'utf8').matchAll(/^```ts\n(.*?)^```$/gms),
].map(([, text]) => text)
const COPIED = [
  'src',
  'scripts',
  'test/contract',
  'test/support',
  'test/unit/scripts/settings.test.ts',
  'docs/settings.md',
]
const CONFIG = `export default { test: { include: ['test/contract/search.node.test.ts', 'test/unit/scripts/*.test.ts'] } }`

it('who does what docs/adding-a-provider.md says has a provider that keeps the contract, and whose settings are listed', () => {
  const copy = mkdtempSync(join(tmpdir(), 'toolyard-provider-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  const at = (path: string) => join(copy, path)
  mkdirSync(at('test/unit/scripts'), { recursive: true })
  for (const path of COPIED) cpSync(path, at(path), { recursive: true })
  symlinkSync(resolve('node_modules'), at('node_modules'))
  writeFileSync(at('package.json'), '{"type":"module"}')
  writeFileSync(at('vitest.config.ts'), CONFIG)
  const change = (path: string, place: string, by: string) => {
    const text = readFileSync(at(path), 'utf8')
    expect([path, text.split(place).length]).toEqual([path, 2])
    writeFileSync(
      at(path),
      text.replace(place, () => by),
    )
  }

  writeFileSync(at('src/adapters/search-example.ts'), FILE)
  const last = '  searchSearxng,\n'
  change('src/adapters/providers.ts', last, last + LINE)
  const first = "import { arxivAtom } from './arxiv-atom.ts'\n"
  change('src/adapters/providers.ts', first, `${first}import { searchExample } from './search-example.ts'\n`)
  change(
    'test/contract/search-stand-ins.ts',
    "    variable: 'SEARXNG_URL',\n  },\n",
    `    variable: 'SEARXNG_URL',\n  },\n${STAND_IN}`,
  )

  const node = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8', stdio: 'pipe' })
  node('--disable-warning=ExperimentalWarning', 'scripts/write-settings.mjs')
  expect(readFileSync(at('docs/settings.md'), 'utf8')).toContain(
    '`example`: Example Search | `EXAMPLE_API_KEY` ●, `EXAMPLE_BASE_URL` (`https://search.example`)',
  )
  node('node_modules/vitest/vitest.mjs', 'run', '--reporter=json', '--outputFile=results.json')
  const { testResults } = JSON.parse(readFileSync(at('results.json'), 'utf8'))
  const results = (testResults as { assertionResults: { fullName: string; status: string }[] }[]).flatMap(
    ({ assertionResults }) => assertionResults,
  )
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(results.filter(({ fullName }) => fullName.startsWith('search by Example Search'))).toHaveLength(3)
})
