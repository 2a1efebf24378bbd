import iconv from 'iconv-lite'
import { expect, it } from 'vitest'
import { sha256 } from '../../../../src/core/sha256.ts'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { bytes, toolbench } from '../../../support/toolbench.ts'

it('tells of a text its encoding, line endings and lines, and of each file its size, time, mode and hash', async () => {
  const { workspace, data } = toolbench(catalog)
  const path = workspacePath('run.sh')
  await workspace.commit([{ op: 'write', path, content: bytes('#!/bin/sh\r\nls\r\n'), mode: 0o755, mtimeMs: 5_000 }])
  expect(await data('file_info', { file_path: 'run.sh' })).toEqual({
    file_path: 'run.sh',
    kind: 'file',
    modified: '1970-01-01T00:00:05',
    mode: '0755',
    mime_type: 'text/x-shellscript',
    encoding: 'ascii',
    line_endings: 'crlf',
    lines: 2,
    size: 15,
    sha256: sha256(bytes('#!/bin/sh\r\nls\r\n')),
  })
})

it.each([
  ['a.txt', iconv.encode('这是中文内容\n第二行', 'gbk'), { encoding: 'GB2312', line_endings: 'lf', lines: 2 }],
  ['a.txt', 'a\r\nb\nc\rd', { line_endings: 'mixed', lines: 4 }],
  ['a.txt', 'one', { line_endings: 'none', lines: 1, mime_type: 'text/plain' }],
  ['a.txt', '{"a": [1]}', { mime_type: 'application/json' }],
  ['a.txt', '<!DOCTYPE html><p>', { mime_type: 'text/html' }],
  ['a.txt', 'BMW and ID3 are words', { mime_type: 'text/plain', encoding: 'ascii' }],
  ['a.txt', '', { mime_type: 'application/x-empty', size: 0, lines: 0 }],
  ['a.txt', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), { mime_type: 'image/png' }],
  ['a.png', '%PDF-1.7\n', { mime_type: 'application/pdf' }],
  ['a.txt', Uint8Array.from([1, 0, 2]), { mime_type: 'application/octet-stream' }],
])('tells what %s is by its content', async (file_path, content, expected) => {
  const { data, put } = toolbench(catalog)
  await put(file_path, content)
  expect(await data('file_info', { file_path })).toMatchObject(expected)
})

it('tells where a link points without following it, how many entries a directory has, and that there is no such file', async () => {
  const { workspace, data, put, failure } = toolbench(catalog)
  await put('d/a.txt', 'x')
  await workspace.commit([{ op: 'link', path: workspacePath('out'), target: '/etc/passwd' }])
  expect(await data('file_info', { file_path: 'out' })).toMatchObject({ kind: 'link', target: '/etc/passwd' })
  expect(await data('file_info', { file_path: 'd' })).toMatchObject({ kind: 'directory', entries: 1 })
  expect(await data('file_info', { file_path: '.' })).toMatchObject({ kind: 'directory', entries: 2 })
  expect((await failure('file_info', { file_path: 'none' })).message).toMatch(/^File not found: none/)
})

it('tells the type of a file that is too large to be read whole', async () => {
  const { data, put } = toolbench(catalog)
  const large = new Uint8Array(21 * 1024 * 1024)
  large.set(bytes('%PDF-1.4'))
  await put('a.bin', large)
  expect(await data('file_info', { file_path: 'a.bin' })).toMatchObject({
    mime_type: 'application/pdf',
    size: large.length,
  })
})

it('tells about several paths, each once, and what is missing among them', async () => {
  const { data, put, failure } = toolbench(catalog)
  for (const name of ['a.txt', 'b.txt']) await put(name, name)
  expect(await data('file_info', { file_paths: ['a.txt', 'b.txt', 'a.txt'] })).toMatchObject({
    files: [
      { file_path: 'a.txt', size: 5 },
      { file_path: 'b.txt', kind: 'file' },
    ],
  })
  expect((await failure('file_info', { file_paths: ['a.txt', 'none'] })).message).toMatch(/^File not found: none/)
  expect((await failure('file_info', {})).message).toBe('missing required parameter: file_path')
  const many = Array.from({ length: 21 }, (_, at) => `${at}`)
  expect((await failure('file_info', { file_paths: many })).code).toBe('limit_exceeded')
})
