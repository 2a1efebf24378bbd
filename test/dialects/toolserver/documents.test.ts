import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { docx, paragraph, pdf, pptx, shape } from '../../support/documents.ts'
import { COMMANDS } from './published-commands.ts'
import { aToolServer, type Task, verifies } from './support.ts'

const server = aToolServer()

const upload = (task: Task, filename: string, bytes: Uint8Array) =>
  task.done('file_upload', { files: [{ filename, content: Buffer.from(bytes).toString('base64'), is_base64: true }] })

verifies('toolserver:parse_document:pdf', async () => {
  const task = await server.task()
  const page = (text: string) => [
    { x: 72, y: 700, text: 'A Heading', size: 20 },
    { x: 72, y: 660, text },
  ]
  await upload(task, 'paper.pdf', pdf([page('The first page says something.'), page('The second page says more.')]))
  const content =
    '<!-- page 1 -->\n\n# A Heading\n\nThe first page says something.\n\n<!-- page 2 -->\n\n# A Heading\n\nThe second page says more.'
  expect(await task.done('parse_document', { file_path: 'upload/paper.pdf' })).toEqual({
    content,
    metadata: { file_type: '.pdf', pages: 2, title: 'The title' },
    file_path: 'upload/paper.pdf',
    char_count: content.length,
    word_count: 24,
  })
  expect(await task.done('parse_document', { file_path: 'upload/paper.pdf', pages: '2' })).toMatchObject({
    content: '<!-- page 2 -->\n\n# A Heading\n\nThe second page says more.',
  })
})

verifies('toolserver:parse_document:office', async () => {
  const task = await server.task()
  await upload(task, 'a.docx', docx(`${paragraph('One', '<w:pStyle w:val="H1"/>')}${paragraph('text')}`))
  await upload(task, 'a.pptx', pptx([shape('title', ['First'])]))
  expect(await task.done('parse_document', { file_path: 'upload/a.docx' })).toMatchObject({
    content: '# One\n\ntext',
    metadata: { file_type: '.docx', paragraphs: 2 },
  })
  expect(await task.done('parse_document', { file_path: 'upload/a.pptx' })).toMatchObject({
    content: '<!-- slide 1 -->\n\n# First',
    metadata: { file_type: '.pptx', slides: 1 },
  })
})

verifies('toolserver:parse_document:markdown', async () => {
  const task = await server.task()
  await task.write('notes.md', '# 标题\n\ntext\n')
  expect(await task.done('parse_document', { file_path: 'notes.md' })).toMatchObject({
    content: '# 标题\n\ntext\n',
    metadata: { file_type: '.md', lines: 3 },
  })
})

verifies('toolserver:parse_document:errors', async () => {
  const task = await server.task()
  await task.write('a.py', 'x')
  await task.write('a.pdf', 'no pdf')
  expect(await task.failure('parse_document', { file_path: 'none.pdf' })).toMatch(/^File not found: none\.pdf/)
  expect(await task.failure('parse_document', { file_path: 'a.py' })).toMatch(/^Unsupported file type: \.py/)
  expect(await task.failure('parse_document', { file_path: 'a.pdf' })).toMatch(/^Failed to parse \.pdf file: /)
})

verifies('toolserver:parse_document:published', async () => {
  const task = await server.task()
  await upload(task, 'document.pdf', pdf([[{ x: 72, y: 700, text: 'Hello' }]]))
  const command = COMMANDS.parse_document.replace('http://localhost:8001', server.url()).replace('my_task', task.id)
  const { stdout } = await promisify(execFile)('bash', ['-c', command])
  expect(JSON.parse(stdout)).toMatchObject({
    success: true,
    data: {
      content: '<!-- page 1 -->\n\nHello',
      metadata: { file_type: '.pdf', pages: 1 },
      file_path: 'upload/document.pdf',
    },
    tool_name: 'parse_document',
  })
})

verifies('toolserver:parse_document:converted', async () => {
  const task = await server.task()
  await task.write('old.rtf', '{\\rtf1\\ansi Hello from an old program}')
  expect(await task.done('parse_document', { file_path: 'old.rtf' })).toMatchObject({
    content: expect.stringContaining('Hello from an old program'),
    metadata: { file_type: '.rtf' },
  })
  const listed = await task.done('dir_list', { dir_path: '' })
  expect(JSON.stringify(listed)).not.toContain('.parse_document')
})

verifies('toolserver:infiagent:saved', async () => {
  const task = await server.task()
  await upload(task, 'a.docx', docx(paragraph('Some words')))
  const save_path = 'temp/parse_document/a.txt'
  const parsed = await task.done('parse_document', { path: 'upload/a.docx', save_path })
  expect(parsed).toMatchObject({ file_path: 'upload/a.docx', save_path, char_count: 10 })
  expect(parsed).not.toHaveProperty('content')
  expect(await task.read(save_path)).toBe('Some words')
})
