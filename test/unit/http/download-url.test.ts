import { expect, it } from 'vitest'
import { downloadSplits } from '../../../src/http/dialects/toolserver/paths.ts'
import { withDownloads } from '../../../src/http/download-url.ts'

it.each([
  ['t1', 'upload/pdf/main.pdf', '/api/download/t1/upload/pdf/main.pdf'],
  ['/home/me/a task', 'ü #1?.pdf', '/api/download/%2Fhome%2Fme%2Fa%20task/%C3%BC%20%231%3F.pdf'],
])('a PDF has an address that leads to it: task %j, file %j', (task, pdf_file, url) => {
  const { download_url } = withDownloads({ pdf_file }, 'tex2pdf_convert', task)
  expect(download_url).toBe(url)
  const [first] = downloadSplits(new URL(url, 'http://localhost').pathname)
  expect(first).toEqual({ id: task, path: pdf_file })
})

it('pictures and documents that a run made have one each, and what a person would not open has none', () => {
  const files_changed = [
    { path: 'code_run/plot.PNG', change: 'created', size: 1 },
    { path: 'code_run/data.pkl', change: 'created', size: 1 },
    { path: 'code_run/old.pdf', change: 'deleted' },
  ]
  expect(withDownloads({ exit_code: 0, files_changed }, 'execute_code', 't').files_changed).toEqual([
    { ...files_changed[0], download_url: '/api/download/t/code_run/plot.PNG' },
    files_changed[1],
    files_changed[2],
  ])
  expect(withDownloads({ content: 'x', file_path: 'a.pdf' }, 'file_read', 't')).not.toHaveProperty('download_url')
})
