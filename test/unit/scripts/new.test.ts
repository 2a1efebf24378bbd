import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const COPIED = ['src', 'scripts', 'docs', 'test', 'README.md', 'package.json', 'biome.json', 'tsconfig.json']
const CONFIG = `import { guestTexts } from './test/support/guest-texts.ts'
export default { plugins: [guestTexts], test: { testTimeout: 120_000, include: [
  'test/unit/tools/math/*.test.ts', 'test/unit/http/pong/*.test.ts', 'test/contract/search.node.test.ts',
] } }`
/** Lists what sessions can call. */
const LISTED = `import { expect, it } from 'vitest'
import { catalog } from '../../../../src/tools/catalog.ts'
it('is listed', () => {
  const math = catalog.toolkits().find(({ name }) => name === 'math')
  expect(math?.tools.map(({ name }) => name)).toContain('count_words')
})`
/** Types of the workers' runtime are generated, so files that need them are not looked at. */
const TYPES = {
  extends: './tsconfig.json',
  compilerOptions: { types: ['node'], lib: ['es2024', 'esnext', 'dom', 'dom.iterable', 'dom.asynciterable'] },
}
/** What is made, by what is asked for. */
const MADE = {
  'tool count_words math': ['src/tools/math/count-words.ts', 'test/unit/tools/math/count-words.test.ts'],
  'provider kagi': ['src/adapters/search-kagi.ts'],
  'dialect pong': [
    'src/http/dialects/pong/codec.ts',
    'src/http/dialects/pong/routes.ts',
    'test/unit/http/pong/routes.test.ts',
    'test/dialects/pong/requirements.ts',
    'test/dialects/pong/pong.test.ts',
  ],
} as const

let copy: string
const at = (path: string) => join(copy, path)
const textOf = (path: string) => readFileSync(at(path), 'utf8')
const node = (...args: string[]) => {
  const env = { ...process.env, NODE_COMPILE_CACHE: at('compiled') }
  return spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', env })
}
const runNew = (command: string) => {
  const words = command.split(' ').filter((word) => word !== '')
  const { status, stdout, stderr } = node('--disable-warning=ExperimentalWarning', 'scripts/new.mjs', ...words)
  return { status, stdout, stderr }
}

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'toolyard-new-'))
  for (const path of COPIED) cpSync(path, at(path), { recursive: true })
  symlinkSync(resolve('node_modules'), at('node_modules'))
  writeFileSync(at('vitest.config.ts'), CONFIG)
  for (const [command, paths] of Object.entries(MADE)) {
    const { status, stdout, stderr } = runNew(command)
    expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: '' })
    expect([...stdout.matchAll(/^wrote +(.+)$/gm)].map(([, path]) => path)).toEqual(paths)
  }
})
// In a time of its own, as all that starts a program which takes long.
beforeAll(() => {
  writeFileSync(at('test/unit/tools/math/listed.test.ts'), LISTED)
  node('node_modules/vitest/vitest.mjs', 'run', '--reporter=json', '--outputFile=results.json')
})
afterAll(() => rmSync(copy, { recursive: true }))

it('the tool, the provider and the dialect that npm run new writes have the types that the server expects', () => {
  const files = ['src/texts.d.ts', ...Object.values(MADE).flat(), 'src/adapters/providers.ts', 'src/tools/toolkits.ts']
  writeFileSync(at('tsconfig.new.json'), JSON.stringify({ ...TYPES, include: [], files }))
  const { stdout } = node(resolve('node_modules/typescript-native/bin/tsc'), '-p', 'tsconfig.new.json', '--listFiles')
  const lines = stdout.split('\n')
  expect(lines).toEqual(expect.arrayContaining(files.map((path) => expect.stringMatching(new RegExp(`/${path}$`)))))
  // Errors of these files and of the settings: others need the types of the workers' runtime.
  const errors = lines.filter((line) => / error TS|^error TS/.test(line))
  expect(errors.filter((line) => line.startsWith('error') || files.some((path) => line.startsWith(path)))).toEqual([])
})

it('what npm run new wrote passes the tests that came with it, and the contract; the tool is listed and called', () => {
  const { testResults } = JSON.parse(textOf('results.json'))
  const results = (testResults as { assertionResults: { fullName: string; status: string }[] }[]).flatMap(
    ({ assertionResults }) => assertionResults,
  )
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
  const titles = results.map(({ fullName }) => fullName)
  expect(titles).toEqual(
    expect.arrayContaining(['is listed', 'counts words, not spaces', 'calls a tool in a session', 'lists the tools']),
  )
  expect(titles.filter((title) => title.startsWith('search by Kagi Search'))).toHaveLength(3)
})

it('npm run new puts the line where things of that kind are listed', () => {
  expect(textOf('src/tools/toolkits.ts')).toContain('tools: [calculate, countWords]')
  expect(textOf('src/adapters/providers.ts')).toContain('  searchSearxng,\n  searchKagi,\n')
  expect(textOf('src/server.ts')).toContain('  () => toolserver,\n  () => pong,\n')
  expect(textOf('docs/settings.md')).toContain('`kagi`: Kagi Search')
  expect(textOf('test/support/worker/settings.ts')).toContain("'KAGI_API_KEY'")
})

it.each([
  [
    'tool word_count files',
    'docs/adding-a-tool.md',
    ['src/tools/files/word-count.ts', 'test/unit/tools/files/word-count.test.ts'],
  ],
  ['provider example', 'docs/adding-a-provider.md', ['src/adapters/search-example.ts']],
  ['dialect ping', 'docs/adding-a-dialect.md', MADE['dialect pong'].map((path) => path.replaceAll('pong', 'ping'))],
])('npm run new %s writes what %s shows', (command, page, paths) => {
  expect(runNew(command)).toMatchObject({ status: 0, stderr: '' })
  for (const path of paths)
    expect([path, textOf(page).includes(`\`\`\`ts\n${textOf(path)}\`\`\``)]).toEqual([path, true])
})

it.each([
  ['tool Word-Count files', 'lower-case words'],
  ['tool ../../evil files', 'lower-case words'],
  ['tool delete files', 'a word of the language'],
  ['tool workspace files', 'already means something'],
  ['tool word_tally no_such', 'name one of files, web,'],
  ['tool count_words math', 'take another name'],
  ['tool kept_out files', 'kept-out.ts exists already'],
  ['provider serper', 'take another name'],
  ['provider two_words', 'take one word'],
  ['dialect v1', 'take another name'],
  ['dialect outcome', 'take another name'],
])('npm run new %s is refused, says why, and writes nothing', (command, why) => {
  const tables = ['src/tools/toolkits.ts', 'src/adapters/providers.ts', 'src/server.ts']
  const before = tables.map(textOf)
  expect(runNew(command)).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining(why) })
  expect(tables.map(textOf)).toEqual(before)
  expect(existsSync(join(copy, '../evil.ts'))).toBe(false)
})

it.each(['', 'tool', 'tool word_tally', 'table x', 'provider a b', 'toString x'])(
  'npm run new with "%s" prints what it takes',
  (command) => {
    expect(runNew(command)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /npm run new tool NAME TOOLKIT .*npm run new provider NAME .*npm run new dialect NAME /s,
      ),
    })
  },
)
