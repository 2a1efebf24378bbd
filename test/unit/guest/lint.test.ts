import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const HOME = join(import.meta.dirname, '../../..')
const sources = (pattern: string) => globSync(pattern, { cwd: HOME }).sort()
const PYTHON = [...sources('src/guest/**/*.py'), ...sources('src/sandboxd/agent/py/*.py')]
const BASH = sources('src/guest/**/*.sh')

/** Lines of the longest bash that may be put together of pieces in TypeScript. */
const MAX_LITERAL_LINES = 14

describe('programs for sandboxes', () => {
  it('are all found', () => {
    expect(PYTHON.length).toBeGreaterThan(40)
    expect(BASH.length).toBeGreaterThan(4)
  })

  it('in Python have no undefined or unused name', () => {
    expect(outcome('pyflakes3', PYTHON)).toEqual({ status: 0, text: '' })
  })

  it('in Python compile without a warning, and are ASCII, whatever the locale of a sandbox', () => {
    const compile =
      'import pathlib, sys\nfor name in sys.argv[1:]: compile(pathlib.Path(name).read_text("ascii"), name, "exec")'
    expect(outcome('python3', ['-I', '-W', 'error', '-c', compile, ...PYTHON])).toEqual({ status: 0, text: '' })
  })

  it('in bash have nothing that shellcheck warns of', () => {
    expect(outcome('shellcheck', BASH)).toEqual({ status: 0, text: '' })
  })

  it('have at most 300 lines a file', () => {
    const long = [...PYTHON, ...BASH].filter((name) => read(name).split('\n').length > 301)
    expect(long).toEqual([])
  })

  it('stand in files of their own, and not in literals of TypeScript', () => {
    const long = sources('src/{session,sandboxd,tools}/**/*.ts').flatMap((name) =>
      literals(name).filter(({ lines, text }) => lines > MAX_LITERAL_LINES && !/^\s*(SELECT|CREATE)/.test(text)),
    )
    expect(long).toEqual([])
  })
})

const read = (name: string) => readFileSync(join(HOME, name), 'utf8')

/** A linter that is not there fails: `npm test` installs them (scripts/setup.mjs). */
function outcome(program: string, args: readonly string[]) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: HOME, encoding: 'utf8' })
  return { status, text: error ? String(error) : stdout + stderr }
}

function literals(name: string) {
  const file = ts.createSourceFile(name, read(name), ts.ScriptTarget.Latest)
  const found: { readonly at: string; readonly lines: number; readonly text: string }[] = []
  const visit = (node: ts.Node) => {
    if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      const text = node.getText(file).slice(1, -1)
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      found.push({ at: `${name}:${line + 1}`, lines: text.split('\n').length, text })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
