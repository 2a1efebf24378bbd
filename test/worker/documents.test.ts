import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { blobsR2 } from '../../src/adapters/blobs-r2.ts'
import { durableSql } from '../../src/adapters/sql-durable.ts'
import { toFailure } from '../../src/core/failure.ts'
import { tenantId } from '../../src/core/ids.ts'
import { workspacePath } from '../../src/core/workspace-path.ts'
import type { Ports } from '../../src/ports/index.ts'
import { parseDocument } from '../../src/tools/documents/parse-document.ts'
import { SessionWorkspace } from '../../src/workspace/workspace.ts'
import { docx, epub, paragraph, pdf, pptx, shape, xls, xlsx, zip } from '../support/documents.ts'
import { READER_HERE } from '../support/reader-here.ts'
import { openSessionTables } from '../support/tables.ts'
import { tenantOf } from '../support/tenant-of.ts'

// The first document of a kind loads its library, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

/** In workerd, from a file in a Durable Object's workspace to Markdown. */
function parsed(name: string, content: string | Uint8Array): Promise<string> {
  const tenant = tenantId(`t-${crypto.randomUUID()}`)
  return runInDurableObject(env.TENANTS.getByName(`s-${crypto.randomUUID()}`), async (_, state) => {
    const sql = durableSql(state.storage)
    openSessionTables(sql)
    const clock = { now: () => Date.now() }
    const blobs = blobsR2({ bucket: env.BLOBS, ledger: tenantOf(tenant).blobs, tenant, nodeId: 'node' })
    const workspace = new SessionWorkspace({ sql, blobs, clock, callId: () => 'call' })
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    await workspace.commit([{ op: 'write', path: workspacePath(name), content: bytes }])
    const ports: Pick<Ports, 'workspace' | 'reader' | 'runner' | 'turn'> = {
      workspace,
      reader: READER_HERE,
      runner: { run: () => Promise.reject(new Error('what is read here needs no sandbox')) },
      turn: (work) => work(),
    }
    const input = parseDocument.input.parse({ file_path: name })
    try {
      const { data } = await parseDocument.run(input, { ports, signal: new AbortController().signal })
      return String(data.content)
    } catch (thrown) {
      return toFailure(thrown).message
    }
  })
}

describe('parse_document in a Durable Object', () => {
  it('reads each format with the libraries that run there', async () => {
    expect(await parsed('a.docx', docx(paragraph('One', '<w:pStyle w:val="H1"/>')))).toBe('# One')
    expect(await parsed('a.pptx', pptx([shape('title', ['First'])]))).toBe('<!-- slide 1 -->\n\n# First')
    expect(await parsed('a.xlsx', xlsx({ A: '<row r="1"><c r="A1"><v>7</v></c></row>' }))).toBe(
      '## A\n\n| 7 |\n| --- |',
    )
    expect(await parsed('a.xls', xls())).toContain('| name | ab中文 |')
    expect(await parsed('a.epub', epub(['<h1>One</h1>']))).toContain('# One')
    expect(await parsed('a.html', '<ul><li>one<li>two</ul>')).toBe('* one\n* two')
    expect(await parsed('a.csv', 'a;b\n1;2\n')).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |')
    expect(await parsed('a.ipynb', '{"cells":[{"cell_type":"code","source":"x"}]}')).toBe('```python\nx\n```')
    expect(await parsed('a.pdf', pdf([[{ x: 72, y: 700, text: 'Hello' }]]))).toBe('<!-- page 1 -->\n\nHello')
  })

  it('knows Chinese of fonts that carry no map of their own', async () => {
    expect(await parsed('a.pdf', pdf([[{ x: 72, y: 700, text: '<D6D0CEC4>' }]], { font: 'chinese' }))).toContain('中文')
  })

  it('stops what unpacks without end, and says what is broken', async () => {
    const bomb = zip({ 'META-INF/container.xml': new Uint8Array(60 * 1024 * 1024).fill(32) })
    expect(await parsed('a.epub', bomb)).toMatch(/unpacks to more than 48 MB/)
    expect(await parsed('a.docx', docx(paragraph('x'.repeat(5000))).subarray(0, 700))).toMatch(/damaged/)
    const damaged = docx(paragraph('some text '.repeat(500)))
    expect(await parsed('a.docx', damaged.fill(0xff, 600, 1200))).toMatch(/^Failed to parse/)
    expect(await parsed('a.pdf', '%PDF-1.7\nnothing')).toMatch(/^Failed to parse \.pdf file/)
  })
})
