import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { routesOf } from '../../../../src/http/operations/route.ts'
import { openV1 } from '../v1/open.ts'
import { addWordCounts } from './word-counts.ts'

it('the route that the page about routes shows counts words, and refuses an unknown field and a key without the scope', async () => {
  const { app, inTenant } = openV1()
  addWordCounts(app)
  const post = async (body: object, scopes: readonly 'read'[]) => {
    const request = new Request('http://localhost/v1/word-counts', { method: 'POST', body: JSON.stringify(body) })
    const response = await app.fetch(request, inTenant('acme', scopes))
    return [response.status, await response.json()]
  }
  expect(await post({ text: ' two\nwords ' }, ['read'])).toEqual([200, { words: 2 }])
  expect(await post({ text: '', txet: '' }, ['read'])).toMatchObject([400, { detail: expect.stringContaining('txet') }])
  expect(await post({ text: '' }, [])).toMatchObject([403, { code: 'forbidden' }])
  expect(routesOf(app).map(({ operation }) => operation.id)).toContain('countWords')
})

it('the page about routes shows that route', async () => {
  const page = await readFile('docs/adding-a-route.md', 'utf8')
  const code = await readFile('test/unit/http/operations/word-counts.ts', 'utf8')
  expect(page).toContain(`\`\`\`ts\n${code.replaceAll('../../../../src/http/', '../../../')}\`\`\``)
})
