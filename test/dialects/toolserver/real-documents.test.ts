import { afterAll, beforeAll, describe, expect } from 'vitest'
import { elapsedMs } from '../../support/elapsed.ts'
import { expectCost } from '../../support/processor-time.ts'
import {
  CHINESE,
  COLUMN_WORDS,
  COLUMNS,
  LONG,
  REPORT,
  redSquare,
  SLIDES,
  WORKBOOK,
} from '../../support/real-documents/sources.ts'
import { openWorkshop, type Workshop } from '../../support/real-documents/workshop.ts'
import { aToolServer, type Task, verifies } from './support.ts'

// pandoc, LibreOffice and LaTeX make the documents; `node scripts/setup.mjs --tests` installs them. They are slow programs: they
// run before the tests, each in a time of its own.
const server = aToolServer()
let workshop: Workshop
let task: Task
beforeAll(async () => {
  workshop = await openWorkshop()
  task = await server.task()
})
afterAll(() => workshop?.close())
/** A step that makes documents: a hook, with a time of its own. */
const made = (work: () => Promise<unknown>) => beforeAll(async () => void (await work()))
const converted = (to: string, ...files: string[]) => made(() => workshop.convert(to, ...files))

async function parsed(name: string, params: object = {}) {
  const content = Buffer.from(await workshop.read(name)).toString('base64')
  await task.done('file_upload', { files: [{ filename: name, content, is_base64: true }] })
  return task.call('parse_document', { file_path: `upload/${name}`, ...params })
}

async function contentOf(name: string, metadata: object = {}): Promise<string> {
  const { success, error, data } = await parsed(name)
  expect({ name, success, error }).toEqual({ name, success: true, error: null })
  expect(data).toMatchObject({ metadata })
  return String(data?.content)
}

const REPORT_PROPERTIES = { title: '年度报告 Annual Report', author: '李雷 and Ann' }

/** What a reader of SLIDES expects of each program's file. */
const SLIDES_CONTENT = `<!-- slide 1 -->

# 演示 Slides

Ann

<!-- slide 2 -->

# First slide 第一页

* point one
  * nested point
* point two

### Notes

Say hello 讲稿.

<!-- slide 3 -->

# Second slide

| Key | Value |
| --- | --- |
| 一 | 1 |
| two | 2 |`

/** What a reader of REPORT expects of each program's file. */
function expectReport(content: string) {
  for (const line of ['# Introduction 引言', '## Lists', '## A table', '# Conclusion 结论']) {
    expect(content.split('\n')).toContain(line)
  }
  expect(content).toMatch(/\*\*bold\*\*, \*italic\* and a \[link\]\(https:\/\/example\.com\/page\?a=1&b=2\)/)
  expect(content).toMatch(/\* first\n {2,4}\* nested one\n {2,4}\* nested two\n\* second/)
  // LibreOffice writes each point of this list as a list of its own into a .doc.
  expect(content).toMatch(/1\. alpha\n[12]\. beta\n {2,4}(?:1\.|\* a\.) beta one/)
  expect(content).toMatch(
    /\| Name \| Amount \| 单位 \|\n\| --- \| --- \| --- \|\n\| Apples \| 12 \| 千克 \|\n\| Pears \| 3\.50 \| 千克 \|/,
  )
  expect(content).toMatch(/!\[.*\]\(/)
  expect(content).toMatch(/(?:\[\^\d+\]: |\d\. )The note at the foot, 脚注\./)
  expect(content).toContain('中文段落应当完整。The end.')
}

describe('text of pandoc', () => {
  made(async () => {
    await workshop.write('square.png', redSquare())
    await workshop.write('report.md', REPORT)
    for (const type of ['docx', 'odt', 'rtf', 'epub', 'html']) await workshop.pandoc('report.md', `pandoc.${type}`)
  })

  for (const type of ['docx', 'odt', 'rtf', 'epub', 'html']) {
    verifies(
      'toolserver:parse_document:real:text',
      async () => {
        // Pandoc writes no properties into an .rtf.
        expectReport(await contentOf(`pandoc.${type}`, type === 'rtf' ? {} : REPORT_PROPERTIES))
      },
      `pandoc.${type}`,
    )
  }
})

describe('text of LibreOffice', () => {
  made(async () => {
    await workshop.write('square.png', redSquare())
    await workshop.write('report.md', REPORT)
    await workshop.pandoc('report.md', 'office.docx')
  })
  for (const type of ['doc', 'odt', 'rtf']) converted(type, 'office.docx')
  // What LibreOffice itself writes as Word.
  converted('docx', 'office.odt')

  for (const type of ['doc', 'odt', 'rtf', 'docx']) {
    verifies(
      'toolserver:parse_document:real:text',
      async () => {
        expectReport(await contentOf(`office.${type}`, REPORT_PROPERTIES))
      },
      `office.${type}`,
    )
  }
})

describe('slides', () => {
  made(async () => {
    await workshop.write('slides.md', SLIDES)
    await workshop.pandoc('slides.md', 'pandoc.pptx')
    await workshop.write('slides.pptx', await workshop.read('pandoc.pptx'))
  })
  for (const type of ['ppt', 'odp']) converted(type, 'slides.pptx')
  converted('pptx', 'slides.odp')

  for (const name of ['pandoc.pptx', 'slides.ppt', 'slides.odp', 'slides.pptx']) {
    verifies(
      'toolserver:parse_document:real:slides',
      async () => {
        const properties = name === 'pandoc.pptx' ? { title: '演示 Slides', author: 'Ann' } : {}
        expect(await contentOf(name, { slides: 3, ...properties })).toBe(SLIDES_CONTENT)
      },
      name,
    )
  }

  verifies(
    'toolserver:parse_document:real:slides',
    async () => {
      expect(await parsed('slides.ppt', { pages: '2' })).toMatchObject({
        data: { content: expect.stringMatching(/^<!-- slide 2 -->(?![\s\S]*slide 3)/) },
      })
    },
    'one of slides.ppt',
  )
})

describe('sheets', () => {
  made(() => workshop.write('book.fods', WORKBOOK))
  for (const type of ['xlsx', 'xls', 'ods']) converted(type, 'book.fods')

  for (const type of ['xlsx', 'xls', 'ods']) {
    verifies(
      'toolserver:parse_document:real:sheets',
      async () => {
        const content = await contentOf(`book.${type}`, { sheets: 2 })
        expect(content).toContain(
          '## Sales 销售\n\n| Day | Amount | Share |\n| --- | --- | --- |\n| 2026-03-01 | 1234.5 | 12.5% |\n| Sum | 2469 |',
        )
        expect(content).toContain('## Second\n\n| 苹果 | TRUE |')
      },
      `book.${type}`,
    )
  }
})

describe('PDFs', () => {
  made(async () => {
    await workshop.write('square.png', redSquare())
    await workshop.write('report.md', REPORT)
    await workshop.pandoc('report.md', 'office-export.docx')
  })
  made(() => workshop.pandoc('report.md', 'pandoc.pdf', '--pdf-engine=xelatex', '-V', 'documentclass=ctexart'))
  converted('pdf', 'office-export.docx')
  made(async () => {
    await workshop.write('columns.tex', COLUMNS)
    await workshop.latex('pdflatex', 'columns.tex')
  })
  made(async () => {
    await workshop.write('chinese.tex', CHINESE)
    await workshop.latex('xelatex', 'chinese.tex')
  })

  const title = '年度报告 Annual Report'
  for (const [name, metadata] of [
    ['pandoc', { pages: 2, title, author: '李雷 and Ann' }],
    ['office-export', { pages: 1, title }],
  ] as const) {
    verifies(
      'toolserver:parse_document:real:pdf',
      async () => {
        const content = await contentOf(`${name}.pdf`, metadata)
        expect(content).toMatch(/^<!-- page 1 -->\n\n#+ 年度报告 Annual Report\n/)
        expect(content).toMatch(/\n## Introduction 引言\n[\s\S]*\n### Lists\n[\s\S]*\n## Conclusion 结论\n/)
        expect(content).toMatch(/\* first\s+\* nested one\s+\* nested two\s+\* second\s+1\. alpha\s+2\. beta/)
        expect(content).toMatch(/\| Apples \| 12/)
        expect(content).toContain('中文段落应当完整。The end.')
        await expectEveryLetter(name, content)
      },
      `${name}.pdf`,
    )
  }

  verifies(
    'toolserver:parse_document:real:pdf',
    async () => {
      const content = await contentOf('columns.pdf')
      const columns = content.replaceAll(/\s+/g, ' ')
      const ends = [...columns.matchAll(/End of (\w+ \d)\./g)].map(([, end]) => end)
      expect(ends).toEqual([1, 2, 3].flatMap((at) => COLUMN_WORDS.map((word) => `${word} ${at}`)))
      expect(columns).toMatch(/# On Two Columns[\s\S]*## 1 Section 1[\s\S]*\* office of fluffy ligatures/)
      await expectEveryLetter('columns', content)
    },
    'columns.pdf',
  )

  verifies(
    'toolserver:parse_document:real:pdf',
    async () => {
      const content = await contentOf('chinese.pdf')
      expect(content).toMatch(/## 1 引言\n\n大型语言模型在自然语言处理中取得了显著进展。/)
      expect(content).toMatch(/\* 第一点\s+\* 第二点\s+\| 名称 \| 数量 \|\n\| --- \| --- \|\n\| 苹果 \| 十二 \|/)
      await expectEveryLetter('chinese', content)
    },
    'chinese.pdf',
  )

  /** Nothing is lost that another reader finds. */
  async function expectEveryLetter(name: string, content: string) {
    const letters = (text: string) => text.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '')
    const count = (text: string) => Map.groupBy(letters(text), (letter) => letter)
    const ours = count(content)
    for (const [letter, found] of count(await workshop.pdfText(`${name}.pdf`))) {
      // Repeated headers and footers are left out on purpose.
      expect({ name, letter, ours: ours.get(letter)?.length ?? 0 }).toMatchObject({
        ours: expect.toSatisfy((count: number) => count >= found.length * 0.95 - 2),
      })
    }
  }
})

describe('long, protected and damaged files', () => {
  const password = { type: 'string', value: 'secret' }
  const options = JSON.stringify({ EncryptFile: { type: 'boolean', value: 'true' }, DocumentOpenPassword: password })
  made(async () => {
    await workshop.write('long.tex', LONG)
    await workshop.latex('pdflatex', 'long.tex')
  })
  made(async () => {
    await workshop.write('secret.md', '# Secret\n')
    await workshop.pandoc('secret.md', 'secret.docx')
  })
  converted(`pdf:writer_pdf_Export:${options}`, 'secret.docx')
  converted('doc', 'secret.docx')
  made(async () => {
    for (const name of ['long.pdf', 'secret.docx', 'secret.doc']) {
      const whole = await workshop.read(name)
      await workshop.write(name.replace(/.*(?=\.)/, 'cut'), whole.slice(0, Math.floor(whole.length / 3)))
    }
  })

  verifies(
    'toolserver:parse_document:real:bad',
    async () => {
      const aTenth = () => parsed('long.pdf', { pages: '1-80' })
      const long = await expectCost(() => parsed('long.pdf', { max_chars: 1_000_000 }), {
        below: async () => 30 * (await elapsedMs(aTenth)),
        measure: elapsedMs,
      })
      expect(long).toMatchObject({ success: true, data: { metadata: { pages: 800 } } })
      expect(String(long.data?.content)).toMatch(/<!-- page 800 -->\n\nPage number 800 says something/)
      expect(await parsed('long.pdf', { pages: '799-' })).toMatchObject({
        data: { content: expect.stringMatching(/^<!-- page 799 -->\n\nPage number 799 /) },
      })
    },
    '800 pages',
  )

  verifies(
    'toolserver:parse_document:real:bad',
    async () => {
      expect((await parsed('secret.pdf')).error).toMatch(/^Failed to parse \.pdf file: it is protected by a password/)
    },
    'protected',
  )

  verifies(
    'toolserver:parse_document:real:bad',
    async () => {
      for (const type of ['pdf', 'docx']) {
        expect((await parsed(`cut.${type}`)).error).toMatch(/^Failed to parse \.\w+ file: .*damaged/)
      }
      const cut = await parsed('cut.doc')
      if (!cut.success) expect(cut.error).toMatch(/^Failed to parse \.doc file: .*damaged/)
    },
    'damaged',
  )
})
