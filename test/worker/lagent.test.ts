import { expect, it } from 'vitest'
import { z } from 'zod'
import { tool, toolApi } from '../../src/lagent/index.ts'

it('drops from results what GBK has not, by the tables of this runtime', async () => {
  const parameters = z.object({ text: z.string() })
  const Echo = tool(toolApi({ name: 'Echo', parameters }, ({ text }) => text))
  const plane = Array.from({ length: 0x10000 - 0x80 }, (_, at) => String.fromCharCode(0x80 + at)).join('')
  expect((await new Echo().call({ text: plane })).formatResult()).toHaveLength(21_791)
  expect((await new Echo().call({ text: '中文 é ж ї € 😀 end' })).formatResult()).toBe('中文 é ж    end')
})
