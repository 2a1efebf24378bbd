import * as z from 'zod'
import { MAX_DOCUMENT_CHARS } from '../../../../core/limits/documents.ts'
import type { Outcome } from '../../../../core/outcome.ts'
import type { Params } from '../../../parameters/params.ts'
import { answering, type Call, type Data, textOf, without } from './calls.ts'
import { executeCode, executeCommand, grep } from './code.ts'
import { moveFiles, readFiles, writeFile } from './files.ts'
import { askPerson, type QuestionIds } from './human-in-loop.ts'
import { manageProcesses } from './processes.ts'
import { renamed } from './renamed.ts'
import { savingPage, savingText } from './saving.ts'
import { NOT_SERVED, VOCABULARY } from './vocabulary.ts'

/** Makes a call whose arguments are under their canonical names. */
type Spoken = (params: Params, call: Call, ids: QuestionIds) => Promise<Outcome>

/** Calls with one of these arguments that need more than another name, by the client's name of the tool. */
const MORE: ReadonlyMap<string, { readonly given: readonly string[]; readonly make: Spoken }> = new Map([
  ['human_in_loop', { given: ['hil_id'], make: askPerson }],
  ['file_read', { given: ['path', 'show_line_numbers'], make: readFiles }],
  ['file_write', { given: ['path', 'start_line'], make: writeFile }],
  ['file_move', { given: ['source', 'copy'], make: moveFiles }],
  ['execute_code', { given: ['code', 'working_dir', 'output_file'], make: executeCode }],
  ['crawl_page', { given: ['save_path'], make: (params, call) => savingPage('crawl_page', params, call) }],
  [
    'google_scholar_search',
    { given: ['save_path'], make: (params, call) => savingPage('google_scholar_search', params, call) },
  ],
  ['parse_document', { given: ['save_path'], make: parseDocument }],
  ['arxiv_search', { given: ['save_path', 'max_results', 'sort_by', 'sort_order'], make: searchArxiv }],
])

/** Calls of tools that have another name here, by the client's name. */
const OTHER: ReadonlyMap<string, Spoken> = new Map([
  ['execute_command', executeCommand],
  ['grep', grep],
  ['manage_code_process', manageProcesses],
  ['web_search', searchWeb],
])

/**
 * Makes a call that may use the names of infiAgent's `level_0_tools.yaml`; one with the published names is made unchanged.
 * @throws FailureError `invalid_input` for mismatched arguments in infiAgent's names
 */
export async function calling(tool: string, params: Params, call: Call, ids: QuestionIds): Promise<Outcome> {
  const wording = VOCABULARY.get(tool)
  const args = wording ? renamed(params, wording.names) : params
  const more = MORE.get(tool)
  if (more?.given.some((name) => isGiven(params, name) || isGiven(args, name))) return more.make(args, call, ids)
  const other = OTHER.get(tool)
  if (other) return other(args, call, ids)
  const outcome = await call({ tool: wording?.tool ?? tool, args })
  const instead = NOT_SERVED.get(tool)
  if (!instead || outcome.kind !== 'refused' || outcome.failure.code !== 'not_found') return outcome
  return { ...outcome, failure: { ...outcome.failure, message: `${outcome.failure.message}; ${instead}` } }
}

const isGiven = (params: Params, name: string) => params[name] !== undefined && params[name] !== null

const Found = z.object({
  query: z.string(),
  results: z.array(z.object({ title: z.string(), url: z.string(), description: z.string() })),
})

function searchWeb(params: Params, call: Call): Promise<Outcome> {
  return savingText('google_search', { num_results: 10, ...params }, call, {
    textFrom(data) {
      const { query, results } = Found.parse(data)
      const sections = results.map(
        ({ title, url, description }, at) => `## ${at + 1}. [${title}](${url})\n\n${description}`,
      )
      return `${[`# ${query}`, ...sections].join('\n\n')}\n`
    },
    shown: (data) => without(data, 'results'),
  })
}

function parseDocument(params: Params, call: Call): Promise<Outcome> {
  // A file takes all that one call reads.
  const whole = textOf(params, 'save_path') !== null && { max_chars: MAX_DOCUMENT_CHARS }
  return savingText('parse_document', { ...whole, ...params }, call, {
    textFrom: ({ content }) => String(content),
    shown: (data) => without(data, 'content'),
  })
}

async function searchArxiv(params: Params, call: Call): Promise<Outcome> {
  const { max_results, sort_by, sort_order } = params
  const isOther = (max_results ?? 3) !== 3 || (sort_by ?? 'relevance') !== 'relevance' || sort_order === 'ascending'
  const outcome = await savingText('arxiv_search', without(params, 'max_results', 'sort_by', 'sort_order'), call, {
    textFrom: ({ content }) => `${content}\n`,
    shown: (data) => without(data, 'content'),
  })
  return isOther ? answering(outcome, withNote) : outcome
}

const withNote = (data: Data): Data => ({
  ...data,
  notes: ['these are the three best papers by relevance; max_results, sort_by and sort_order change nothing here'],
})
