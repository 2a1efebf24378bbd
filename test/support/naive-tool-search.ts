import type { Neighbours } from '../../src/retrieval/neighbours.ts'
import { isCjk } from '../../src/retrieval/tokenize.ts'
import type { FoundTool } from '../../src/retrieval/tool-index.ts'
import { type QueryTerms, readQuestion } from '../../src/retrieval/tool-question.ts'
import { grams, type ToolTerms } from '../../src/retrieval/tool-terms.ts'
import { TOOL_FIELDS, TOOL_WEIGHTS as W } from '../../src/retrieval/tool-weights.ts'

/** Ranking as docs/retrieval.md describes it: no postings, no caches, every tool read anew. */
export function naiveToolSearch(tools: readonly ToolTerms[], question: string, neighbours?: Neighbours): FoundTool[] {
  const query = readQuestion(question, W)
  const fields = new Map(tools.map((tool) => [tool, TOOL_FIELDS.map((_, f) => split(tool.fields[f] ?? ''))]))
  const fieldsOf = (tool: ToolTerms) => fields.get(tool) ?? []
  const idfOf = (having: number) => Math.log(1 + (tools.length - having + 0.5) / (having + 0.5))
  const meanLength = TOOL_FIELDS.map((_, f) => average(tools.map((tool) => fieldsOf(tool)[f]?.length ?? 0)))
  const has = (tool: ToolTerms, term: string) => fieldsOf(tool).some((terms) => terms.includes(term))
  const df = (term: string) => tools.filter((tool) => has(tool, term)).length

  const frequency = (tool: ToolTerms, term: string) => {
    const sum = TOOL_FIELDS.reduce((total, name, f) => {
      const terms = fieldsOf(tool)[f] ?? []
      const { weight, lengthNorm } = W.fields[name]
      const count = terms.filter((other) => other === term).length
      return total + (weight * count) / (1 - lengthNorm + (lengthNorm * terms.length) / (meanLength[f] || 1))
    }, 0)
    return (sum * (W.saturation + 1)) / (sum + W.saturation)
  }
  const fitOf = (tool: ToolTerms, term: string) => {
    const own = df(term) > 0 ? idfOf(df(term)) : Number.POSITIVE_INFINITY
    let best = has(tool, term) ? frequency(tool, term) * own * (isCjk(term) && term.length === 1 ? W.character : 1) : 0
    neighbours?.each(term, (near, similarity) => {
      if (!has(tool, near)) return
      best = Math.max(best, W.neighbour * similarity * Math.min(own, idfOf(df(near))) * frequency(tool, near))
    })
    return best ** W.flattening
  }
  const embeddingsOf = (tool: ToolTerms, terms: readonly string[]) => {
    const fits = terms.map((term) => fitOf(tool, term))
    const best = Math.max(0, ...fits)
    return W.dictionary * (best + W.otherSenses * (fits.reduce((sum, fit) => sum + fit, 0) - best))
  }
  const answers = ({ terms, translations }: QueryTerms) =>
    normalised(
      tools.map((tool) => {
        const byTerms = [...terms].reduce((sum, [term, weight]) => sum + weight * fitOf(tool, term), 0)
        return translations.reduce((sum, translation) => sum + embeddingsOf(tool, translation), byTerms)
      }),
    )

  const whole = answers(query.whole)
  const clauses = query.clauses.map((clause) => {
    const values = answers(clause)
    const [best = 0, second = 0] = [...values].sort((a, b) => b - a)
    const leader = values.indexOf(best)
    return values.map((value, n) =>
      n === leader && best > 0 ? best + W.clauseLead * Math.min(1, (best - second) / 0.2) : value,
    )
  })
  const clauseOf = (n: number) => {
    if (clauses.length === 0) return whole[n] ?? 0
    const values = clauses.map((clause) => clause[n] ?? 0)
    const best = Math.max(...values)
    return best + (W.otherClauses * (values.reduce((sum, value) => sum + value, 0) - best)) / values.length
  }
  const gramsOf = (tool: ToolTerms) => grams(split(tool.nameWords))
  const gramScores = normalised(
    tools.map((tool) => {
      const own = gramsOf(tool)
      const shared = [...query.grams].filter((gram) => own.has(gram))
      const rarity = (gram: string) =>
        Math.log(1 + tools.length / tools.filter((other) => gramsOf(other).has(gram)).length)
      return shared.reduce((sum, gram) => sum + rarity(gram), 0) / Math.sqrt(Math.max(1, own.size))
    }),
  )
  const hasPair = (tool: ToolTerms, pair: string) =>
    fieldsOf(tool)
      .slice(0, 5)
      .some((terms) => terms.some((term, n) => n > 0 && `${terms[n - 1]} ${term}` === pair))
  const pairs = new Set(query.sequence.slice(1).map((term, n) => `${query.sequence[n]} ${term}`))

  return tools
    .map((tool, n) => {
      let score = whole[n] ?? 0
      score += W.clause * clauseOf(n)
      score += W.grams * (gramScores[n] ?? 0)
      for (const pair of pairs) {
        if (!isCjk(pair) && hasPair(tool, pair)) score += W.pairs * idfOf(tools.filter((t) => hasPair(t, pair)).length)
      }
      if (score === 0) return { id: tool.id, score }
      for (const terms of fieldsOf(tool).slice(0, 2)) {
        const distinct = [...new Set(terms)]
        const shared = distinct.filter((term) => query.sequence.includes(term)).length
        score += distinct.length > 0 ? (W.nameShare * shared) / distinct.length : 0
      }
      return { id: tool.id, score }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

const split = (text: string) => (text === '' ? [] : text.split(' '))
const average = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

function normalised(values: readonly number[]): number[] {
  const greatest = Math.max(0, ...values)
  return values.map((value) => (greatest > 0 ? value / greatest : 0))
}
