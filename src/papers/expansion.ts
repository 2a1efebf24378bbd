import { type Database, type DatabaseRow, type Statement, sql } from '../ports/database.ts'
import { bilingualDictionary } from '../retrieval/bilingual-dictionary.ts'
import { isCjk, queryTerms, terms } from '../retrieval/tokenize.ts'
import TOOL_TABLE from '../retrieval/tool-dictionary.json' with { type: 'json' }
import { type TermRow, termsOf, type Vocabulary, vocabularyFrom } from './candidates.ts'
import { type Corpus, corporaOf, VISIBLE } from './corpora.ts'
import type { Question } from './rank.ts'
import SCIENCE_TABLE from './science-dictionary.json' with { type: 'json' }

const DICTIONARY = bilingualDictionary(SCIENCE_TABLE, TOOL_TABLE)

/** Weight of an English word for a Chinese one, where the corpora do not have the Chinese; and where they have it. */
const DICTIONARY_WEIGHT = 0.7
const DICTIONARY_WEIGHT_BESIDE = 0.1
/** Share of a Chinese query's words from which the query counts as known to the corpora. */
const KNOWN_PART = 0.5
/** Weight of an abbreviation for its long form, and of each word of an abbreviation's long form. */
const SHORT_WEIGHT = 0.5
const LONG_WEIGHT = 0.3
/** Papers that must agree on what an abbreviation stands for. */
const AGREEING_PAPERS = 2
/** Longest written-out form that is looked for, in terms. */
const LONG_TERMS = 6

/** Expands a query: English words for Chinese ones, abbreviations and their long forms. */
export async function expand(
  db: Database,
  reader: string,
  text: string,
): Promise<{ question: Question; vocabulary: Vocabulary }> {
  const wanted = queryTerms(text)
  const english = terms(DICTIONARY.english(text).join(' '))
  const [corpora, rows, found] = (await db.batch([
    corporaOf(reader),
    termsOf(reader, [...wanted, ...english]),
    formsOf(reader, wanted),
  ])) as [Corpus[], TermRow[], FormRow[]]
  const forms = commonestForms(found)
  const further = forms
    .flatMap(({ short, long }) => [short, ...long.split(' ')])
    .filter((term) => !wanted.includes(term))
  const vocabulary = vocabularyFrom(corpora, [
    ...rows,
    ...(further.length === 0 ? [] : await db.rows<TermRow>(termsOf(reader, further))),
  ])
  const more = new Map<string, number>()
  const add = (term: string, weight: number) => {
    if (!wanted.includes(term)) more.set(term, Math.max(weight, more.get(term) ?? 0))
  }
  const weight = knownPart(wanted, vocabulary) < KNOWN_PART ? DICTIONARY_WEIGHT : DICTIONARY_WEIGHT_BESIDE
  for (const term of english) add(term, weight)
  for (const { short, long } of forms) {
    if (wanted.includes(short)) for (const term of long.split(' ')) add(term, LONG_WEIGHT)
    else add(short, SHORT_WEIGHT)
  }
  return { question: withKindsLess(wanted, more), vocabulary }
}

/** Words for a kind of paper, and their weight beside the words for its subject: in a small corpus they are the rarest of all. */
const KINDS: ReadonlySet<string> = new Set(terms('survey review overview tutorial'))
const KIND_WEIGHT = 0.3
/** Other terms from which a query has a subject. */
const SUBJECT_TERMS = 2

/** A question with less weight on the words for a kind of paper, when it has a subject besides. */
function withKindsLess(wanted: readonly string[], more: ReadonlyMap<string, number>): Question {
  const subject = wanted.filter((term) => !KINDS.has(term))
  if (subject.length === wanted.length || subject.length < SUBJECT_TERMS) return { terms: wanted, more }
  const kinds = wanted.filter((term) => KINDS.has(term))
  return { terms: subject, more: new Map([...more, ...kinds.map((term) => [term, KIND_WEIGHT] as const)]) }
}

/** Share of the query's Chinese words, as pairs of characters, that stand in any paper. */
function knownPart(wanted: readonly string[], { statistics }: Vocabulary): number {
  const pairs = wanted.filter((term) => term.length > 1 && isCjk(term))
  return pairs.length === 0 ? 1 : pairs.filter((term) => statistics.frequency(term) > 0).length / pairs.length
}

interface FormRow extends DatabaseRow {
  short: string
  long: string
  papers: number
}

/** Statement for abbreviations in a query that papers explain, and for abbreviations of its written-out forms. */
function formsOf(reader: string, wanted: readonly string[]): Statement {
  const written: string[] = []
  for (let start = 0; start < wanted.length; start++) {
    for (let end = start + 2; end <= Math.min(wanted.length, start + LONG_TERMS); end++) {
      written.push(wanted.slice(start, end).join(' '))
    }
  }
  return sql(
    `SELECT short, long, sum(papers) AS papers FROM paper_short_forms
     WHERE corpus IN ${VISIBLE}
       AND (short IN (SELECT value FROM json_each(?2)) OR long IN (SELECT value FROM json_each(?3)))
     GROUP BY short, long HAVING sum(papers) >= ${AGREEING_PAPERS} ORDER BY papers DESC, short, long LIMIT 100`,
    reader,
    JSON.stringify([...new Set(wanted)]),
    JSON.stringify(written),
  )
}

/** Each abbreviation with what most papers mean by it. */
function commonestForms(rows: readonly FormRow[]): FormRow[] {
  const commonest = new Map<string, FormRow>()
  for (const row of rows) if (!commonest.has(row.short)) commonest.set(row.short, row)
  return [...commonest.values()]
}
