import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { ToolFinder } from '../../../src/http/tool-finder.ts'
import { Neighbours } from '../../../src/retrieval/neighbours.ts'
import { ToolIndex } from '../../../src/retrieval/tool-index.ts'
import type { FindableTool } from '../../../src/retrieval/tool-terms.ts'

const table = new Neighbours(Uint8Array.from(readFileSync('src/assets/neighbours.bin')).buffer)
const films: FindableTool = { id: 'films', name: 'search_films', description: 'Films by title or year' }
const weather: FindableTool = { id: 'weather', name: 'weather', description: 'The weather of a city' }
const films2: FindableTool = { id: 'films', name: 'search_books', description: 'Books by title or author' }

describe('ToolFinder', () => {
  it('finds what it is given with the question, from that question on and no longer', async () => {
    const finder = new ToolFinder(async () => table)
    expect(await finder.findByWords([weather], 'a film by its title', 5)).toEqual([])
    expect(await finder.findByWords([weather, films], 'a film by its title', 5)).toEqual(['films'])
    expect(await finder.findByWords([weather], 'a film by its title', 5)).toEqual([])
    expect(await finder.findByWords([], 'the weather', 5)).toEqual([])
  })

  it('reads anew a tool that came in the place of another', async () => {
    const finder = new ToolFinder(async () => table)
    expect(await finder.findByWords([films, weather], 'an author of books', 5)).toEqual([])
    expect(await finder.findByWords([films2, weather], 'an author of books', 5)).toEqual(['films'])
    expect(await finder.findByWords([films2, weather], 'films', 5)).toEqual([])
  })

  it('knows words near in meaning, whose table it reads at the first question and then never again', async () => {
    let read = 0
    const finder = new ToolFinder(async () => {
      read++
      return table
    })
    expect(read).toBe(0)
    expect(await finder.findByWords([films, weather], 'a movie', 5)).toEqual(['films'])
    expect(await finder.findByWords([films, weather], 'a movie', 0)).toEqual([])
    expect(read).toBe(1)
  })

  it('answers each of those who ask at once by their own tools', async () => {
    const finder = new ToolFinder(async () => table)
    const answers = [[films], [weather], [films, weather]].map((tools) =>
      finder.findByWords(tools, 'weather and films', 5),
    )
    expect(await Promise.all(answers)).toEqual([['films'], ['weather'], expect.arrayContaining(['films', 'weather'])])
  })

  it('does not read a tool again that is described as before', async () => {
    const finder = new ToolFinder(async () => table)
    const put = vi.spyOn(ToolIndex.prototype, 'put')
    for (let n = 0; n < 3; n++) expect(await finder.findByWords([{ ...films }], 'films', 5)).toEqual(['films'])
    expect(put).toHaveBeenCalledTimes(1)
    put.mockRestore()
  })

  it('answers alike whoever asked before', async () => {
    const finder = new ToolFinder(async () => table)
    const many = Array.from({ length: 60 }, (_, n) => ({ id: `tool-${n}`, name: `city_${n}`, description: 'A city' }))
    const question = 'weather and films of a city'
    const first = await finder.findByWords([films, weather], question, 5)
    for (let n = 0; n < 3; n++) {
      expect(await finder.findByWords([...many, weather], question, 100)).toHaveLength(61)
      expect(await finder.findByWords([films, weather], question, 5)).toEqual(first)
    }
  })
})
