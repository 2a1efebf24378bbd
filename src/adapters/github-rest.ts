import * as z from 'zod'
import { fail } from '../core/failure.ts'
import { optional, serviceUrl } from '../core/settings.ts'
import type { Clock } from '../ports/clock.ts'
import type { GitHub, Repository, RepositoryDetails } from '../ports/github.ts'
import type { Http } from '../ports/http.ts'
import { askApi, understood } from './json-api.ts'
import { provider } from './provider.ts'

interface GitHubRestOptions {
  readonly http: Http
  readonly clock: Clock
  /** Base URL without a slash at its end. */
  readonly baseUrl: string
  /** Token for calls that bring none. */
  readonly token: string | null
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const count = z
  .number()
  .nullish()
  .transform((value) => value ?? 0)
const yes = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false)

const Item = z.object({
  name: z.string(),
  full_name: z.string(),
  description: text,
  html_url: text,
  clone_url: text,
  ssh_url: text,
  stargazers_count: count,
  forks_count: count,
  watchers_count: count,
  language: text,
  created_at: text,
  updated_at: text,
  pushed_at: text,
  size: count,
  default_branch: text,
  owner: z.object({ login: text, avatar_url: text, html_url: text }),
  license: z.object({ name: text }).nullish(),
  topics: z.array(z.string()).default([]),
  archived: yes,
  disabled: yes,
  private: yes,
})
const Page = z.object({ total_count: z.number(), incomplete_results: yes, items: z.array(Item) })
const Details = Item.extend({
  homepage: text,
  has_issues: yes,
  has_projects: yes,
  has_wiki: yes,
  has_pages: yes,
  open_issues_count: count,
  network_count: count,
  subscribers_count: count,
})

export const githubRest = provider({
  name: 'rest',
  port: 'github',
  about: "GitHub, for calls that bring no token; without one it has GitHub's low limit",
  settings: { GITHUB_TOKEN: optional, GITHUB_API_URL: serviceUrl('https://api.github.com') },
  needs: [],
  make: ({ GITHUB_TOKEN, GITHUB_API_URL }, { http, clock }) =>
    restGithub({ http: http(GITHUB_API_URL), clock, baseUrl: GITHUB_API_URL, token: GITHUB_TOKEN }),
})

/** {@link GitHub} over its REST interface. @see https://docs.github.com/rest */
function restGithub(options: GitHubRestOptions): GitHub {
  const get = (path: string, token: string | undefined, signal: AbortSignal) => ask(options, path, token, signal)
  return {
    async searchRepositories({ query, sort, order, perPage, page }, token, signal) {
      const searchParams = new URLSearchParams({ q: query, sort, order, per_page: `${perPage}`, page: `${page}` })
      const { status, json } = await get(`/search/repositories?${searchParams}`, token, signal)
      if (status === 422) fail('invalid_input', `Invalid search query: ${query}${beyond(page * perPage)}`)
      if (status !== 200) unforeseen(status)
      const { total_count, incomplete_results, items } = understood(Page, json, 'GitHub')
      return { total_count, incomplete_results, repositories: items.map(toRepository) }
    },

    async repository(fullName, token, signal): Promise<RepositoryDetails> {
      const path = fullName.split('/').map(encodeURIComponent).join('/')
      const { status, json } = await get(`/repos/${path}`, token, signal)
      if (status === 404) {
        fail('not_found', `Repository not found: ${fullName}; a private one needs a token that may read it`)
      }
      if (status !== 200) unforeseen(status)
      const found = understood(Details, json, 'GitHub')
      const { homepage, has_issues, has_projects, has_wiki, has_pages } = found
      const { open_issues_count, network_count, subscribers_count } = found
      return {
        ...toRepository(found),
        ...{ homepage, has_issues, has_projects, has_wiki, has_pages },
        ...{ open_issues_count, network_count, subscribers_count },
      }
    },
  }
}

async function ask(
  { http, clock, baseUrl, token }: GitHubRestOptions,
  path: string,
  given: string | undefined,
  signal: AbortSignal,
) {
  const used = given || token
  const headers = {
    Accept: 'application/vnd.github+json',
    'X-GitHub-Api-Version': '2022-11-28',
    ...(used && { Authorization: `Bearer ${used}` }),
  }
  // A repository that was renamed answers by a redirect within the same origin.
  const answer = await askApi(http, { url: `${baseUrl}${path}`, headers }, signal, 2)
  if (answer.status === 401) {
    const whose = given ? 'the token' : 'the token in GITHUB_TOKEN'
    fail('forbidden', `GitHub authentication failed: ${whose} is wrong or has expired; give another one`)
  }
  if (answer.status === 403 || answer.status === 429)
    refused(answer.headers, { hasToken: Boolean(used), now: clock.now() })
  return answer
}

/** Error for a refused request. @see https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
function refused(headers: Headers, { hasToken, now }: { readonly hasToken: boolean; readonly now: number }): never {
  const wait = waitSeconds(headers, now)
  if (wait === null) {
    fail(
      'forbidden',
      `GitHub refuses this: ${hasToken ? 'the token has no right to it' : 'it needs a token; give token'}`,
    )
  }
  const retryAt = new Date(now + wait * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
  const more = hasToken ? '' : ', or give token (or set GITHUB_TOKEN): the limit is much higher with one'
  fail('limit_exceeded', `GitHub API rate limit exceeded; try again in ${wait} seconds, at ${retryAt}${more}`, {
    data: { retry_after_seconds: wait, retry_at: retryAt },
  })
}

/**
 * Seconds until the rate limit ends.
 * @returns null when it is no rate limit
 */
function waitSeconds(headers: Headers, now: number): number | null {
  const after = Number(headers.get('retry-after') ?? Number.NaN)
  if (Number.isFinite(after)) return Math.max(1, Math.ceil(after))
  if (headers.get('x-ratelimit-remaining') !== '0') return null
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN)
  return Number.isFinite(reset) ? Math.max(1, Math.ceil(reset - now / 1000)) : 60
}

const unforeseen = (status: number): never => fail('upstream', `GitHub API error: ${status}; try again later`)

const beyond = (last: number) => (last > 1000 ? '; GitHub gives the first 1000 results only, ask for a lower page' : '')

function toRepository(item: z.output<typeof Item>): Repository {
  return {
    name: item.name,
    full_name: item.full_name,
    description: item.description,
    html_url: item.html_url,
    clone_url: item.clone_url,
    ssh_url: item.ssh_url,
    stars: item.stargazers_count,
    forks: item.forks_count,
    watchers: item.watchers_count,
    language: item.language,
    created_at: item.created_at,
    updated_at: item.updated_at,
    pushed_at: item.pushed_at,
    size: item.size,
    default_branch: item.default_branch,
    owner: item.owner,
    license: item.license?.name ?? '',
    topics: item.topics,
    archived: item.archived,
    disabled: item.disabled,
    private: item.private,
  }
}
