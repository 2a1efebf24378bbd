import { KEY } from '../support/provider-bench.ts'
import { jsonAnswer, type StandInAnswer, type StandInRequest } from '../support/stand-in.ts'

/** A service that has GitHub's repositories, as it answers a server that has its settings. */
export interface GitHubStandIn {
  /** As `src/adapters/providers.ts` has it. */
  readonly provider: string
  /** As errors name it. */
  readonly name: string
  /** With {@link KEY} as the operator's token. An empty one is the stand-in's URL. */
  readonly settings: Readonly<Record<string, string>>
  /**
   * Has no end of repositories for any query but `none`, which has none, and `in:`, which it does not take. Of single ones it has
   * `acme/parser`, which was once `acme/old`.
   */
  readonly answer: (request: StandInRequest) => StandInAnswer
  /** An answer to who asks too often, which ends `seconds` later. */
  readonly tooFast: (seconds: number) => StandInAnswer
  /** Token of a request; null without one. */
  readonly tokenIn: (request: StandInRequest) => string | null
}

/** Fields as GitHub sends them; those that may be null are. */
const item = (name: string, more: object = {}) => ({
  name,
  full_name: `acme/${name}`,
  description: null,
  stargazers_count: 7,
  owner: { login: 'acme' },
  license: null,
  topics: ['text'],
  ...more,
})

function asGitHub({ path, url }: StandInRequest): StandInAnswer {
  const query = url.searchParams.get('q')
  if (path === '/repos/acme/old') return { status: 301, headers: { location: '/repos/acme/parser' } }
  if (path === '/repos/acme/parser')
    return jsonAnswer(item('parser', { license: { name: 'MIT' }, subscribers_count: 3 }))
  if (query === null) return jsonAnswer({ message: 'Not Found' }, 404)
  if (query === 'in:') return jsonAnswer({ message: 'Validation Failed' }, 422)
  const [count, page] = ['per_page', 'page'].map((name) => Number(url.searchParams.get(name))) as [number, number]
  const items = Array.from({ length: count }, (_, at) => item(`r${(page - 1) * count + at}`))
  return jsonAnswer(query === 'none' ? { total_count: 0, items: [] } : { total_count: 5_000, items })
}

export const GITHUB_STAND_INS: readonly GitHubStandIn[] = [
  {
    provider: 'rest',
    name: 'GitHub',
    settings: { GITHUB_TOKEN: KEY, GITHUB_API_URL: '' },
    answer: asGitHub,
    tooFast: (seconds) => jsonAnswer({ message: `bad ${KEY}` }, 403, { 'retry-after': `${seconds}` }),
    tokenIn: ({ headers }) => headers.authorization?.replace('Bearer ', '') ?? null,
  },
]
