import type { PageProps } from '../../parts/page.ts'
import { Questions } from './list.tsx'

/** One question of an agent, beside the others that wait. */
export function QuestionPage({ params }: PageProps) {
  const { session = '', question: id = '' } = params
  return <Questions chosen={{ session, id }} />
}
