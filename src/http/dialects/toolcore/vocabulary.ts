import type { Vocabulary } from '../../../core/saying/worded.ts'

/** Names that a client of Toolcore knows: those of its call, and no tool but the registered ones. */
export const VOCABULARY: Vocabulary = {
  tool: () => null,
  field: (name) => (CALL_FIELDS.has(name) ? name : null),
  places: { directory: 'workspace', root: 'workspace', session: 'session', 'session id': 'agent_id' },
}

/** Arguments of the core's `registered_call` that a client gives by the same names. */
const CALL_FIELDS: ReadonlySet<string> = new Set(['tool_id', 'args', 'context'])
