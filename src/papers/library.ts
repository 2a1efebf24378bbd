import type { TenantId } from '../core/ids.ts'
import { sha256 } from '../core/sha256.ts'
import type { Clock } from '../ports/clock.ts'
import type { Database } from '../ports/database.ts'
import type { PaperStore, Papers, PapersAnswer } from '../ports/papers.ts'
import type { Semantics } from '../ports/semantics.ts'
import { answers } from './answers.ts'
import { PUBLIC } from './corpora.ts'
import { embeddingsOf } from './embeddings.ts'
import { paperStore } from './paper-store.ts'
import { RANKING_VERSION } from './rank.ts'
import { contentOf, findPaper, passagesOf, wholeText } from './reading.ts'
import { searchAbstracts, searchDetails, withinLimits } from './search.ts'
import { health, info, stats } from './service.ts'
import { textFields } from './text-available.ts'

interface LibraryParts {
  readonly db: Database
  /** Tenant that reads the public papers and its own, and writes its own. `null`: the operator, who writes the public ones. */
  readonly reader: TenantId | null
  readonly clock: Clock
  /** Semantic search beside the search by words; null for none. */
  readonly semantics: Semantics | null
}

/** Papers in a database, tables of `migrations/0002_papers.sql`: what one reader may see and write. docs/papers.md says how it ranks. */
export function paperLibrary({ db, reader, clock, semantics }: LibraryParts): Papers & PaperStore {
  const who = reader ?? PUBLIC
  const remembered = answers(db, who, clock)
  const embeddings = semantics === null ? null : embeddingsOf(semantics)
  const semantic = embeddings !== null

  return {
    ...paperStore({ db, owner: who, embeddings }),

    async searchAbstracts(given, signal) {
      const input = withinLimits(given)
      const question = digest([
        RANKING_VERSION,
        'abstracts',
        input.query,
        input.k,
        input.m,
        input.year ?? null,
        semantic,
      ])
      const known = await remembered.find(question)
      if (known) return known
      const { answer, corpora, whole } = await searchAbstracts({ db, reader: who, embeddings }, input, signal)
      if (whole) await remembered.keep(question, answer, corpora)
      return answer
    },

    async searchDetails(given, signal) {
      const input = withinLimits(given)
      const question = digest([RANKING_VERSION, 'details', input.query, input.fileId, input.k, input.m, semantic])
      const known = await remembered.find(question)
      if (known) return known
      const { answer, corpora, whole } = await searchDetails({ db, reader: who, embeddings }, input, signal)
      if (whole) await remembered.keep(question, answer, corpora)
      return answer
    },

    async paper(fileId) {
      const paper = await findPaper(db, who, fileId)
      const content = wholeText(await passagesOf(db, paper))
      const { id, title, year, abstract } = paper
      return { file_id: id, title, publish_year: year, abstract, content, ...textFields(paper) }
    },

    async chunks(fileId) {
      const paper = await findPaper(db, who, fileId)
      const chunks = (await passagesOf(db, paper)).map((passage) => ({
        doc_id: passage.docId,
        index: passage.index,
        char_count: contentOf(passage).length,
      }))
      return { file_id: paper.id, chunk_count: chunks.length, chunks, ...textFields(paper) }
    },

    async passages(fileId, docIds) {
      const paper = await findPaper(db, who, fileId)
      const all = new Map((await passagesOf(db, paper)).map((passage) => [passage.docId, passage]))
      const wanted = docIds === undefined ? [...all.keys()] : [...new Set(docIds)]
      const contents: PapersAnswer[] = []
      const missing: string[] = []
      for (const docId of wanted) {
        const passage = all.get(docId)
        if (passage) contents.push({ doc_id: docId, content: contentOf(passage) })
        else missing.push(docId)
      }
      return { file_id: paper.id, contents, missing, ...textFields(paper) }
    },

    stats: () => stats(db, who),
    health: () => health(db, who, semantic),
    info: async () => info(semantic),
    cacheStats: async () => ({ ...(await remembered.stats()) }),
    cacheClear: async () => remembered.clear(),
  }
}

const digest = (question: readonly unknown[]) => sha256(JSON.stringify(question))
