import * as z from 'zod'
import type { Repository } from '../../ports/github.ts'
import { integer, optional, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { githubToken } from './github-token.ts'
import { saying } from './saying.ts'

/** Largest page that GitHub gives. */
const MAX_PER_PAGE = 100

/** Source: Tool Server, tools/github_tools, GitHubSearchTool; unlike there, it works without a token too. */
export const githubSearchRepositories = defineTool({
  name: 'github_search_repositories',
  description:
    "Search GitHub repositories by words in their names, by GitHub's API. Returns name, description, stars, language, " +
    'license and clone URL of each. Read one in detail with github_get_repository_info, get it with git_clone.',
  effect: 'fetch',
  uses: ['github', 'secrets'],
  secretArgs: ['token'],
  input: z.object({
    query: requiredText.describe('Words to look for in repository names, e.g. "machine learning"'),
    sort: withDefault(z.enum(['stars', 'forks', 'updated']), 'stars').describe(
      '"stars" (default), "forks" or "updated"',
    ),
    order: withDefault(z.enum(['desc', 'asc']), 'desc').describe('"desc" (default) or "asc"'),
    per_page: withDefault(integer, 10).describe(`Results per page, 1 to ${MAX_PER_PAGE}. Default 10`),
    page: withDefault(integer, 1).describe('Page, from 1. Default 1'),
    token: optional(z.string()).describe(
      'GitHub token, for a higher rate limit. Default: your secret GITHUB_TOKEN, if there is one',
    ),
  }),

  async run({ query, sort, order, per_page, page, token }, { ports: { github, secrets }, signal }) {
    const search = {
      query: `${query} in:name`,
      sort,
      order,
      perPage: Math.min(Math.max(per_page, 1), MAX_PER_PAGE),
      page: Math.max(page, 1),
    }
    const request = async () => github.searchRepositories(search, await githubToken(token, secrets), signal)
    const found = await saying('GitHub search error: ', request())
    const { total_count, incomplete_results, repositories } = found
    return {
      text: [`${total_count} repositories, page ${search.page}:`, ...repositories.map(line)].join('\n'),
      data: {
        total_count,
        incomplete_results,
        current_page: search.page,
        per_page,
        query,
        sort,
        order,
        repositories,
      },
    }
  },
})

const line = ({ full_name, stars, language, description }: Repository) =>
  `- ${full_name} (${stars} stars${language && `, ${language}`})${description && `: ${description}`}`
