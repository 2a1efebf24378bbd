import type { Engine } from './build-script.ts'
import { MAX_LINE_CHARS } from './log-errors.ts'

const MAX_NAMES = 20
const MAX_OTHERS = 10
const MAX_WARNING_CHARS = 300

/** Warnings that matter to a reader of the PDF, from the log. */
export function buildWarnings(
  printed: readonly string[],
  engine: Engine,
): { readonly pages: number | null; readonly warnings: readonly string[] } {
  const lines = printed.map((line) => line.slice(0, MAX_LINE_CHARS))
  const references = namesIn(lines, /Warning: Reference [`']([^']+)'.*undefined/)
  const citations = [
    ...namesIn(lines, /Warning: Citation [`']([^']+)'.*undefined/),
    ...namesIn(lines, /^Warning--I didn't find a database entry for "([^"]+)"/),
  ]
  const labels = namesIn(lines, /Label [`']([^']+)' multiply defined/)
  const characters = namesIn(lines, /^Missing character: There is no (\S+)/)
  const absent = namesIn(lines, /^No file (.+\.tex)\./)
  const bibliographies = namesIn(lines, /^missing bibliography (.+)$/)
  const others = lines.filter((line) => BIBLIOGRAPHY.test(line)).slice(0, MAX_OTHERS)
  const pages = lines.map((line) => /^Output written on .*\((\d+) pages?/.exec(line)?.[1]).find(Boolean)
  const warnings = [
    absent.size > 0 && `not found, so not in the PDF: ${shown(absent)}`,
    characters.size > 0 &&
      `the font lacks these characters, so they are not in the PDF: ${shown(characters)}; ${engine === 'xelatex' ? 'for Chinese use \\documentclass{ctexart} or \\usepackage{ctex}' : 'for Chinese use engine="xelatex" and \\documentclass{ctexart}'}`,
    bibliographies.size > 0 && `bibliography not found: ${shown(bibliographies)}`,
    ...others.map((line) => `bibliography: ${line.replace(/^.*ERROR - /, '').slice(0, MAX_WARNING_CHARS)}`),
    references.size > 0 && `undefined references: ${shown(references)}`,
    citations.length > 0 && `undefined citations: ${shown(new Set(citations))}`,
    labels.size > 0 && `labels defined more than once: ${shown(labels)}`,
  ].filter((warning) => warning !== false)
  return { pages: pages === undefined ? null : Number(pages), warnings }
}

const BIBLIOGRAPHY = /ERROR - |^I (?:couldn't open|found no) |---line \d+ of file |^Repeated entry/

const namesIn = (lines: readonly string[], pattern: RegExp) =>
  new Set(lines.map((line) => pattern.exec(line)?.[1]).filter((name) => name !== undefined))

function shown(names: ReadonlySet<string>): string {
  const list = [...names]
  const more = list.length - MAX_NAMES
  return list.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
