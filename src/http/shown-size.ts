import { fail } from '../core/failure.ts'
import { HELD_VALUE_CHARS, MAX_HELD_TOOL_CHARS } from '../core/limits/tool-search.ts'
import { jsonSize } from '../registry/chain/json-size.ts'

/** Size of a shown tool in an isolate's memory, as MAX_HELD_TOOL_CHARS counts it. */
export function shownChars(tool: object): number {
  const { chars, values } = jsonSize(tool)
  return chars + HELD_VALUE_CHARS * values
}

/** Refuses tools that are too large together, as others have theirs in the same isolate. @throws FailureError `limit_exceeded` */
export function refuseTooLarge(chars: number): void {
  if (chars > MAX_HELD_TOOL_CHARS) {
    fail(
      'limit_exceeded',
      `the names, descriptions and schemas of the registered tools are too much to be shown together: more than ${MAX_HELD_TOOL_CHARS} characters, each value in a schema counted as ${HELD_VALUE_CHARS} more (MAX_HELD_TOOL_CHARS); register fewer, or with smaller schemas`,
    )
  }
}
