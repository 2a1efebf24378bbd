import { unzipSync, zipSync } from 'fflate'
import { describe, expect, it, vi } from 'vitest'
import { catalog } from '../../../../src/tools/catalog.ts'
import { compoundFile, docx, epub, paragraph, pdf, relations, xls, xlsx, zip } from '../../../support/documents.ts'
import { expectCost, plainPassMs } from '../../../support/processor-time.ts'
import { toolbench } from '../../../support/toolbench.ts'

/** However a document is built, the answer comes soon: in so many times the time of a plain pass over a megabyte of text. */
const SOON_PASSES = 200
const MEGABYTE = 1024 * 1024
const SOON = { below: () => SOON_PASSES * plainPassMs(MEGABYTE) }
// Making a bomb may take longer than finding it out.
vi.setConfig({ testTimeout: 60_000 })

async function failure(name: string, content: string | Uint8Array): Promise<string> {
  const { failure: failed, put } = toolbench(catalog)
  await put(name, content)
  const { message, code } = await expectCost(() => failed('parse_document', { file_path: name }), SOON)
  expect(code).not.toBe('internal')
  return message
}

async function content(name: string, file: string | Uint8Array): Promise<string> {
  const { data, put } = toolbench(catalog)
  await put(name, file)
  const parsed = await expectCost(() => data('parse_document', { file_path: name }), SOON)
  return String(parsed.content)
}

const OOXML = ['a.docx', 'a.pptx', 'a.xlsx', 'a.epub']

describe('broken documents', () => {
  it.each([...OOXML, 'a.pdf'])('are said to be broken: %s', async (name) => {
    expect(await failure(name, 'this is no such file')).toMatch(/^Failed to parse \.\w+ file: it is damaged or not/)
    expect(await failure(name, crypto.getRandomValues(new Uint8Array(5000)))).toMatch(/^Failed to parse/)
  })
  it.each(OOXML)('are said to be something else when they are another zip: %s', async (name) => {
    expect(await failure(name, zip({ 'a.txt': 'x' }))).toMatch(/^Failed to parse \.\w+ file: it is not an? /)
  })
  it('may end anywhere', async () => {
    const whole = docx(paragraph('text '.repeat(500)))
    for (const share of [0.2, 0.5, 0.9, 0.99]) {
      expect(await failure('a.docx', whole.subarray(0, whole.length * share))).toMatch(/^Failed to parse/)
    }
    const page = pdf([[{ x: 10, y: 10, text: 'text' }]])
    expect(await failure('a.pdf', page.subarray(0, 60))).toMatch(/^Failed to parse/)
  })
  it('may be old binary files, damaged anywhere', async () => {
    const whole = xls()
    expect(await failure('a.xls', 'no workbook')).toMatch(/damaged/)
    expect(await failure('a.docx', whole)).toMatch(/older binary format/)
    for (let at = 0; at < whole.length; at += 61) {
      const { data, put } = toolbench(catalog)
      const broken = whole.slice()
      broken.fill(0xff, at, at + 8)
      await put('a.xls', broken)
      const ended = await data('parse_document', { file_path: 'a.xls' }).catch((thrown) => String(thrown))
      expect(typeof ended === 'string' ? ended : 'read').toMatch(/^read|Failed to parse/)
    }
  })
  it('may hold XML that ends in the middle', async () => {
    expect(await failure('a.docx', docx('', { 'word/document.xml': '<w:document><w:body><w:p><w:r>' }))).toMatch(
      /ends in the middle/,
    )
  })
  it('may have a notebook that is no notebook', async () => {
    expect(await failure('a.ipynb', '{"cells": 1}')).toMatch(/not a Jupyter notebook/)
    expect(await failure('a.ipynb', '{"cells": [')).toMatch(/JSON is damaged/)
    expect(await failure('a.csv', new Uint8Array([0, 1, 2, 3]))).toMatch(/not text/)
  })
})

describe('protected documents', () => {
  it('are said to be protected when Office encrypted them', async () => {
    const bytes = compoundFile({ EncryptedPackage: new Uint8Array(100) })
    expect(await failure('a.xls', bytes)).toMatch(/protected by a password/)
    expect(await failure('a.docx', bytes)).toMatch(/protected by a password/)
  })
  it('are said to be protected when their zip is', async () => {
    const bytes = docx(paragraph('x'))
    // Sets the bit that says "encrypted" of every entry in the directory.
    for (let at = 0; at < bytes.length - 4; at++) {
      if (bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 1 && bytes[at + 3] === 2) bytes[at + 8] = 1
    }
    expect(await failure('a.docx', bytes)).toMatch(/protected by a password/)
  })
  it('are said to be protected when a PDF wants a password', async () => {
    const text = new TextDecoder().decode(pdf([[{ x: 10, y: 10, text: 'x' }]]))
    const key = 'a'.repeat(64)
    const locked = text.replace(
      '/Info 4 0 R',
      `/Info 4 0 R /ID [<${'0'.repeat(32)}> <${'0'.repeat(32)}>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`,
    )
    expect(await failure('a.pdf', new TextEncoder().encode(locked))).toMatch(/protected by a password/)
  })
  it('are said to be encrypted when a book is', async () => {
    const files = unzipSync(epub(['<p>x</p>']))
    const encryption =
      '<encryption><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="OPS/c%200.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>'
    const locked = zipSync({ ...files, 'META-INF/encryption.xml': new TextEncoder().encode(encryption) })
    expect(await failure('a.epub', locked)).toMatch(/encrypted/)
  })
})

describe('bombs', () => {
  it('that unpack to more than a part may have are stopped while they unpack', async () => {
    const bomb = new Uint8Array(60 * MEGABYTE).fill(32)
    expect(await failure('a.docx', zip({ ...contents(docx('')), 'word/document.xml': bomb }))).toMatch(
      /unpacks to more than 48 MB/,
    )
  })
  it('that declare a small size are measured, not believed', async () => {
    const bytes = zip({ ...contents(docx('')), 'word/document.xml': new Uint8Array(60 * MEGABYTE).fill(32) })
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = 0; at < bytes.length - 30; at++)
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 10, true)
    expect(await failure('a.docx', bytes)).toMatch(/unpacks to more than 48 MB/)
  })
  it('of many parts are stopped by their sum, none of which has too much', async () => {
    const parts = ['styles', 'numbering', 'comments'].map((name): [string, string] => [
      `word/${name}.xml`,
      `<w:${name}>${' '.repeat(40 * MEGABYTE)}</w:${name}>`,
    ])
    const bomb = zip({ ...contents(docx(paragraph('text'))), ...Object.fromEntries(parts) })
    expect(await failure('a.docx', bomb)).toMatch(/it unpacks to more than 96 MB/)
  })
  it('of XML entities are refused, and so are external ones', async () => {
    for (const declared of [
      '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">',
      '<!ENTITY a SYSTEM "file:///etc/passwd">',
    ]) {
      const xml = `<?xml version="1.0"?><!DOCTYPE w [${declared}]><w:document><w:body>${paragraph('&b;&a;')}</w:body></w:document>`
      expect(await failure('a.docx', docx('', { 'word/document.xml': xml }))).toMatch(/declares entities/)
      expect(
        await failure(
          'a.xlsx',
          zip({ ...contents(xlsx({ A: '' })), 'xl/sharedStrings.xml': xml.replaceAll('w:body', 'sst') }),
        ),
      ).toMatch(/declares entities/)
    }
  })
  it('of nesting are refused, or read as far as it goes', async () => {
    const deep = `${'<w:ins>'.repeat(50_000)}${'</w:ins>'.repeat(50_000)}`
    expect(await failure('a.docx', docx(deep))).toMatch(/nested deeper than 200/)
    expect(await content('a.html', `${'<div>'.repeat(20_000)}deep text${'</div>'.repeat(20_000)}`)).toContain(
      'deep text',
    )
  })
  it('of entries are refused', async () => {
    const files = Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`f${at}`, '']))
    expect(await failure('a.epub', zip(files))).toMatch(/more than 20000 files/)
  })
})

describe('documents that point elsewhere', () => {
  it('get nothing from outside of themselves', async () => {
    const files = {
      'word/_rels/document.xml.rels': relations([{ id: 's', type: 'styles', target: '../../../../etc/passwd' }]),
    }
    expect(await content('a.docx', docx(paragraph('text'), files))).toBe('text')
    const names = { ...contents(docx(paragraph('text'))), '../../evil.txt': 'x', '/etc/evil': 'x' }
    expect(await content('a.docx', zip(names))).toBe('text')
  })
  it('show where a linked picture is, and read nothing from there', async () => {
    const image = (target: string) =>
      docx(
        '<w:p><w:r><w:drawing><wp:inline><wp:docPr descr="A picture"/><a:blip r:link="l"/></wp:inline></w:drawing></w:r></w:p>',
        {
          'word/_rels/document.xml.rels': relations([{ id: 'l', type: 'image', target, external: true }]),
        },
      )
    expect(await content('a.docx', image('file:///etc/passwd'))).toBe('![A picture](linked image)')
    expect(await content('a.docx', image('https://example.com/a.png'))).toBe('![A picture](https://example.com/a.png)')
  })
})

describe('text made to be slow', () => {
  it.each([
    ['a.md', ' '.repeat(2 * MEGABYTE)],
    ['a.csv', `${'"'.repeat(MEGABYTE)}`],
    ['a.csv', `a${','.repeat(200_000)}`],
    ['a.html', `<p>${' '.repeat(MEGABYTE)}x`],
    ['a.html', `<a href="${'('.repeat(MEGABYTE)}">${'\n'.repeat(MEGABYTE)}x</a>`],
    ['a.html', '<'.repeat(200_000)],
    ['a.html', `<ul>${'<li>x'.repeat(50_000)}`],
    ['a.html', `<table>${'<tr><td colspan=100 rowspan=65000>x'.repeat(2_000)}`],
  ])('is read soon: %s', async (name, text) => {
    expect((await content(name, text)).length).toBeGreaterThanOrEqual(0)
  })
  it('is read soon when it is a PDF of 10,000 pages', async () => {
    const { data, put } = toolbench(catalog)
    await put(
      'a.pdf',
      pdf(Array.from({ length: 10_000 }, (_, at) => [{ x: 72, y: 500, text: `This is page ${at + 1}` }])),
    )
    expect(await data('parse_document', { file_path: 'a.pdf', pages: '9999-' })).toMatchObject({
      metadata: { pages: 10_000 },
      content: '<!-- page 9999 -->\n\nThis is page 9999\n\n<!-- page 10000 -->\n\nThis is page 10000',
    })
  }, 30_000)
  it('is read soon when an XML tag never ends', async () => {
    expect(await failure('a.docx', docx(`<w:p a="${'x'.repeat(200_000)}`))).toMatch(/^Failed to parse/)
    expect(await content('a.docx', docx(`<w:p ${'a'.repeat(2 * MEGABYTE)}/>${paragraph('text')}`))).toBe('text')
    expect(await content('a.docx', docx(paragraph('&'.repeat(300_000))))).toContain('&&&')
  })
})

function contents(bytes: Uint8Array): Record<string, Uint8Array> {
  return unzipSync(bytes)
}
