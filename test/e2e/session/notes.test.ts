import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

it('what tools note outlives that the session is loaded anew', async () => {
  const search = async () => [{ title: 'T', url: 'http://10.0.0.1/', description: 'D' }]
  const bench = sessionBench(sandboxd, { outside: { search: { search } } })
  dataOf(await bench.call('ppt_create_file', { theme: 'Default', abs_location: 'a.pptx' }))
  dataOf(await bench.call('browser_search', { query: 'x' }))
  bench.evict()
  dataOf(await bench.call('ppt_add_text_page', { title: 'T', bullet_items: 'x' }))
  expect(await bench.call('ppt_submit_file', {})).toMatchObject({ kind: 'done' })
  expect(await bench.call('browser_select', { select_ids: [1] })).toMatchObject({
    kind: 'failed',
    failure: { message: 'there is no result 1; the last search found 0 to 0' },
  })
})

it('has a file that the sandbox changed as the truth, and adds no page to it', async () => {
  const bench = sessionBench(sandboxd)
  dataOf(await bench.call('ppt_create_file', { theme: 'Default', abs_location: 'a.pptx' }))
  await bench.sh('echo changed > a.pptx')
  expect(await bench.call('ppt_add_text_page', { title: 'T', bullet_items: 'x' })).toMatchObject({
    kind: 'failed',
    failure: { code: 'conflict' },
  })
})
