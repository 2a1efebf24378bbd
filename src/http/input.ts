import type * as z from 'zod'
import { fail } from '../core/failure.ts'
import { safeRead } from '../core/safe-read.ts'
import { describeIssues } from '../tools/registry.ts'
import { parseJson, readBodyText } from './json.ts'

/**
 * JSON of a body, checked against `schema`.
 * @param parse `parseExactJson` for a body with arguments of a tool
 * @throws FailureError `invalid_input`, `limit_exceeded`
 */
export async function readInput<S extends z.ZodType>(
  request: Request,
  schema: S,
  { parse, isOptional }: { readonly parse?: Parse | undefined; readonly isOptional?: boolean | undefined } = {},
): Promise<z.output<S>> {
  const text = await readBodyText(request)
  return decodeInput(isOptional && text.trim() === '' ? '{}' : text, schema, parse)
}

type Parse = typeof parseJson

/** Input from the body's text; otherwise as {@link readInput}. */
export function decodeInput<S extends z.ZodType>(body: string, schema: S, parse = parseJson): z.output<S> {
  const parsed = parse(body)
  if (!parsed.ok) fail('invalid_input', `the body is not JSON: ${parsed.message} (character ${parsed.at})`)
  return parseInput(parsed.value, schema)
}

/** Input checked against `schema`. @throws FailureError `invalid_input` naming each mismatched field */
export function parseInput<S extends z.ZodType>(input: unknown, schema: S): z.output<S> {
  const parsed = safeRead(schema, input)
  return parsed.success ? parsed.data : fail('invalid_input', describeIssues(parsed.error))
}
