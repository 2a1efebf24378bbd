import * as z from 'zod'
import { FailureError, fail } from '../../core/failure.ts'
import { MAX_SCHOLAR_PAGES } from '../../core/limits/web.ts'
import { joinPath } from '../../core/workspace-path.ts'
import type { Paper, Scholar, ScholarPage, ScholarQuery } from '../../ports/scholar.ts'
import { integer, optional, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { underUpload } from '../under-upload.ts'

/** Source: Tool Server, tools/google_tools, GoogleScholarSearchTool: its file names and its headings. */
export const googleScholarSearch = defineTool({
  name: 'google_scholar_search',
  description:
    'Search scholarly papers by a search service on the web, and keep them as Markdown under upload/. Returns the papers ' +
    '(title, authors, year, abstract, citations, PDF), markdown_file, and source: which service was used. Papers that are ' +
    "in the server's own library: rag_search_abstracts.",
  effect: 'fetch',
  uses: ['scholar', 'turn', 'workspace'],
  input: z.object({
    query: requiredText.describe('What to search for, e.g. "deep learning"'),
    output_dir: withDefault(z.string(), 'scholar_results').describe(
      'Directory under upload/. Default scholar_results/',
    ),
    pages: withDefault(integer, 1).describe(`Pages of ten results, 1 to ${MAX_SCHOLAR_PAGES}. Default 1`),
    year_low: optional(integer).describe('First year, e.g. 2020. Default: any'),
    year_high: optional(integer).describe('Last year, e.g. 2024. Default: any'),
  }),

  async run({ query, output_dir, pages, year_low, year_high }, { ports: { scholar, turn, workspace }, signal }) {
    const directory = underUpload(output_dir)
    const wanted = Math.min(Math.max(pages, 1), MAX_SCHOLAR_PAGES)
    const search = { query, yearLow: year_low, yearHigh: year_high }
    const { found, notes } = await findPages(scholar, search, wanted, signal)
    const results = found.flatMap(({ papers }) => papers)
    if (results.length === 0) {
      fail('not_found', '未获取到任何 Scholar 搜索结果 (no papers found); try other words, or other years')
    }
    const filename = fileName(query, year_low, year_high)
    const path = joinPath(directory, filename)
    const source = [...new Set(found.map((page) => page.source))].join(', ')
    const content = new TextEncoder().encode(document(query, source, found))
    await turn(() => workspace.commit([{ op: 'write', path, content }]))
    return {
      text: [`${results.length} papers from ${source}, kept in ${path}:`, ...results.map(line), ...notes].join('\n'),
      data: {
        query,
        pages,
        year_low: year_low ?? null,
        year_high: year_high ?? null,
        output_dir: directory,
        markdown_file: path,
        filename,
        source,
        results,
        ...(notes.length > 0 && { notes }),
      },
    }
  },
})

/** Pages of results. Those before a page that cannot be fetched are kept. */
async function findPages(scholar: Scholar, search: Omit<ScholarQuery, 'page'>, wanted: number, signal: AbortSignal) {
  const found: ScholarPage[] = []
  for (let page = 1; page <= wanted; page++) {
    try {
      const next = await scholar.page({ ...search, page }, signal)
      if (next.papers.length === 0) break
      found.push(next)
    } catch (thrown) {
      if (!(thrown instanceof FailureError) || found.length === 0) throw thrown
      return { found, notes: [`page ${page} and what follows are missing: ${thrown.failure.message}`] }
    }
  }
  return { found, notes: [] }
}

/** Longest name of a file, within a file system's limit also in a script of three bytes a character. */
const MAX_NAME_CHARS = 60

function fileName(query: string, low: number | undefined, high: number | undefined): string {
  const words = query
    .replace(/[^\p{L}\p{M}\p{N}_\s-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '_')
  const years = low === undefined && high === undefined ? '' : `_${low ?? 'start'}-${high ?? 'end'}`
  return `${words.slice(0, MAX_NAME_CHARS).toWellFormed() || 'search'}${years}.md`
}

function document(query: string, source: string, pages: readonly ScholarPage[]): string {
  const sections = pages.map(({ papers }, at) => `# 第 ${at + 1} 页结果\n\n${papers.map(section).join('\n\n')}`)
  return `# Google Scholar 搜索结果: ${query}\n\nSource: ${source}\n\n${sections.join('\n\n---\n\n')}\n`
}

function section({ title, url, authors, year, abstract, cited_by, pdf_url }: Paper): string {
  const facts = [
    year !== null && `${year}`,
    cited_by !== null && `cited by ${cited_by}`,
    pdf_url && `[PDF](${pdf_url})`,
  ]
  return [`## ${url ? `[${title}](${url})` : title}`, authors, facts.filter(Boolean).join(', '), abstract]
    .filter((part) => part !== '')
    .join('\n\n')
}

const line = ({ title, year, authors, url }: Paper) =>
  `- ${title}${year === null ? '' : ` (${year})`}, ${authors} ${url}`
