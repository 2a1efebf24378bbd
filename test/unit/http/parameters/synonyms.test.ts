import { describe, expect, it } from 'vitest'
import { SYNONYMS, SYNONYMS_OF_TOOLS, WITHOUT_EFFECT } from '../../../../src/http/parameters/synonyms.ts'
import { ToolParameters } from '../../../../src/http/parameters/tool-parameters.ts'
import { catalog } from '../../../../src/tools/catalog.ts'

const tools = [...catalog.list(), ...catalog.toolkits().flatMap(({ tools }) => tools)]
const argumentsOf = ({ inputSchema }: (typeof tools)[number]) => Object.keys(Object(inputSchema.properties))
/** Tools of infiAgent that are made of calls of others. */
const OF_INFIAGENT = ['grep']

describe('the table of synonyms', () => {
  it('has no row of an argument that no tool has', () => {
    const known = new Set(tools.flatMap(argumentsOf))
    expect(Object.keys(SYNONYMS).filter((name) => !known.has(name))).toEqual([])
  })

  it.each(Object.entries(SYNONYMS_OF_TOOLS))('has for %s arguments that it has', (name, rows) => {
    const found = tools.find((tool) => tool.name === name)
    if (OF_INFIAGENT.includes(name)) return expect(found).toBeUndefined()
    expect(found && argumentsOf(found)).toEqual(expect.arrayContaining(Object.keys(rows)))
  })

  it.each(Object.keys(WITHOUT_EFFECT).filter((name) => name !== '*'))(
    '%s, which takes more than it reads, is a tool',
    (name) => {
      expect(tools.map((tool) => tool.name)).toContain(name)
    },
  )

  it.each(tools)('leads $name from a word that is none of its arguments to one that is', (tool) => {
    const known = argumentsOf(tool)
    const { synonyms } = new ToolParameters(tool)
    expect([...synonyms.values()].filter((argument) => !known.includes(argument))).toEqual([])
    for (const argument of known) expect(synonyms.get(argument.replaceAll('_', ''))).toBe(argument)
  })

  it.each(tools)('leaves no word of $name to two of its arguments', (tool) => {
    const { synonyms } = new ToolParameters(tool)
    const lost = argumentsOf(tool).flatMap((argument) =>
      (SYNONYMS_OF_TOOLS[tool.name]?.[argument] ?? SYNONYMS[argument] ?? '')
        .split(' ')
        .filter((word) => word !== '' && !synonyms.has(word.replaceAll('_', ''))),
    )
    expect(lost).toEqual([])
  })
})
