import * as z from 'zod'
import type { Failure } from '../../../core/failure.ts'
import { MAX_READ_RESULTS } from '../../../core/limits/web.ts'
import { MAX_NUMBERED_CHARS, MAX_TREE_FILES_PER_DIRECTORY } from '../../../core/limits/workspace.ts'
import type { Result } from '../../../core/outcome.ts'

export interface Parameter {
  readonly name: string
  /** Type as the published server writes it. */
  readonly type: string
  readonly description: string
  readonly optional?: true
  /** True for an argument that is accepted but not shown. */
  readonly hidden?: true
  /** Default that is shown; always text there. */
  readonly fallback?: string
  /** Canonical name of the argument; null: it is accepted and ignored. */
  readonly as: string | null
}

/** A tool of the core under the name and with the fields that XAgent knows. */
export interface XAgentTool {
  /** Name without its env's. */
  readonly name: string
  /** Canonical name of the tool. */
  readonly tool: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  /** Arguments for the core besides the caller's. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Title and words by which the tool is found. */
  readonly title?: string
  /** True for a tool hidden from lists, but found by name. */
  readonly hidden?: true
  /** Id of a registered tool: `tool` calls it, and takes any arguments. */
  readonly registered?: string
  /** Exception for a missing thing, where it is a special one. */
  readonly missing?: 'FileNotFoundError'
  /** Value that a client gets for the result. */
  value(result: Result): unknown
  /** `detail` of a 500 in the tool's own form, for a failure, or for a result that is one to this client; else undefined. */
  failed?(answer: { readonly result: Result } | { readonly failure: Failure }): unknown
}

/** A toolkit, as XAgent calls it. */
export interface Env {
  /** Name without `_`, which ends it in a tool's full name. */
  readonly name: string
  readonly description: string
  /** True for an env whose tools are hidden from lists, but found by name. */
  readonly hidden?: true
  /** Tools by name. */
  readonly tools: readonly XAgentTool[]
}

const text = ({ text }: Result) => text

const filepath: Parameter = {
  name: 'filepath',
  type: 'string',
  description: 'Path of the file, relative to the root of the workspace.',
  as: 'file_path',
}

const SearchResults = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), description: z.string() })),
})

const ReadResults = z.object({
  results: z.array(z.object({ title: z.string(), description: z.string(), page: z.string() })),
})

/** Goals, which the client asks a model to look for in the answer; the published server ignores them too. */
const goals: Parameter = {
  name: 'goals_to_browse',
  type: 'string',
  description: 'What you want to find there.',
  as: null,
}

/** Region of Bing, which the published server searches; here the configured service searches. */
const region: Parameter = {
  name: 'region',
  type: 'string',
  description: 'Region code of the search, e.g. en-US. Taken for compatibility; it changes nothing.',
  optional: true,
  as: null,
}

export const ENVS: readonly Env[] = [
  {
    name: 'FileSystemEnv',
    description: 'Read, write and list the files of the workspace.',
    tools: [
      {
        name: 'print_filesys_struture',
        tool: 'file_tree',
        description: `Show all folders and files of the workspace as a tree, ${MAX_TREE_FILES_PER_DIRECTORY} files of each folder at most. Use it when you do not know what is there.`,
        parameters: [
          {
            name: 'return_root',
            type: 'boolean',
            description: 'Begin with the path of the workspace.',
            optional: true,
            hidden: true,
            as: 'show_root',
          },
        ],
        value: text,
      },
      {
        name: 'read_from_file',
        tool: 'file_read_numbered',
        missing: 'FileNotFoundError',
        description:
          `Read a text file of the workspace; each line stands behind its number. Returns at most ${MAX_NUMBERED_CHARS} characters.\n` +
          'Not needed for a file that was just written: writing returns what the file is then.',
        parameters: [
          filepath,
          {
            name: 'line_number',
            type: 'integer',
            description: 'The first line to read, from 1; -3 for the last three. Default: 1, the whole file.',
            optional: true,
            as: 'start_line',
          },
        ],
        value: text,
      },
      {
        name: 'write_to_file',
        tool: 'file_edit_lines',
        missing: 'FileNotFoundError',
        description:
          'Write lines into a text file of the workspace, which is made if it is not there, and return the whole file with ' +
          'line numbers.\nWithout line_number the content goes to the end of the file; with it, before that line, or with ' +
          'overwrite over the lines from there on.',
        parameters: [
          filepath,
          {
            name: 'truncating',
            type: 'boolean',
            description: 'True to empty the file first. Default: false.',
            optional: true,
            as: 'truncating',
          },
          {
            name: 'line_number',
            type: 'integer',
            description: 'The line to write at, from 1. Default: the end of the file.',
            optional: true,
            as: 'line_number',
          },
          {
            name: 'overwrite',
            type: 'boolean',
            description:
              'True to replace as many lines as the content has, from line_number on. Default: false, insert.',
            optional: true,
            as: 'overwrite',
          },
          { name: 'content', type: 'string', description: 'The lines to write.', as: 'content' },
        ],
        value: text,
      },
    ],
  },
  {
    name: 'WebEnv',
    description: 'Read pages of the web, and search it.',
    tools: [
      {
        name: 'browse_website',
        tool: 'page_read',
        description: 'Read a web page: its text, then its links, one per line.',
        parameters: [
          { name: 'url', type: 'string', description: 'Address of the page, http or https.', as: 'url' },
          goals,
        ],
        value: text,
      },
      {
        name: 'search_and_browse',
        tool: 'search_and_read',
        description:
          'Search the web and read the first three results. Returns name, snippet and page text of each; where a page cannot ' +
          'be read, its text says why.',
        parameters: [
          { name: 'search_query', type: 'string', description: 'What to search for.', as: 'query' },
          goals,
          region,
          {
            name: 'num_results',
            type: 'integer',
            description: `Number of results to read, 1 to ${MAX_READ_RESULTS}. Default: 3.`,
            optional: true,
            hidden: true,
            as: 'num_results',
          },
        ],
        value: ({ data }) =>
          ReadResults.parse(data).results.map(({ title, description, page }) => ({
            name: title,
            snippet: description,
            page,
          })),
      },
    ],
  },
]

/** Tools outside of any env. */
export const FUNCTIONS: readonly XAgentTool[] = [
  {
    name: 'bing_search',
    tool: 'google_search',
    description: 'Search the web. Returns at most three results, each with url, name and snippet.',
    parameters: [{ name: 'query', type: 'string', description: 'What to search for.', as: 'query' }, region],
    fixed: { num_results: 3 },
    value: ({ data }) =>
      SearchResults.parse(data)
        .results.slice(0, 3)
        .map(({ title, url, description }) => ({ url, name: title, snippet: description })),
  },
  {
    name: 'calculator',
    tool: 'calculate',
    description: 'Calculate an arithmetic expression in Python\'s notation, e.g. "(123 + 234) / 23 * 1.5 - 8".',
    parameters: [{ name: 'expression', type: 'string', description: 'The expression.', as: 'expression' }],
    value: ({ data }) => data.result,
  },
]
