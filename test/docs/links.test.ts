import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { VARIABLE_NAMES } from '../../src/config.ts'
import { catalog } from '../../src/tools/catalog.ts'
import { DOCUMENTS, textOf } from './documents.ts'

/** Of .dependency-cruiser.cjs: what is looked at here. */
interface Rule {
  readonly name: string
  readonly from: { readonly path?: string; readonly pathNot?: string }
  readonly to: { readonly path?: string; readonly pathNot?: string }
}

const RULES = (createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as { forbidden: Rule[] }).forbidden

/** Folders of `src`, and those that each may import. */
const LAYERS = RULES.flatMap(({ name, to }) => {
  const [, layer] = /^(\w+)-stays-in-its-layer$/.exec(name) ?? []
  const [, open = ''] = /^\^src\/\((.*)\)\/$/.exec(to.pathNot ?? '') ?? []
  return layer === undefined ? [] : [{ layer, imports: open.split('|').filter((other) => other !== layer) }]
})

/** Files that pages invent to show how one is added. */
const INVENTED = [
  'src/tools/files/word-count.ts',
  'src/http/dialects/v1/words/word-counts.ts',
  'src/session/toolbox/word-tools.ts',
  'src/http/dialects/ping/codec.ts',
  'src/http/dialects/ping/routes.ts',
  'test/unit/http/ping/routes.test.ts',
  'test/dialects/ping/requirements.ts',
  'test/dialects/ping/ping.test.ts',
  'src/adapters/search-example.ts',
]

// Without what servers leave here: pages name files of theirs, which are there or not.
const TOP = readdirSync('.').filter((name) => !/^(\.git|\.toolyard$|\.wrangler$|node_modules$|dist$)/.test(name))
const BELOW_SRC = readdirSync('src')

describe.each(DOCUMENTS)('%s', (document) => {
  const text = textOf(document)
  const prose = text.replaceAll(/^```.*?^```$/gms, '')
  const code = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, inside = '']) => inside)

  it('links to what is there', () => {
    const broken = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target) && !leadsSomewhere(document, target))
    expect(broken).toEqual([])
  })

  it('has no lines of an unfinished merge', () => {
    expect(text.match(/^(?:<{7} |={7}$|>{7} ).*/gm)).toBeNull()
  })

  it('names files that are there', () => {
    const missing = code.filter((path) => looksLikeFile(path) && !INVENTED.includes(path) && !isThere(document, path))
    expect(missing).toEqual([])
  })

  it('names npm scripts that are there', () => {
    const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
    expect(scripts.filter((name) => !(name in packageJson.scripts))).toEqual([])
  })

  it('names constants and variables that are in the code', () => {
    const names = code.flatMap((inside) => inside.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? [])
    expect([...new Set(names)].filter((name) => !isInCode(name))).toEqual([])
  })
})

it('the page of the Tool Server lists the tools that there are, in their order', () => {
  const list = /^Tools: (.*?)\.\n\n/ms.exec(textOf('docs/dialects/toolserver.md'))?.[1] ?? ''
  expect([...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(catalog.list().map(({ name }) => name))
})

it('has an entry in the index for each decision', () => {
  const pages = readdirSync('docs/decisions').filter((name) => /^\d/.test(name))
  const index = textOf('docs/decisions/README.md')
  expect(pages.filter((page) => !index.includes(`(${page})`))).toEqual([])
})

it('every npm script is on a page', () => {
  const all = DOCUMENTS.map(textOf).join()
  const named = (script: string) => new RegExp(`npm (run )?${script}\\b|\`${script}\``).test(all)
  expect(Object.keys(packageJson.scripts).filter((script) => !named(script))).toEqual([])
})

it('the architecture says of each layer what dependency-cruiser lets it import', () => {
  const names = LAYERS.map(({ layer }) => layer)
  const rows = [...textOf('docs/architecture.md').matchAll(/^\| `(\w+)` \| (.*?) \|/gm)]
  const documented = new Map(rows.map(([, layer, imports = '']) => [layer, new Set(imports.match(/[a-z]+/g))]))
  for (const { layer, imports } of LAYERS) {
    expect([layer, names.filter((name) => documented.get(layer)?.has(name)).sort()]).toEqual([layer, imports.sort()])
  }
})

it('the picture of the architecture shows what dependency-cruiser lets each layer import', () => {
  const picture = /^```mermaid\n(.*?)^```$/ms.exec(textOf('docs/architecture.md'))?.[1] ?? ''
  const arrows = [...picture.matchAll(/^ {2}(\w+) (-->|-\.->) (\w+)$/gm)].map(([, ...arrow]) => arrow.join(' '))
  const allowed = LAYERS.flatMap(({ layer, imports }) =>
    imports
      .filter((other) => !['core', 'ports'].includes(other))
      .map((other) => `${layer} ${isWhollyOpen(layer, other) ? '-->' : '-.->'} ${other}`),
  )
  expect(arrows.sort()).toEqual(allowed.sort())
  const coloured = (colour: string) =>
    new RegExp(`^ {2}class (\\S+) ${colour}$`, 'm').exec(picture)?.[1]?.split(',').sort()
  const mayImport = (other: string) => LAYERS.filter(({ imports }) => imports.includes(other)).map(({ layer }) => layer)
  const outside = mayImport('ports')
  expect(coloured('outside')).toEqual(outside.sort())
  expect(coloured('words')).toEqual(
    mayImport('core')
      .filter((layer) => !outside.includes(layer))
      .sort(),
  )
})

/** Whether a layer may import any file of another one, and not only its interface. */
function isWhollyOpen(layer: string, other: string): boolean {
  const [from, to] = [`src/${layer}/any.ts`, `src/${other}/any.ts`]
  const fits = ({ path = '', pathNot }: Rule['to'], file: string) =>
    new RegExp(path).test(file) && !(pathNot !== undefined && new RegExp(pathNot).test(file))
  return !RULES.some((rule) => 'path' in rule.to && fits(rule.from, from) && fits(rule.to, to))
}

function leadsSomewhere(document: string, target: string): boolean {
  const [file = '', heading] = target.split('#')
  const path = file === '' ? document : join(dirname(document), file)
  if (!existsSync(path)) return false
  return heading === undefined || headingsOf(path).includes(heading)
}

const headingsOf = (path: string) =>
  [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

/** A path from the root of the repository or, as some tables have it, from `src`; without placeholders in it. */
function looksLikeFile(text: string): boolean {
  if (!/^[\w.-]+(\/[\w.-]+)+\/?$/.test(text)) return false
  const [first = ''] = text.split('/')
  return TOP.includes(first) || BELOW_SRC.includes(first)
}

const isThere = (document: string, path: string) =>
  [path, join('src', path), join(dirname(document), path)].some((place) => existsSync(normalize(place)))

function isInCode(name: string): boolean {
  // A choice such as SEARCH_PROVIDER is put together from the name of its port.
  if (VARIABLE_NAMES.includes(name)) return true
  try {
    execFileSync('grep', ['-rqw', name, 'src', 'scripts', 'wrangler.toml'])
    return true
  } catch {
    // SANDBOXD_X is read as `SANDBOXD_${name}`, with X in the code.
    return name.startsWith('SANDBOXD_') && isInCode(name.slice('SANDBOXD_'.length))
  }
}
