import { describe, expect, it } from 'vitest'
import { readForm } from '../../../src/http/form.ts'
import { failureOf } from '../../support/failure-of.ts'
import { costOf, expectCost } from '../../support/processor-time.ts'

const disposition = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n`
const multipart = (parts: readonly string[], boundary = 'b') =>
  `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
const request = (body: BodyInit, type = 'multipart/form-data; boundary=b') =>
  new Request('http://localhost/', { method: 'POST', body, headers: { 'Content-Type': type } })

describe('a form', () => {
  it('is read as clients send it, also with what looks like its boundary in a file', async () => {
    const sent = new FormData()
    sent.append('title', 'x')
    sent.append('file', new File(['--b\r\n'.repeat(1_000)], 'a.tex'))
    const form = await readForm(new Request('http://localhost/', { method: 'POST', body: sent }))
    expect([form?.fields, form?.file?.name, form?.file?.bytes.length]).toEqual([[['title', 'x']], 'a.tex', 5_000])
    const type = 'multipart/form-data; charset=utf-8; boundary="x y"'
    const quoted = await readForm(request(multipart([`${disposition('a')}1`], 'x y'), type))
    expect(quoted?.fields).toEqual([['a', '1']])
  })

  it.each([
    ['empty', multipart([])],
    ['of empty parts', multipart([disposition(''), disposition('a'), disposition('file', '; filename=""')])],
    ['with text before and after', `hello\r\n${multipart([`${disposition('a')}1`])}and more --b`],
    ['of lines', multipart([`${disposition('a')}\r\n\r\n-c\r\n`])],
    ['of other headers', multipart([`Content-Type: text/x\r\n${disposition('file', '; filename="ä.tex"')}ü\0`])],
    [
      'of names in quotes',
      multipart([`${disposition('a%22b')}1`, `${disposition('file', '; filename="x%0D%0Ay; name=z"')}1`]),
    ],
    [
      'twice of one name',
      multipart([`${disposition('a')}1`, `${disposition('a')}2`, `${disposition('file', '; filename=x')}f`]),
    ],
  ])('that is %s is read as the platform reads it', async (_, body) => {
    const form = await readForm(request(body))
    const platform = await new Response(body, {
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    }).formData()
    const all = [...platform]
    expect(form?.fields).toEqual(all.filter(([, value]) => typeof value === 'string'))
    const file = platform.get('file')
    if (file instanceof File) {
      expect([form?.file?.name, form?.file?.bytes]).toEqual([file.name, new Uint8Array(await file.arrayBuffer())])
    } else expect(form?.file).toBeNull()
  })

  it.each([
    ['another type', request('a=b', 'application/x-www-form-urlencoded')],
    ['no boundary', request(multipart([`${disposition('a')}1`]), 'multipart/form-data')],
    ['another boundary', request(multipart([`${disposition('a')}1`]), 'multipart/form-data; boundary=c')],
    ['no names', request(multipart(['X: y\r\n\r\nz']))],
    ['half a part', request('--b\r\nContent-Disposition: form-data; name="a"')],
  ])('is none with %s', async (_, sent) => {
    expect(await readForm(sent)).toBeNull()
  })

  it.each([
    ['a hundred thousand parts', multipart(Array(100_000).fill(`${disposition('a')}x`)), 'MAX_FORM_PARTS'],
    [
      'a name of five million characters',
      multipart([`${disposition('a'.repeat(5_000_000))}x`]),
      'MAX_FORM_PART_HEADER_BYTES',
    ],
    ['a header that never ends', `--b\r\n${'X: y\r\n'.repeat(1_000_000)}`, 'MAX_FORM_PART_HEADER_BYTES'],
  ])('of %s is refused in a few times the time that a file as large is read in', async (_, body, limit) => {
    const usual = request(multipart([`${disposition('file', '; filename="a"')}${'x'.repeat(body.length)}`]))
    const refused = request(body)
    const { code, message } = await expectCost(() => failureOf(readForm(refused.clone()), 'the form'), {
      below: async () => 10 * ((await costOf(() => readForm(usual.clone()))) + 20),
    })
    expect([code, message]).toEqual(['limit_exceeded', expect.stringContaining(limit)])
  })
})
