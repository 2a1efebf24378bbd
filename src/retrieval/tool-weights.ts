/** Fields of a tool that are searched, in the order that ToolTerms has them. */
export const TOOL_FIELDS = [
  'name',
  'toolkit',
  'description',
  'parameterNames',
  'parameterTexts',
  'category',
  'returns',
  'dictionary',
] as const
export type ToolField = (typeof TOOL_FIELDS)[number]

interface FieldWeight {
  readonly weight: number
  /** BM25's b: 0 leaves a field unscaled, 1 divides by its length over the mean length. */
  readonly lengthNorm: number
}

/** Weights of each field of a tool, and of each kind of evidence. docs/retrieval.md has what each brings. */
export interface ToolWeights {
  readonly fields: Readonly<Record<ToolField, FieldWeight>>
  /** BM25's k1: the higher, the more a term's repetition counts. */
  readonly saturation: number
  /** Weight of a term near the question's in meaning, before its similarity. */
  readonly neighbour: number
  /** English words that the question's Chinese words mean: of each word the one that fits the tool best, */
  readonly dictionary: number
  /** and this part of what its others give. */
  readonly otherSenses: number
  /** Exponent of a term's evidence: below 1 many fitting terms count more than a rare one. */
  readonly flattening: number
  /** Weight of a single Chinese character against a pair of them. */
  readonly character: number
  /** Weight of a pair of Chinese characters that belong to two words. */
  readonly acrossWords: number
  /** Weight of quoted text: a value for a tool more often than a word about one. */
  readonly quoted: number
  /** Weight of the clause that the tool answers best, beside the whole question. */
  readonly clause: number
  /** Weight of the mean of the other clauses, beside that one. */
  readonly otherClauses: number
  /** Weight for the tool that answers a clause clearly better than all others. */
  readonly clauseLead: number
  /** Weight of runs of four letters that question and name have in common. */
  readonly grams: number
  /** Weight of two terms side by side in both. */
  readonly pairs: number
  /** Weight of the share of the name's terms that the question has. */
  readonly nameShare: number
}

export const TOOL_WEIGHTS: ToolWeights = {
  fields: {
    name: { weight: 2.5, lengthNorm: 0.3 },
    toolkit: { weight: 3, lengthNorm: 0.3 },
    description: { weight: 1, lengthNorm: 0.4 },
    parameterNames: { weight: 1.6, lengthNorm: 0.3 },
    parameterTexts: { weight: 1, lengthNorm: 0.5 },
    category: { weight: 1, lengthNorm: 0.3 },
    returns: { weight: 0.3, lengthNorm: 0.5 },
    dictionary: { weight: 0.7, lengthNorm: 0.5 },
  },
  saturation: 3,
  neighbour: 0.75,
  dictionary: 1.2,
  otherSenses: 0.2,
  flattening: 0.85,
  character: 0.8,
  acrossWords: 0.5,
  quoted: 0.3,
  clause: 0.6,
  otherClauses: 1,
  clauseLead: 0.1,
  grams: 0.3,
  pairs: 0.03,
  nameShare: 0.1,
}
