import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newDialect } from './dialect.ts'
import { type Kind, type Pattern, Refusal } from './pattern.ts'
import { newProvider } from './provider.ts'
import { newTool, toolkitsIn } from './tool.ts'

const home = join(import.meta.dirname, '../..')
const KINDS: Readonly<Record<string, Kind>> = { tool: newTool, provider: newProvider, dialect: newDialect }

/**
 * Writes the requested files, all of them or none, and prints what it wrote.
 * @returns the exit code: 1 after a refusal, 2 for wrong arguments
 */
export function runNew(args: readonly string[]): number {
  const [kind = '', name, ...rest] = args
  const chosen = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (!chosen || name === undefined || rest.length !== (chosen.takes === '' ? 0 : 1)) {
    console.error(usage())
    return 2
  }
  try {
    console.log(written(chosen.make(name, rest, read)))
    return 0
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    console.error(`Nothing was written: ${thrown.message}`)
    return 1
  }
}

const read = (path: string) => readFileSync(join(home, path), 'utf8')

function written({ files, insertions, scripts, next }: Pattern): string {
  const taken = Object.keys(files).find((path) => existsSync(join(home, path)))
  if (taken) throw new Refusal(`${taken} exists already: take another name, or remove it first`)
  const changed = new Map<string, string>()
  for (const { path, text, at } of insertions) {
    const file = changed.get(path) ?? read(path)
    const place = at(file)
    if (place < 0) throw new Refusal(`${path} has no place for ${JSON.stringify(text)}: add the line by hand`)
    changed.set(path, file.slice(0, place) + text + file.slice(place))
  }
  for (const [path, text] of [...Object.entries(files), ...changed]) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const paths = [...Object.keys(files), ...changed.keys()]
  const biome = join(home, 'node_modules/@biomejs/biome/bin/biome')
  run(process.execPath, [biome, 'check', '--write', '--vcs-enabled=false', ...paths])
  for (const script of scripts) run('npm', ['run', '--silent', script])
  return [
    ...Object.keys(files).map((path) => `wrote    ${path}`),
    ...[...changed.keys()].map((path) => `changed  ${path}`),
    ...scripts.map((script) => `ran      npm run ${script}`),
    'Next:',
    ...next.map((line) => `  ${line}`),
  ].join('\n')
}

const run = (program: string, args: readonly string[]) =>
  execFileSync(program, args, { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] })

const usage = () =>
  [
    'Writes the files of something new, as the pages in docs show them.',
    '',
    ...Object.entries(KINDS).map(([kind, { takes, about }]) => {
      return `  npm run new ${`${kind} NAME ${takes}`.trim().padEnd(22)} ${about}`
    }),
    '',
    `NAME: lower-case words, e.g. word_count. TOOLKIT: ${[...toolkitsIn(read('src/tools/toolkits.ts')).keys()].join(', ')}.`,
    'Of providers and dialects it is one word.',
  ].join('\n')
