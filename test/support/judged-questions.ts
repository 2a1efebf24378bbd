import { readFileSync } from 'node:fs'
import type { Judgements } from '../../bench/ranking.ts'
import { isCjk } from '../../src/retrieval/tokenize.ts'

export interface JudgedQuestion {
  readonly question: string
  /** 2 for what answers it, 1 for what answers it in part, by id. */
  readonly judged: Judgements
}

/** The questions of a file of test/judged; its README has the form. */
export function judgedQuestions(file: string): JudgedQuestion[] {
  const lines = readFileSync(`test/judged/${file}`, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => {
    const [question = '', ids = ''] = line.split('\t')
    const grades = ids.split(' ').map((id): [string, number] => (id.startsWith('(') ? [id.slice(1, -1), 1] : [id, 2]))
    return { question, judged: new Map(grades) }
  })
}

export const isChinese = ({ question }: JudgedQuestion) => [...question].some(isCjk)

export const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
