import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build, transform } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { runningToolyard } from '../support/running-toolyard.ts'
import { snippetsOf } from './documents.ts'

const run = promisify(execFile)
const PAGE = 'docs/clients/typescript.md'
const PRINTED_URL = 'http://localhost:8001'
/** Bytes of the client, minified and gzipped. */
const MAX_BYTES = 6 * 1_024
/** Bytes of the adapters, minified and gzipped. */
const MAX_ADAPTERS_BYTES = 2 * 1_024

const server = runningToolyard(async () => ({}))
const blocks = snippetsOf(PAGE)
const programs = blocks.flatMap(({ language, text }, at) =>
  language === 'ts' ? [{ file: `program-${at}`, text, printed: blocks[at + 1]?.text ?? '' }] : [],
)

/** Directory of a program that has installed the package, and nothing besides it. */
let directory: string
const installed = () => join(directory, 'node_modules/toolyard')
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolyard-client-'))
  await run('npm', ['run', '--silent', 'build:client'])
  const { files, exports } = packageJson
  expect(files).toContain('dist/client')
  await mkdir(installed(), { recursive: true })
  await writeFile(join(installed(), 'package.json'), JSON.stringify({ name: 'toolyard', type: 'module', exports }))
  await cp('dist/client', join(installed(), 'dist/client'), { recursive: true })
})
afterAll(() => rm(directory, { recursive: true, force: true }))

it.each(programs)(`${PAGE} prints what $file prints with the installed package`, async ({ file, text, printed }) => {
  const { code } = await transform(text.replaceAll(PRINTED_URL, server().url), { loader: 'ts', target: 'es2022' })
  await writeFile(join(directory, `${file}.mjs`), code)
  const { stdout } = await run(process.execPath, [`${file}.mjs`], { cwd: directory })
  expect(stdout.trim()).toBe(printed.trim())
})

it('has at most 6 KiB, and imports nothing', async () => {
  const entryPoints = [join(installed(), 'dist/client/index.js')]
  const options = { bundle: true, minify: true, format: 'esm', write: false, metafile: true } as const
  const { outputFiles, metafile } = await build({ entryPoints, ...options })
  expect(Object.keys(metafile.inputs)).toHaveLength(1)
  expect(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES)
})

it('has the adapters beside it, which bring nothing of it', async () => {
  const entryPoints = [join(installed(), 'dist/client/adapters/index.js')]
  const options = { bundle: true, minify: true, format: 'esm', write: false, metafile: true } as const
  const { outputFiles, metafile } = await build({ entryPoints, ...options })
  expect(Object.keys(metafile.inputs)).toHaveLength(1)
  expect(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length).toBeLessThanOrEqual(MAX_ADAPTERS_BYTES)
  await writeFile(
    join(directory, 'adapters.mjs'),
    `console.log(Object.keys(await import('toolyard/adapters')).sort().join())`,
  )
  const { stdout } = await run(process.execPath, ['adapters.mjs'], { cwd: directory })
  expect(stdout.trim()).toBe(
    'anthropicResults,definitions,geminiResults,openaiChatResults,openaiResponsesResults,toolResult',
  )
})

it('is packed with the command line, and without anything of the server', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { maxBuffer: 16 * 2 ** 20 })
  const paths = (JSON.parse(stdout)[0].files as { path: string }[]).map(({ path }) => path)
  const entries = ['index.js', 'index.d.ts', 'adapters/index.js', 'adapters/index.d.ts'].map(
    (file) => `dist/client/${file}`,
  )
  expect(paths).toEqual(expect.arrayContaining(['dist/cli/main.js', ...entries]))
  const others = paths.filter((path) => !/^dist\/(cli|client|lagent)\//.test(path))
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
})

it('has its command line in the checkout by npx', async () => {
  const { stdout } = await run('npx', ['--no', '--', 'toolyard', '--version'])
  expect(stdout.trim()).toBe(packageJson.version)
})

const WRONG = [
  ['an argument that is missing', `await session.tool('crawl_page', {})`],
  ['arguments that are missing', `await session.tool('crawl_page')`],
  ['an argument of another type', `await session.tool('crawl_page', { url: 1 })`],
  [
    'an argument that the tool does not have',
    `await session.tool('crawl_page', { url: 'https://a.example', page: 1 })`,
  ],
  ['a field of a request that it does not have', `await toolyard.sessions.create({ label: {} })`],
  ['a path without its names', `await toolyard.request('GET /v1/sessions/{session}')`],
] as const

it.each([
  { types: 'Node', compilerOptions: { types: ['node'], lib: ['es2022', 'esnext.disposable'] } },
  {
    types: 'browsers',
    compilerOptions: { types: [], lib: ['es2022', 'esnext.disposable', 'dom', 'dom.asynciterable'] },
  },
])('checks arguments of tools and requests, with the types of $types', async ({ types, compilerOptions }) => {
  await mkdir(join(directory, 'node_modules/@types'), { recursive: true })
  await symlink(resolve('node_modules/@types/node'), join(directory, 'node_modules/@types/node')).catch(() => {})
  await symlink(resolve('node_modules/undici-types'), join(directory, 'node_modules/undici-types')).catch(() => {})
  const folder = join(directory, types)
  await mkdir(folder)
  const right = [
    `await session.tool('crawl_page', { url: 'https://a.example' }, { onStdout: (text) => text.trim() })`,
    `await session.tool('dir_list')`,
    `await session.tool('my_own_tool@2', { any: [1] })`,
    `const tools: { input_schema: object }[] = await definitions(toolyard, 'anthropic', { names: ['dir_list'] })`,
    `const images: readonly { bytes: Uint8Array }[] = (await session.python('1')).images`,
  ]
  const head = `import { definitions } from 'toolyard/adapters'
import { Toolyard } from 'toolyard/client'
const toolyard = new Toolyard({ baseUrl: 'http://localhost' })
const session = await toolyard.sessions.create()
`
  const wrong = WRONG.map(([what, line]) => `// @ts-expect-error ${what}\n${line}\n`)
  await writeFile(join(folder, 'uses.ts'), `${head}${right.join('\n')}\n${wrong.join('')}export { images, tools }\n`)
  const own = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipDefaultLibCheck: true,
    target: 'es2022',
  }
  const modules = { module: 'nodenext', moduleResolution: 'nodenext' }
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...own, ...modules, ...compilerOptions }, include: ['*.ts'] }),
  )
  await writeFile(join(directory, 'package.json'), '{"type":"module"}')
  const { stdout } = await run(resolve('node_modules/typescript-native/bin/tsc'), ['-p', folder]).catch(
    (failed) => failed,
  )
  expect(stdout).toBe('')
  expect(await readdir(folder)).toHaveLength(2)
})
