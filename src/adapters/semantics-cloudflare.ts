import * as z from 'zod'
import { sha256 } from '../core/sha256.ts'
import { utf8Length } from '../core/utf8-length.ts'
import type { Semantics } from '../ports/semantics.ts'

/** Embeds a text of any of a hundred languages as 1,024 numbers; https://developers.cloudflare.com/workers-ai/models/bge-m3/ */
const EMBEDDING_MODEL = '@cf/baai/bge-m3'
/** Reads query and text together; https://developers.cloudflare.com/workers-ai/models/bge-reranker-base/ */
const JUDGING_MODEL = '@cf/baai/bge-reranker-base'

/** Texts of one request; the model takes a hundred texts, and 60,000 tokens together. */
const TEXTS_PER_REQUEST = 50
/** Length of a text to embed, in UTF-16 units: an abstract. */
const EMBEDDED_CHARS = 3_000
/** Length of a text to judge, in UTF-16 units: the model reads 512 tokens of query and text together. */
const JUDGED_CHARS = 1_600
/** Results of one query: Vectorize gives no more. */
const MAX_NEAREST = 100
/** Length of a metadata value in bytes as far as Vectorize's metadata indexes have it: two longer ones that begin alike would be one. */
const MAX_INDEXED_BYTES = 64

const Embeddings = z.object({ data: z.array(z.array(z.number())) })
const Judgements = z.object({ response: z.array(z.object({ id: z.int(), score: z.number() })) })
const Matches = z.object({ matches: z.array(z.object({ id: z.string() })) })

/** The two bindings, with the methods used here. */
export interface SemanticBindings {
  readonly ai: {
    run(model: string, input: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<unknown>
  }
  readonly vectors: Pick<Vectorize, 'query' | 'upsert' | 'deleteByIds'>
}

/** Workers AI, and an index of Vectorize with metadata indexes over `corpus` and `year`; how to make it: wrangler.toml. */
export function cloudflareSemantics({ ai, vectors }: SemanticBindings): Semantics {
  async function embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    const text = texts.map((whole) => whole.slice(0, EMBEDDED_CHARS))
    const { data } = Embeddings.parse(await ai.run(EMBEDDING_MODEL, { text }, { signal }))
    if (data.length !== texts.length) throw new Error(`${data.length} vectors came for ${texts.length} texts`)
    return data
  }

  return {
    async put(corpus, texts, signal) {
      for (let n = 0; n < texts.length; n += TEXTS_PER_REQUEST) {
        signal.throwIfAborted()
        const some = texts.slice(n, n + TEXTS_PER_REQUEST)
        const embedded = await embed(
          some.map(({ text }) => text),
          signal,
        )
        await vectors.upsert(
          some.map(({ id, year }, at) => ({
            id,
            values: embedded[at] ?? [],
            metadata: { corpus: indexed(corpus), ...(year === null ? {} : { year }) },
          })),
        )
      }
    },

    async remove(ids) {
      if (ids.length > 0) await vectors.deleteByIds([...ids])
    },

    async nearest({ query, corpora, limit, year }, signal) {
      const [vector = []] = await embed([query], signal)
      const filter = { corpus: { $in: corpora.map(indexed) }, ...(year === undefined ? {} : { year }) }
      const found = await vectors.query(vector, { topK: Math.min(limit, MAX_NEAREST), filter, returnMetadata: 'none' })
      return Matches.parse(found).matches.map(({ id }) => id)
    },

    async judge(query, texts, signal) {
      const contexts = texts.map((text) => ({ text: text.slice(0, JUDGED_CHARS) }))
      const { response } = Judgements.parse(await ai.run(JUDGING_MODEL, { query, contexts }, { signal }))
      const scores = new Map(response.map(({ id, score }) => [id, score]))
      return texts.map((_, n) => scores.get(n) ?? 0)
    },
  }
}

/** Name of a corpus in the metadata index: itself, or its digest where it is longer than what is indexed. */
const indexed = (corpus: string) => (utf8Length(corpus) > MAX_INDEXED_BYTES ? sha256(corpus) : corpus)
