import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_ALLOWED_TOOLS } from '../../core/limits/jobs.ts'
import { field, say } from '../../core/saying/saying.ts'
import { listFrom } from '../arguments.ts'

/** Tools that Claude Code may use when a call names none. Source: Tool Server, CodeTaskExecuteTool. */
const DEFAULT_TOOLS = ['Read', 'Write', 'Edit', 'Bash']

/**
 * Rule of an allowed tool: `Read`, `Bash(git log:*)`, `mcp__server__tool`. Nothing that a command line takes for an option
 * matches.
 */
const TOOL = /^[A-Za-z][A-Za-z0-9_]{0,99}(?:\([^()\p{Cc}]{1,200}\))?$/u

/** Allowed tools as a list, which may be JSON in a text, or as names with commas between them. */
export const toolNames = z.preprocess(listFrom, z.union([z.array(z.string()), z.string()]))

/** Checks the allowed tools; the default ones when none are given. @throws FailureError `invalid_input` */
export function allowedTools(given: z.output<typeof toolNames> | undefined): readonly string[] {
  // Commas in brackets belong to the rule around them.
  const names = (typeof given === 'string' ? (given.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? []) : (given ?? []))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) return DEFAULT_TOOLS
  if (names.length > MAX_ALLOWED_TOOLS)
    fail(
      'invalid_input',
      say`${field('allowed_tools')} has ${names.length} names; at most ${MAX_ALLOWED_TOOLS} are taken`,
    )
  const wrong = names.find((name) => !TOOL.test(name))
  if (wrong !== undefined) {
    fail(
      'invalid_input',
      say`${field('allowed_tools')}: ${JSON.stringify(wrong.slice(0, 100))} is no tool; give names like ${DEFAULT_TOOLS.join(', ')} or Bash(git log:*)`,
    )
  }
  return names
}
