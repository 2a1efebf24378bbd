import { MAX_ANSWER_CHARS } from '../../../../core/limits/answers.ts'
import { VIEW_TOKENS } from '../../../../core/limits/views.ts'
import type { Result } from '../../../../core/outcome.ts'
import { readView, type ShownView } from '../../../../tools/files/results/view.ts'
import { spelled } from '../../../alike-names.ts'
import type { Services } from '../../../dialect.ts'
import { parametersOf } from '../../../parameters/checked-call.ts'
import type { NewCall } from './call-schemas.ts'

/** View that a request asks for. */
export interface ResultView {
  readonly name: string
  show(result: Result): ShownView
  /** Start and end of a text, of as many tokens as the view has. */
  cut(text: string): string
}

/**
 * The view that a request asks for; undefined when it asks for none.
 * @throws FailureError `invalid_input`, `limit_exceeded`
 */
export function viewOf(given: { readonly view?: string | undefined; readonly max_tokens?: number | undefined }) {
  if (given.view === undefined && given.max_tokens === undefined) return undefined
  const { view: name = 'head_tail', max_tokens: tokens = VIEW_TOKENS } = given
  const show = readView(name)
  const ends = readView('head_tail')
  return {
    name,
    show: (result: Result) => show(result, tokens),
    cut: (text: string) => ends({ text, data: {} }, tokens).text,
  } satisfies ResultView
}

/** The call with all that its tool can answer, where its caller names no length: a view is of the whole. */
export function withLongAnswer(services: Services, input: NewCall): NewCall {
  const given = { ...input.args, ...input.arguments }
  const synonyms = parametersOf(services).get(input.tool)?.synonyms
  if (!synonyms?.has(spelled(LENGTH))) return input
  if (Object.keys(given).some((name) => synonyms.get(spelled(name)) === LENGTH)) return input
  const { args: _, ...rest } = input
  return { ...rest, arguments: { ...given, [LENGTH]: MAX_ANSWER_CHARS } }
}

/** Argument by which tools take the length of their answers. */
const LENGTH = 'max_chars'
