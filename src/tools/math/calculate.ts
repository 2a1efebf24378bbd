import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_EXPRESSION_CHARS } from '../../core/limits/math.ts'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { evaluate } from './expression.ts'

/**
 * Calculates. Source: XAgent ToolServer, extensions/tools/calculator.py; there any Python is run, here an expression is
 * read.
 */
export const calculate = defineTool({
  name: 'calculate',
  description:
    'Calculate an arithmetic expression in Python\'s notation, e.g. "(123 + 234) / 23 * 1.5 - 8" or "sqrt(2) ** 3". Runs ' +
    'without a sandbox. Returns result; whole numbers are exact. For more than arithmetic use execute_code.',
  effect: 'read',
  uses: [],
  input: z.object({
    expression: requiredText.describe(
      `Numbers, + - * / // % **, brackets, pi, e, tau, and functions such as sqrt, log, sin, round, max, factorial; at most ${MAX_EXPRESSION_CHARS} characters`,
    ),
  }),

  async run({ expression }) {
    if (expression.length > MAX_EXPRESSION_CHARS) {
      fail(
        'limit_exceeded',
        `the expression has more than ${MAX_EXPRESSION_CHARS} characters (MAX_EXPRESSION_CHARS); calculate it in parts`,
      )
    }
    const value = evaluate(expression)
    const text = String(value)
    // JSON has no whole numbers beyond 2^53 that every reader takes exactly.
    const exact = typeof value === 'number' || BigInt.asIntN(54, value) === value ? Number(value) : text
    return { text, data: { expression, result: exact } }
  },
})
