import * as z from 'zod'
import { RESULT_KEPT_MS } from '../../core/limits/calls.ts'
import { MAX_VIEW_TOKENS, MIN_VIEW_TOKENS, VIEW_TOKENS } from '../../core/limits/views.ts'
import type { Result } from '../../core/outcome.ts'
import { integer, optional, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { readView } from './results/view.ts'

/** Shows the kept result of an earlier call by another view. */
export const resultQuery = defineTool({
  name: 'result_query',
  description:
    'Show another part of an earlier answer that was cut, by its name result_…, without calling its tool again. The whole is kept ' +
    `for ${RESULT_KEPT_MS / 3_600_000} hours. Runs without a sandbox. Returns content, tokens and whole_tokens.`,
  effect: 'read',
  uses: ['results'],
  input: z.object({
    handle: requiredText.describe('Name of the whole, e.g. "result_call_0mp3k1x5a1b2c3d4e5f6", or the id of its call'),
    view: withDefault(requiredText, 'head_tail').describe(
      'Part to show: "head_tail", "head", "tail", "grep:PATTERN" (RE2), "lines:FROM-TO", or "jsonpath:PATH", e.g. ' +
        '"jsonpath:$.results[0:3].title". Default "head_tail"',
    ),
    max_tokens: optional(integer)
      .transform((given): number => Math.min(Math.max(given ?? VIEW_TOKENS, MIN_VIEW_TOKENS), MAX_VIEW_TOKENS))
      .describe(
        `Tokens to show, some four characters each; ${MIN_VIEW_TOKENS} to ${MAX_VIEW_TOKENS}. Default ${VIEW_TOKENS}`,
      ),
  }),

  async run({ handle, view, max_tokens }, { ports: { results } }): Promise<Result> {
    const show = readView(view)
    const { text, tokens, wholeTokens, isWhole } = show(await results.find(handle), max_tokens)
    return {
      text,
      data: { content: text, view, tokens, whole_tokens: wholeTokens, ...(!isWhole && { truncated: true }) },
    }
  },
})
