import type { NamedTool } from './tool-phrases.ts'

/** A thing that dialects call by different names: a tool, an argument of the tool that was called, a place. */
export type Name = { readonly tool: NamedTool } | { readonly field: string } | { readonly place: Place }

/** A place with a name per dialect: the directory of the caller's files, its top as a path, the session, the session's id. */
export type Place = 'directory' | 'root' | 'session' | 'session id'

/** A part of a message. Plain data without recursion: it crosses Durable Object RPC, whose stub types end at recursive ones. */
export type Part =
  | string
  | Name
  /** `known` where the dialect has each name in it, else `otherwise`. */
  | { readonly known: readonly (string | Name)[]; readonly otherwise: string }
  /** Advice for whoever runs the server, such as a setting: in the log and in the owner's API, never in a model's answer. */
  | { readonly operator: string }

/** A message in parts, which each dialect words for its own callers. */
export type Saying = readonly Part[]

/** A message with names in it: say`${tool('dir_list')} shows what exists`. Texts and numbers stay as they are. */
export function say(texts: TemplateStringsArray, ...values: readonly (Part | number | Saying)[]): Saying {
  return texts.flatMap((text, at): Part[] => {
    const value = values[at]
    const next =
      value === undefined ? [] : isSaying(value) ? value : [typeof value === 'number' ? String(value) : value]
    return text === '' ? [...next] : [text, ...next]
  })
}

const isSaying = (value: Part | number | Saying): value is Saying => Array.isArray(value)

/** A tool by its canonical name. A dialect without it shows its phrase of `TOOL_PHRASES`. */
export const tool = (name: NamedTool): Part => ({ tool: name })

/** An argument of the tool that was called, by its canonical name. A dialect without it shows its words: "start line". */
export const field = (name: string): Part => ({ field: name })

/** The name of a thing that dialects have different nouns for, without an article. */
export const DIRECTORY: Part = { place: 'directory' }
export const FILES_ROOT: Part = { place: 'root' }
export const SESSION: Part = { place: 'session' }
export const SESSION_ID: Part = { place: 'session id' }

/**
 * Advice shown only where the dialect knows each name in it.
 * @param otherwise text shown elsewhere; nothing by default
 */
export function ifKnown(saying: Saying, otherwise = ''): Part {
  const known = saying.map((part) => {
    if (typeof part === 'string' || 'tool' in part || 'field' in part || 'place' in part) return part
    throw new Error('such parts do not stand within one another')
  })
  return { known, otherwise }
}

/** Advice to the owner of the server, as a sentence or clause of its own that begins with its punctuation. */
export const operator = (advice: string): Part => ({ operator: advice })
