/**
 * Lengths of answers, in characters of their JSON, for calls as models make them: `npm run bench:answers`, against the server
 * at TOOLYARD_BASE_URL or PORT, as `npm start` runs it. Two servers are compared by running it once for each.
 */
import { z } from 'zod'
import { docx, paragraph, pdf } from '../test/support/documents.ts'

const Envelope = z.object({ success: z.boolean(), error: z.string().nullish(), data: z.unknown() })

const url = process.env.TOOLYARD_BASE_URL ?? `http://localhost:${process.env.PORT ?? 8001}`
const headers = {
  'Content-Type': 'application/json',
  ...(process.env.TOOLYARD_API_KEY && { Authorization: `Bearer ${process.env.TOOLYARD_API_KEY}` }),
}
const task = `answer_sizes_${process.pid}`

async function post(path: string, body: object): Promise<string> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.text()
}

async function call(tool_name: string, params: object): Promise<string> {
  const answer = await post('/api/tool/execute', { task_id: task, tool_name, params })
  const { success, error } = Envelope.parse(JSON.parse(answer))
  if (!success) console.error(`${tool_name}: ${error}`)
  return answer
}

const file_write = (file_path: string, content: string) => call('file_write', { file_path, content })
const upload = (file_path: string, bytes: Uint8Array) =>
  call('file_upload', {
    files: [{ filename: file_path, content: Buffer.from(bytes).toString('base64'), is_base64: true }],
  })

const words = 'the quick brown fox jumps over the lazy dog while seven wizards watch from the old stone bridge '
const lines = (count: number) => Array.from({ length: count }, (_, at) => `${at} ${words}\n`).join('')
const page = (number: number) =>
  Array.from({ length: 40 }, (_, at) => ({
    text: `${number}.${at} ${words.slice(0, 70)}`,
    x: 60,
    y: 760 - at * 17,
    size: 11,
  }))

await post(`/api/task/create?task_id=${task}&task_name=Sizes`, {})
for (let at = 0; at < 5; at++) await file_write(`part${at}.txt`, lines(9_700))
await call('execute_shell', {
  workdir: '.',
  command: `cat part?.txt > large.txt; rm part?.txt; tr -d '\\n' < large.txt | head -c 1000000 > one-line.json
mkdir many; cd many; for i in $(seq 2000); do echo $i > file-$i.txt; done`,
})
await file_write('code_run/deep.py', 'def f(n):\n    return f(n + 1)\nprint("x" * 50000)\nf(0)\n')
await file_write('small.txt', lines(200))
await upload('report.pdf', pdf(Array.from({ length: 60 }, (_, at) => page(at + 1))))
await upload('report.docx', docx(Array.from({ length: 1_500 }, (_, at) => paragraph(`${at} ${words}`)).join('')))

const v1 = (tool: string, args: object, more: object = {}) =>
  post(`/v1/sessions/${task}/calls`, { tool, args, ...more })

const rows: readonly (readonly [string, () => Promise<string>])[] = [
  ['file_read, 5 MB of text', () => call('file_read', { file_path: 'large.txt' })],
  ['file_read, one line of 1 MB', () => call('file_read', { file_path: 'one-line.json' })],
  ['file_read, 20 KB', () => call('file_read', { file_path: 'small.txt' })],
  ['parse_document, PDF of 60 pages', () => call('parse_document', { file_path: 'upload/report.pdf' })],
  ['parse_document, docx of 150,000 characters', () => call('parse_document', { file_path: 'upload/report.docx' })],
  ['execute_shell, seq 1 100000', () => call('execute_shell', { command: 'seq 1 100000' })],
  ['execute_shell, output of 40 KB', () => call('execute_shell', { command: 'seq 1 8000' })],
  ['execute_shell, echo', () => call('execute_shell', { command: 'echo hello' })],
  ['execute_code, 50 KB and a traceback', () => call('execute_code', { file_path: 'code_run/deep.py' })],
  ['dir_list, 2,000 entries', () => call('dir_list', { dir_path: 'many' })],
  ['dir_list, all of the task', () => call('dir_list', { recursive: true })],
  ['file_search, a word on every line', () => call('file_search', { file_path: 'large.txt', search_text: 'fox' })],
  [
    'rag_search_abstracts, k = m = 200',
    () => call('rag_search_abstracts', { query: 'language models', k: 200, m: 200 }),
  ],
  ['pip_install, a package with dependencies', () => call('pip_install', { packages: ['requests'] })],
  ['/v1, file_read of 20 KB', () => v1('file_read', { file_path: 'small.txt' })],
  ['/v1, the same as text', () => v1('file_read', { file_path: 'small.txt' }, { answer: 'text' })],
  ['/v1, execute_shell of a script of 2 KB', () => v1('execute_shell', { command: `: ${words.repeat(20)}` })],
]
for (const [name, ask] of rows) {
  const answer = await ask()
  console.log(`| ${name} | ${answer.length.toLocaleString('en')} |`)
}
await fetch(`${url}/api/task/${task}`, { method: 'DELETE', headers })
