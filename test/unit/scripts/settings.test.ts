import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { writtenFiles } from '../../../scripts/settings/written-files.ts'
import { PROVIDERS } from '../../../src/adapters/providers.ts'

it.each(writtenFiles())(
  '$path has the settings that the server reads; else run: npm run settings',
  ({ path, text }) => {
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)

it('names no two providers of a port alike', () => {
  const names = PROVIDERS.map(({ port, name }) => `${port} ${name}`)
  expect(names).toEqual([...new Set(names)])
})

it('needs no variable that it does not read, and reads a variable that another reads by the same schema', () => {
  const schemas = new Map<string, unknown>()
  for (const { name, settings, needs } of PROVIDERS) {
    expect([name, Object.keys(settings)]).toEqual([name, expect.arrayContaining([...needs])])
    for (const [variable, schema] of Object.entries(settings)) {
      expect((schemas.get(variable) ?? schema) === schema, variable).toBe(true)
      schemas.set(variable, schema)
    }
  }
})
