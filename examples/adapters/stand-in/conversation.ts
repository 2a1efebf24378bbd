import type { Picture } from './picture.ts'

/** Call that the model makes. */
export interface ModelCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What the model says next: calls, or the text that ends the conversation. */
export type Turn = { readonly calls: readonly ModelCall[] } | { readonly text: string }

/** Result of a call, as a request brought it. */
export interface CallResult {
  /** Id of the call; null where a framework writes results as messages in words. */
  readonly id: string | null
  readonly text: string
  /** Whether it is marked as an error; null where the provider has no such mark. */
  readonly isError: boolean | null
  readonly pictures: readonly Picture[]
}

/** A turn of the model that a request tells of, and what came of its calls. */
export interface PastTurn {
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[]
  readonly results: readonly CallResult[]
}

/** A request, whichever API it came by. */
export interface Conversation {
  readonly tools: readonly string[]
  readonly turns: readonly PastTurn[]
}

/** API of a provider: how its requests are read, and its answers written. */
export interface Api {
  readonly path: RegExp
  /** Headers of which one has the key, which any value satisfies. */
  readonly keys: readonly string[]
  /** Conversation of a request. @throws Refusal, or ZodError, for what the provider refuses */
  read(json: unknown): Conversation
  write(turn: Turn, model: string): object
  /** Error, as the provider gives it. */
  refuse(message: string): object
}

/** Request that a provider would not take, or whose results are not those of the script: answered 400, in the provider's form. */
export class Refusal extends Error {}

/** @throws Refusal, unless `holds` */
export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Refusal(otherwise)
}

/** Id of a new answer. LangChain takes an answer of a known id for a correction of that one. */
export const newId = (kind: string): string => `${kind}_${crypto.randomUUID().replaceAll('-', '')}`
