import { expect, it } from 'vitest'
import { firstTriesPage } from '../../dialects/first-tries/page.ts'

it('docs/first-tries.md has the tasks that are asked of a running server', async () => {
  await expect(firstTriesPage()).toMatchFileSnapshot('../../../docs/first-tries.md')
})
