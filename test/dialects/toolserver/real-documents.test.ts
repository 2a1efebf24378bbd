import { afterAll, beforeAll, expect } from 'vitest'
import { elapsedMs } from '../../support/elapsed.ts'
import { openWorkshop, REPORT, redSquare, SLIDES, WORKBOOK, type Workshop } from '../../support/real-documents.ts'
import { aToolServer, type Task, verifies } from './support.ts'

// pandoc, LibreOffice and LaTeX make the documents; `node scripts/setup.mjs --tests` installs them.
const server = aToolServer()
let workshop: Workshop
beforeAll(async () => {
  workshop = await openWorkshop()
})
afterAll(() => workshop?.close())

async function parsed(task: Task, name: string, params: object = {}) {
  const content = Buffer.from(await workshop.read(name)).toString('base64')
  await task.done('file_upload', { files: [{ filename: name, content, is_base64: true }] })
  return task.call('parse_document', { file_path: `upload/${name}`, ...params })
}

async function contentOf(task: Task, name: string, metadata: object = {}): Promise<string> {
  const { success, error, data } = await parsed(task, name)
  expect({ name, success, error }).toEqual({ name, success: true, error: null })
  expect(data).toMatchObject({ metadata })
  return String(data?.content)
}

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

verifies('toolserver:parse_document:real:text', async () => {
  await workshop.write('square.png', redSquare())
  await workshop.write('report.md', REPORT)
  for (const type of ['docx', 'odt', 'rtf', 'epub', 'html']) await workshop.pandoc('report.md', `pandoc.${type}`)
  await workshop.pandoc('report.md', 'office.docx')
  for (const type of ['doc', 'odt', 'rtf']) await workshop.convert(type, 'office.docx')

  const task = await server.task()
  const properties = { title: '年度报告 Annual Report', author: '李雷 and Ann' }
  for (const name of [
    'pandoc.docx',
    'pandoc.odt',
    'pandoc.epub',
    'pandoc.html',
    'office.doc',
    'office.odt',
    'office.rtf',
  ]) {
    expectReport(await contentOf(task, name, properties))
  }
  expectReport(await contentOf(task, 'pandoc.rtf'))
  // What LibreOffice itself writes as Word.
  await workshop.convert('docx', 'office.odt')
  expectReport(await contentOf(task, 'office.docx', properties))
})

verifies('toolserver:parse_document:real:slides', async () => {
  await workshop.write('slides.md', SLIDES)
  await workshop.pandoc('slides.md', 'slides.pptx')
  const task = await server.task()
  const content = await contentOf(task, 'slides.pptx', { title: '演示 Slides', author: 'Ann', slides: 3 })
  expect(content).toMatch(/<!-- slide 2 -->\n\n# First slide 第一页\n\n\* point one\n {2}\* nested point\n\* point two/)
  expect(content).toMatch(/### Notes\n\nSay hello 讲稿\./)
  expect(content).toMatch(/<!-- slide 3 -->\n\n# Second slide\n\n\| Key \| Value \|\n\| --- \| --- \|\n\| 一 \| 1 \|/)
  for (const type of ['ppt', 'odp']) {
    await workshop.convert(type, 'slides.pptx')
    expect(await contentOf(task, `slides.${type}`, { slides: 3 })).toBe(content)
  }
  await workshop.convert('pptx', 'slides.odp')
  expect(await contentOf(task, 'slides.pptx', { slides: 3 })).toBe(content)
  expect(await parsed(task, 'slides.ppt', { pages: '2' })).toMatchObject({
    data: { content: expect.stringMatching(/^<!-- slide 2 -->(?![\s\S]*slide 3)/) },
  })
})

verifies('toolserver:parse_document:real:sheets', async () => {
  await workshop.write('book.fods', WORKBOOK)
  const task = await server.task()
  for (const type of ['xlsx', 'xls', 'ods']) {
    await workshop.convert(type, 'book.fods')
    const content = await contentOf(task, `book.${type}`, { sheets: 2 })
    expect(content).toContain(
      '## Sales 销售\n\n| Day | Amount | Share |\n| --- | --- | --- |\n| 2026-03-01 | 1234.5 | 12.5% |\n| Sum | 2469 |',
    )
    expect(content).toContain('## Second\n\n| 苹果 | TRUE |')
  }
})

verifies('toolserver:parse_document:real:pdf', async () => {
  await workshop.write('square.png', redSquare())
  await workshop.write('report.md', REPORT)
  await workshop.pandoc('report.md', 'pandoc.pdf', '--pdf-engine=xelatex', '-V', 'documentclass=ctexart')
  await workshop.pandoc('report.md', 'office-export.docx')
  await workshop.convert('pdf', 'office-export.docx')
  const sentence = (word: string) =>
    `${word} data network result theory order time space value and model of it. `.repeat(9)
  const column = (section: number) =>
    `\\section{Section ${section}} ${['alpha', 'beta', 'gamma', 'delta'].map((word) => `${sentence(word)}End of ${word} ${section}.\n\n`).join('')}`
  await workshop.write(
    'columns.tex',
    `\\documentclass[twocolumn]{article}\\title{On Two Columns}\\author{Ann}\\begin{document}\\maketitle\\begin{abstract}The abstract.\\end{abstract}${[1, 2, 3].map(column).join('')}\\begin{itemize}\\item first point\\item office of fluffy ligatures\\end{itemize}\\end{document}`,
  )
  await workshop.latex('pdflatex', 'columns.tex')
  await workshop.write(
    'chinese.tex',
    '\\documentclass{ctexart}\\begin{document}\\section{引言}大型语言模型在自然语言处理中取得了显著进展。\\footnote{脚注文字。}\\begin{itemize}\\item 第一点\\item 第二点\\end{itemize}\\begin{tabular}{ll}名称 & 数量\\\\ 苹果 & 十二\\\\\\end{tabular}\\end{document}',
  )
  await workshop.latex('xelatex', 'chinese.tex')

  const task = await server.task()
  const pandoc = await contentOf(task, 'pandoc.pdf', {
    pages: 2,
    title: '年度报告 Annual Report',
    author: '李雷 and Ann',
  })
  const office = await contentOf(task, 'office-export.pdf', { pages: 1, title: '年度报告 Annual Report' })
  for (const content of [pandoc, office]) {
    expect(content).toMatch(/^<!-- page 1 -->\n\n#+ 年度报告 Annual Report\n/)
    expect(content).toMatch(/\n## Introduction 引言\n[\s\S]*\n### Lists\n[\s\S]*\n## Conclusion 结论\n/)
    expect(content).toMatch(/\* first\s+\* nested one\s+\* nested two\s+\* second\s+1\. alpha\s+2\. beta/)
    expect(content).toMatch(/\| Apples \| 12/)
    expect(content).toContain('中文段落应当完整。The end.')
  }

  const columns = (await contentOf(task, 'columns.pdf')).replaceAll(/\s+/g, ' ')
  const ends = [...columns.matchAll(/End of (\w+ \d)\./g)].map(([, end]) => end)
  expect(ends).toEqual([1, 2, 3].flatMap((at) => ['alpha', 'beta', 'gamma', 'delta'].map((word) => `${word} ${at}`)))
  expect(columns).toMatch(/# On Two Columns[\s\S]*## 1 Section 1[\s\S]*\* office of fluffy ligatures/)

  const chinese = await contentOf(task, 'chinese.pdf')
  expect(chinese).toMatch(/## 1 引言\n\n大型语言模型在自然语言处理中取得了显著进展。/)
  expect(chinese).toMatch(/\* 第一点\s+\* 第二点\s+\| 名称 \| 数量 \|\n\| --- \| --- \|\n\| 苹果 \| 十二 \|/)

  // Nothing is lost that another reader finds, in any of them.
  for (const name of ['pandoc', 'office-export', 'columns', 'chinese']) {
    const letters = (text: string) => text.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '')
    const count = (text: string) => Map.groupBy(letters(text), (letter) => letter)
    const ours = count(await contentOf(task, `${name}.pdf`))
    for (const [letter, found] of count(await workshop.pdfText(`${name}.pdf`))) {
      // Repeated headers and footers are left out on purpose.
      expect({ name, letter, ours: ours.get(letter)?.length ?? 0 }).toMatchObject({
        ours: expect.toSatisfy((count: number) => count >= found.length * 0.95 - 2),
      })
    }
  }
})

verifies('toolserver:parse_document:real:bad', async () => {
  await workshop.write(
    'long.tex',
    '\\documentclass{article}\\begin{document}\\newcount\\n\\n=1\\loop Page number \\the\\n\\ says something that is not on the others. \\newpage\\advance\\n by 1 \\ifnum\\n<801\\repeat\\end{document}',
  )
  await workshop.latex('pdflatex', 'long.tex')
  await workshop.write('report.md', '# Secret\n')
  await workshop.pandoc('report.md', 'secret.docx')
  const password = { type: 'string', value: 'secret' }
  const options = JSON.stringify({ EncryptFile: { type: 'boolean', value: 'true' }, DocumentOpenPassword: password })
  await workshop.convert(`pdf:writer_pdf_Export:${options}`, 'secret.docx')
  await workshop.convert('doc', 'secret.docx')
  for (const type of ['pdf', 'docx', 'doc']) {
    const whole = await workshop.read(type === 'pdf' ? 'long.pdf' : `secret.${type}`)
    await workshop.write(`cut.${type}`, whole.slice(0, Math.floor(whole.length / 3)))
  }

  const task = await server.task()
  const tenthMs = await elapsedMs(() => parsed(task, 'long.pdf', { pages: '1-80' }))
  const start = performance.now()
  const long = await parsed(task, 'long.pdf', { max_chars: 1_000_000 })
  expect(performance.now() - start).toBeLessThan(30 * tenthMs)
  expect(long).toMatchObject({ success: true, data: { metadata: { pages: 800 } } })
  expect(String(long.data?.content)).toMatch(/<!-- page 800 -->\n\nPage number 800 says something/)
  expect(await parsed(task, 'long.pdf', { pages: '799-' })).toMatchObject({
    data: { content: expect.stringMatching(/^<!-- page 799 -->\n\nPage number 799 /) },
  })

  expect((await parsed(task, 'secret.pdf')).error).toMatch(/^Failed to parse \.pdf file: it is protected by a password/)
  for (const type of ['pdf', 'docx']) {
    expect((await parsed(task, `cut.${type}`)).error).toMatch(/^Failed to parse \.\w+ file: .*damaged/)
  }
  const cut = await parsed(task, 'cut.doc')
  if (!cut.success) expect(cut.error).toMatch(/^Failed to parse \.doc file: .*damaged/)
})
