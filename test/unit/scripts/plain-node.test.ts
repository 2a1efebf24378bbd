import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { scripts } from '../../../package.json' with { type: 'json' }

const FLAG = '--experimental-import-text'

/** Programs that a script starts by Node alone, which knows no import of a text. */
const programs = Object.values(scripts)
  .flatMap((command) => command.split('&&'))
  .filter((command) => /\bnode /.test(command) && !command.includes(FLAG))
  .flatMap((command) => command.split(' ').filter((word) => /\.(?:ts|mjs)$/.test(word)))

/** Files that a program imports when it starts, at any depth, with the file that imports each. */
function importedBy(program: string): Map<string, string> {
  const importers = new Map([[program, '']])
  for (const file of importers.keys()) {
    if (!/\.(?:ts|mjs)$/.test(file)) continue
    for (const specifier of importsOf(readFileSync(file, 'utf8'))) {
      const path = join(dirname(file), specifier)
      if (existsSync(path) && !importers.has(path)) importers.set(path, file)
    }
  }
  return importers
}

/** Relative imports of a module that are made when it is loaded: not those of types alone. */
const importsOf = (source: string) =>
  [...source.matchAll(/^(?:import|export)(?! type\b)(?:[^'"]*?\bfrom)?\s*['"](\.\.?\/[^'"]+)['"]/gm)].map(
    ([, specifier = '']) => specifier,
  )

it.each(programs)('%s imports nothing that plain Node cannot load', (program) => {
  const texts = [...importedBy(program)].filter(([file]) => !/\.(?:ts|mjs|json)$/.test(file))
  expect(texts).toEqual([])
})

it('is asked of the programs that run for long, and sees what the Worker imports', () => {
  expect(programs).toEqual(expect.arrayContaining(['bench/main.ts', 'drill/main.ts', 'scripts/start.mjs']))
  expect([...importedBy('src/objects.ts').keys()]).toContainEqual(expect.stringMatching(/^src\/guest\/.*\.sh$/))
})
