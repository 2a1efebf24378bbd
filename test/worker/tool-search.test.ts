import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { assetBytes } from '../../src/adapters/asset.ts'
import { neighbourTable } from '../../src/retrieval/neighbour-table.ts'
import { ToolIndex } from '../../src/retrieval/tool-index.ts'

describe('tool search in workerd', () => {
  it('finds words near in meaning by the table that comes with the Worker', async () => {
    const index = new ToolIndex(await neighbourTable(() => assetBytes(env.ASSETS, 'neighbours.bin'))())
    index.put({ id: 'films', name: 'search_films' })
    index.put({ id: 'weather', name: '天气预报', description: '查询城市的天气' })
    expect(index.search('a movie').map(({ id }) => id)).toEqual(['films'])
    expect(index.search('weather forecast').map(({ id }) => id)).toEqual(['weather'])
  })

  it('says which asset was not uploaded', async () => {
    await expect(async () => await assetBytes(env.ASSETS, 'nothing.bin')).rejects.toThrow(
      'nothing.bin is not there: 404',
    )
  })
})
