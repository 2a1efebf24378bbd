/** GitHub's repositories. Adapter: `github-rest`. Fields are named as GitHub names them, and as tools answer with them. */
export interface GitHub {
  /**
   * Repositories that match a search.
   * @param token that of the operator when absent; none when there is none either
   * @throws FailureError `limit_exceeded` with `retry_at` in its data, `forbidden`, `invalid_input`, `upstream`, `timeout`
   */
  searchRepositories(search: RepositorySearch, token: string | undefined, signal: AbortSignal): Promise<RepositoryPage>
  /**
   * Facts of one repository.
   * @throws FailureError as above, and `not_found`
   */
  repository(fullName: string, token: string | undefined, signal: AbortSignal): Promise<RepositoryDetails>
}

interface RepositorySearch {
  /** Query with GitHub's qualifiers, e.g. `parser in:name`. */
  readonly query: string
  readonly sort: 'stars' | 'forks' | 'updated'
  readonly order: 'asc' | 'desc'
  /** Results per page, at most 100. */
  readonly perPage: number
  /** Page number, from 1. */
  readonly page: number
}

interface RepositoryPage {
  readonly total_count: number
  /** True when GitHub ran out of time and left some results out. */
  readonly incomplete_results: boolean
  readonly repositories: readonly Repository[]
}

export interface Repository {
  readonly name: string
  readonly full_name: string
  readonly description: string
  readonly html_url: string
  readonly clone_url: string
  readonly ssh_url: string
  readonly stars: number
  readonly forks: number
  readonly watchers: number
  readonly language: string
  readonly created_at: string
  readonly updated_at: string
  readonly pushed_at: string
  /** Size in KiB. */
  readonly size: number
  readonly default_branch: string
  readonly owner: { readonly login: string; readonly avatar_url: string; readonly html_url: string }
  /** Name of the license; empty when there is none. */
  readonly license: string
  readonly topics: readonly string[]
  readonly archived: boolean
  readonly disabled: boolean
  readonly private: boolean
}

export interface RepositoryDetails extends Repository {
  readonly homepage: string
  readonly has_issues: boolean
  readonly has_projects: boolean
  readonly has_wiki: boolean
  readonly has_pages: boolean
  readonly open_issues_count: number
  readonly network_count: number
  readonly subscribers_count: number
}
