import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { Registry } from '../../../src/tools/registry.ts'
import { TOOLKITS } from '../../../src/tools/toolkits.ts'
import { toolbench } from '../../support/toolbench.ts'
import { wordCount } from './word-count.ts'

it('the tool that the page about tools shows works, and its test, once it stands in a toolkit', async () => {
  const withOneMore = TOOLKITS.map((kit) => (kit.name === 'files' ? { ...kit, tools: [...kit.tools, wordCount] } : kit))
  const { data, failure, put } = toolbench(new Registry(withOneMore, []))
  await put('notes.md', '  one\n two ')
  expect(await data('word_count', { file_path: 'notes.md' })).toEqual({ file_path: 'notes.md', words: 2 })
  expect(await failure('word_count', { file_path: 'absent.md' })).toMatchObject({ code: 'not_found' })
})

it('the page about tools shows that tool', async () => {
  const page = await readFile('docs/adding-a-tool.md', 'utf8')
  const code = await readFile('test/unit/tools/word-count.ts', 'utf8')
  const inItsPlace = code.replaceAll('../../../src/tools/', '../').replaceAll('../../../src/', '../../')
  expect(page).toContain(`\`\`\`ts\n${inItsPlace}\`\`\``)
})
