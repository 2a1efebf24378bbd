import type { Name, Part, Place, Saying } from './saying.ts'
import { type NamedTool, TOOL_PHRASES } from './tool-phrases.ts'

/** Names of tools, arguments and places that callers of one dialect know. */
export interface Vocabulary {
  /** Name of a tool. @returns null for a tool that these callers do not have */
  tool(name: NamedTool): string | null
  /** Name of an argument. @returns null for an argument that the tool does not have for these callers */
  field(name: string): string | null
  readonly places: Readonly<Record<Place, string>>
  /** True where the callers run the server. */
  readonly isOwner?: true
}

/** The core's own names: those of the Tool Server, of histories and of the audit log. */
export const CANONICAL: Vocabulary = {
  tool: (name) => name,
  field: (name) => name,
  places: { directory: 'task directory', root: 'task root', session: 'task', 'session id': 'task id' },
}

/** Vocabulary of texts inside of a result, which are the same for all dialects: no tool and no argument has a name. */
export const NAMELESS: Vocabulary = {
  tool: () => null,
  field: () => null,
  places: { directory: 'workspace', root: 'workspace', session: 'session', 'session id': 'name of the session' },
}

/** The message in the names of a vocabulary. */
export const worded = (saying: Saying, vocabulary: Vocabulary = CANONICAL): string =>
  saying.map((part) => wordedPart(part, vocabulary)).join('')

function wordedPart(part: Part, vocabulary: Vocabulary): string {
  if (typeof part === 'string') return part
  if ('operator' in part) return vocabulary.isOwner ? part.operator : ''
  if (!('known' in part)) return nameOf(part, vocabulary) ?? phraseOf(part)
  const words = part.known.map((word) => (typeof word === 'string' ? word : nameOf(word, vocabulary)))
  return words.includes(null) ? part.otherwise : words.join('')
}

function nameOf(name: Name, vocabulary: Vocabulary): string | null {
  if ('tool' in name) return vocabulary.tool(name.tool)
  if ('field' in name) return vocabulary.field(name.field)
  return vocabulary.places[name.place]
}

const phraseOf = (name: Name) =>
  'tool' in name ? TOOL_PHRASES[name.tool] : 'field' in name ? name.field.replaceAll('_', ' ') : name.place

/** Advice to whoever runs the server; empty when there is none. */
export const operatorAdvice = (saying: Saying): string =>
  saying.map((part) => (typeof part === 'object' && 'operator' in part ? part.operator : '')).join('')
