import { crc32, deflateSync } from 'node:zlib'

/** A red square of 8 by 8. */
export function redSquare(): Uint8Array {
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Uint8Array.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0])
  const row = [0, ...Array.from({ length: 8 }, () => [255, 0, 0]).flat()]
  const pixels = Uint8Array.from(Array.from({ length: 8 }, () => row).flat())
  const signature = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', new Uint8Array()),
  ])
}

export const REPORT = `---
title: 年度报告 Annual Report
author: 李雷 and Ann
lang: en
---

# Introduction 引言

A first paragraph with **bold**, *italic* and a [link](https://example.com/page?a=1&b=2).
It has a footnote.[^1]

[^1]: The note at the foot, 脚注.

## Lists

- first
    - nested one
    - nested two
- second

1. alpha
2. beta
    a. beta one

## A table

| Name   | Amount | 单位 |
|--------|-------:|------|
| Apples |     12 | 千克 |
| Pears  |   3.50 | 千克 |

![A picture of a square](square.png)

# Conclusion 结论

中文段落应当完整。The end.
`

export const SLIDES = `---
title: 演示 Slides
author: Ann
---

# First slide 第一页

- point one
    - nested point
- point two

::: notes
Say hello 讲稿.
:::

# Second slide

| Key | Value |
|-----|-------|
| 一  | 1     |
| two | 2     |
`

const cell = (type: string, value: string, text: string, more = '') =>
  `<table:table-cell ${more} office:value-type="${type}" ${value}><text:p>${text}</text:p></table:table-cell>`
const words = (text: string) => cell('string', '', text)
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`

/** LibreOffice's workbook as one XML file: two sheets, with a date, a percentage, a formula and a truth value. */
export const WORKBOOK = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles>
<number:date-style style:name="D"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style>
<number:percentage-style style:name="P"><number:number number:decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>
<number:boolean-style style:name="B"><number:boolean/></number:boolean-style>
<style:style style:name="date" style:family="table-cell" style:data-style-name="D"/>
<style:style style:name="share" style:family="table-cell" style:data-style-name="P"/>
<style:style style:name="truth" style:family="table-cell" style:data-style-name="B"/>
</office:automatic-styles>
<office:body><office:spreadsheet>
<table:table table:name="Sales 销售">${row(words('Day'), words('Amount'), words('Share'))}${row(
  cell('date', 'office:date-value="2026-03-01"', '2026-03-01', 'table:style-name="date"'),
  cell('float', 'office:value="1234.5"', '1234.5'),
  cell('percentage', 'office:value="0.125"', '12.5%', 'table:style-name="share"'),
)}${row(words('Sum'), cell('float', 'office:value="2469"', '2469', 'table:formula="of:=[.B2]*2"'))}</table:table>
<table:table table:name="Second">${row(words('苹果'), cell('boolean', 'office:boolean-value="true"', 'TRUE', 'table:style-name="truth"'))}</table:table>
</office:spreadsheet></office:body></office:document>`

/** Paragraphs of each section of COLUMNS, by their words. */
export const COLUMN_WORDS = ['alpha', 'beta', 'gamma', 'delta']
const sentence = (word: string) =>
  `${word} data network result theory order time space value and model of it. `.repeat(9)
const column = (section: number) =>
  `\\section{Section ${section}} ${COLUMN_WORDS.map((word) => `${sentence(word)}End of ${word} ${section}.\n\n`).join('')}`
/** LaTeX in two columns. */
export const COLUMNS = `\\documentclass[twocolumn]{article}\\title{On Two Columns}\\author{Ann}\\begin{document}\\maketitle\\begin{abstract}The abstract.\\end{abstract}${[1, 2, 3].map(column).join('')}\\begin{itemize}\\item first point\\item office of fluffy ligatures\\end{itemize}\\end{document}`

/** LaTeX in Chinese, with a note, a list and a table without lines. */
export const CHINESE =
  '\\documentclass{ctexart}\\begin{document}\\section{引言}大型语言模型在自然语言处理中取得了显著进展。\\footnote{脚注文字。}\\begin{itemize}\\item 第一点\\item 第二点\\end{itemize}\\begin{tabular}{ll}名称 & 数量\\\\ 苹果 & 十二\\\\\\end{tabular}\\end{document}'

/** LaTeX of 800 pages. */
export const LONG =
  '\\documentclass{article}\\begin{document}\\newcount\\n\\n=1\\loop Page number \\the\\n\\ says something that is not on the others. \\newpage\\advance\\n by 1 \\ifnum\\n<801\\repeat\\end{document}'
