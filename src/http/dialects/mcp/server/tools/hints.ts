import { type Hints, hintsOf } from '../../../../callable-tools/hints.ts'
import type { ToolEntry } from '../../../../callable-tools/tool-entries.ts'

/** Tools of the server that wait for others and change nothing: they look something up. */
const LOOKING_UP: ReadonlySet<string> = new Set([
  'arxiv_search', 'github_get_repository_info', 'github_search_repositories', 'google_scholar_search', 'google_search',
  'google_snippets', 'job_list', 'map_coordinates', 'map_distance', 'map_nearby', 'map_route', 'page_read', 'rag_cache_stats',
  'rag_get_paper_chunks', 'rag_get_paper_content', 'rag_get_specific_content', 'rag_get_stats', 'rag_health_check',
  'rag_search_abstracts', 'rag_search_abstracts_filtered', 'rag_search_details', 'rag_service_info', 'scholar_articles',
  'scholar_author', 'scholar_author_id', 'scholar_citation', 'search_and_read',
]) // biome-ignore format: a list of names

/** Tools whose second call with the same arguments changes nothing more. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['dir_create', 'job_stop', 'pip_install', 'rag_cache_clear'])

/** Tools that take nothing away. */
const ONLY_ADDING: ReadonlySet<string> = new Set(['dir_create', 'workspace_snapshot'])

/** Hints by effect, and by what is known of a tool of the server. */
export function hintsFor({ name, kind, effect }: Pick<ToolEntry, 'name' | 'kind' | 'effect'>): Hints {
  const hints = hintsOf(effect)
  if (kind === 'registered') return hints
  if (LOOKING_UP.has(name)) return { readOnlyHint: true, openWorldHint: name !== 'job_list' }
  return {
    ...hints,
    ...(ONLY_ADDING.has(name) && { destructiveHint: false }),
    ...(IDEMPOTENT.has(name) && { idempotentHint: true }),
  }
}
