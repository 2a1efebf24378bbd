import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { snippetsOf } from './documents.ts'

const run = promisify(execFile)
const PAGE = 'docs/lagent.md'

const blocks = snippetsOf(PAGE)
const programs = blocks.flatMap(({ language, text }, at) =>
  language === 'ts' ? [{ file: `program-${at}`, text, printed: blocks[at + 1]?.text ?? '' }] : [],
)

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolyard-package-'))
  await run('npm', ['pack', '--pack-destination', directory])
  await install((await readdir(directory)).find((name) => name.endsWith('.tgz')) ?? 'nothing was packed')
  await Promise.all(programs.map(({ file, text }) => writeFile(join(directory, `${file}.ts`), text)))
})
afterAll(() => rm(directory, { recursive: true }))

/** With zod from here, and nothing in the place of the other dependencies: the library has to do without them. */
async function install(tarball: string) {
  await mkdir(join(directory, 'absent'))
  await writeFile(join(directory, 'absent', 'package.json'), JSON.stringify({ name: 'absent', version: '1.0.0' }))
  const others = Object.keys({ ...packageJson.dependencies, ...packageJson.optionalDependencies })
  const zod = `file:${resolve('node_modules/zod')}`
  const manifest = {
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: { toolyard: `file:./${tarball}`, zod },
    overrides: { ...Object.fromEntries(others.map((name) => [name, 'file:./absent'])), zod },
  }
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory })
}

it.each(programs)(`${PAGE} prints what $file prints with the installed package`, async ({ file, text, printed }) => {
  const { code } = await transform(text, { loader: 'ts', target: 'es2022' })
  await writeFile(join(directory, `${file}.mjs`), code)
  const { stdout } = await run(process.execPath, [`${file}.mjs`], { cwd: directory })
  expect(stdout).toBe(printed)
})

it.each([
  ['bundler', 'esnext'],
  ['nodenext', 'nodenext'],
])('the types fit the programs, with the modules of %s', async (moduleResolution, module) => {
  await mkdir(join(directory, 'node_modules/@types'), { recursive: true })
  await symlink(resolve('node_modules/@types/node'), join(directory, 'node_modules/@types/node')).catch(() => {})
  // The types of the language itself are not what is tested: checking them takes as long as all the rest.
  const own = { skipDefaultLibCheck: true, types: ['node'], module, moduleResolution }
  const compilerOptions = { strict: true, noEmit: true, target: 'es2024', ...own }
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['program-*.ts'] }))
  const { stdout } = await run(resolve('node_modules/typescript-native/bin/tsc'), ['-p', directory]).catch(
    (failed) => failed,
  )
  expect(stdout).toBe('')
})
