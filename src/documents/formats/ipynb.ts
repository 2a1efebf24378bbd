import * as z from 'zod'
import { exceededAt } from '../../core/json-bounds.ts'
import { MAX_MARKUP_DEPTH } from '../../core/limits/documents.ts'
import { MAX_JSON_VALUES } from '../../core/limits/requests.ts'
import { safeRead } from '../../core/safe-read.ts'
import { broken, tooMuch } from '../broken.ts'
import { decodeText } from '../decode.ts'
import type { OpenDocument } from '../document.ts'
import { blocks, fenced } from '../markdown.ts'
import { inParts } from '../parts.ts'

/** Text in a notebook: a string, or its lines with their line breaks. */
const Lines = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))])

const Output = z.object({
  output_type: z.string(),
  text: Lines.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
})

const Cell = z.object({
  cell_type: z.string(),
  source: Lines.optional(),
  input: Lines.optional(),
  outputs: z.array(Output).optional(),
})

/** Format 4, and 3, which has its cells in worksheets. */
const Notebook = z.object({
  cells: z.array(Cell).optional(),
  worksheets: z.array(z.object({ cells: z.array(Cell) })).optional(),
  metadata: z
    .object({
      title: z.string().optional().catch(undefined),
      language_info: z.object({ name: z.string() }).optional().catch(undefined),
      kernelspec: z.object({ language: z.string().optional() }).optional().catch(undefined),
    })
    .optional(),
})

/** A Jupyter notebook: its text, its code, and what the code printed when it last ran. */
export function openIpynb(bytes: Uint8Array): OpenDocument {
  const parsed = safeRead(Notebook, json(decodeText(bytes).text))
  if (!parsed.success) return broken('it is not a Jupyter notebook')
  const { cells, worksheets, metadata } = parsed.data
  const all = cells ?? worksheets?.flatMap((sheet) => sheet.cells) ?? []
  const language = metadata?.language_info?.name ?? metadata?.kernelspec?.language ?? 'python'
  return inParts(blocks(all.map((cell) => cellText(cell, language))), {
    ...(metadata?.title && { title: metadata.title }),
    language,
    cells: all.length,
  })
}

function json(text: string): unknown {
  const exceeded = exceededAt(text, { depth: MAX_MARKUP_DEPTH, values: MAX_JSON_VALUES })
  if (exceeded?.what === 'depth') tooMuch(`its JSON is nested deeper than ${MAX_MARKUP_DEPTH} levels`)
  if (exceeded) tooMuch(`its JSON has more than ${MAX_JSON_VALUES} values`)
  try {
    return JSON.parse(text)
  } catch (thrown) {
    return broken('it is not a Jupyter notebook: its JSON is damaged', { cause: thrown })
  }
}

function cellText({ cell_type, source, input, outputs = [] }: z.output<typeof Cell>, language: string): string {
  const text = source ?? input ?? ''
  if (cell_type !== 'code') return cell_type === 'raw' ? fenced(text) : text
  return blocks([text === '' ? '' : fenced(text, language), ...outputs.map(outputText)])
}

function outputText({ text, data, ename, evalue }: z.output<typeof Output>): string {
  if (ename !== undefined) return fenced(`${ename}: ${evalue ?? ''}`)
  if (text !== undefined) return shown(text)
  if (!data) return ''
  const of = (type: string) => Lines.safeParse(data[type]).data
  const markdown = of('text/markdown') ?? of('text/latex')
  if (markdown !== undefined) return markdown
  const image = Object.keys(data).find((type) => type.startsWith('image/'))
  return blocks([shown(of('text/plain') ?? ''), image ? `![output](data:${image};base64...)` : ''])
}

/** Colours of a terminal say nothing here. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const shown = (text: string) => (text.trim() === '' ? '' : fenced(text.replace(/\x1b\[[\d;]*m/g, '')))
