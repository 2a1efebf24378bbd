import { fail } from '../../core/failure.ts'
import { MAX_IMPORTED_BYTES, MAX_IMPORTED_TOOLS, MAX_SHOWN_SKIPPED } from '../../core/limits/imports.ts'
import { MAX_DEFINITION_CHARS } from '../../core/limits/registry.ts'
import { rpcBytes } from '../../core/rpc-bytes.ts'
import { withoutLast } from '../../core/without-last.ts'
import { ToolDefinition } from '../definition.ts'
import type { Credential } from '../http-request.ts'

/** Result of importing a description of an API. */
export interface Imported {
  readonly tools: readonly ToolDefinition[]
  /** Names of secrets that the tools use, and what each is for. */
  readonly secrets: readonly { readonly name: string; readonly of: string }[]
  /** Operations that no tool was made of; at most MAX_SHOWN_SKIPPED, and how many in all. */
  readonly skipped: readonly { readonly operation: string; readonly reason: string }[]
  readonly skippedCount: number
}

/** Authentication of the tools, as given: credentials for all of them, or the secret's name for a scheme of the document. */
export type GivenAuth = readonly Credential[] | Readonly<Record<string, string>>

export interface ImportOptions {
  readonly env: string
  /** Base URL in the place of the servers that the document names. */
  readonly baseUrl?: string
  /** URL of the document, to which its servers are relative. */
  readonly documentUrl?: string
  readonly auth?: GivenAuth
}

/** Collector of tools, and of the operations that could not become one. */
export class Gathered {
  readonly #tools: ToolDefinition[] = []
  readonly #skipped: { operation: string; reason: string }[] = []
  readonly #secrets = new Map<string, string>()
  #skippedCount = 0
  #bytes = 0

  /** Adds a tool. @param definition without fields that have a default */
  add(definition: object, operation: string): void {
    const parsed = ToolDefinition.safeParse(definition)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      this.skip(operation, issue ? `${issue.path.join('.')}: ${issue.message}` : 'it makes no tool')
      return
    }
    const json = JSON.stringify(parsed.data)
    const chars = json.length
    this.#bytes += rpcBytes(json)
    if (this.#bytes > MAX_IMPORTED_BYTES) {
      fail(
        'limit_exceeded',
        `the tools have more than ${MAX_IMPORTED_BYTES} bytes as JSON (MAX_IMPORTED_BYTES); import it in parts`,
      )
    }
    if (chars > MAX_DEFINITION_CHARS) {
      this.skip(operation, `as a tool it has ${chars} characters as JSON (MAX_DEFINITION_CHARS)`)
      return
    }
    if (this.#tools.length === MAX_IMPORTED_TOOLS) {
      fail(
        'limit_exceeded',
        `more than ${MAX_IMPORTED_TOOLS} tools in one import (MAX_IMPORTED_TOOLS); import it in parts`,
      )
    }
    this.#tools.push(parsed.data)
  }

  secret(name: string, of: string): string {
    this.#secrets.set(name, of)
    return name
  }

  skip(operation: string, reason: string): void {
    this.#skippedCount++
    if (this.#skipped.length < MAX_SHOWN_SKIPPED) this.#skipped.push({ operation: operation.slice(0, 200), reason })
  }

  /** The collected tools. @throws FailureError `invalid_input` when there are none */
  all(): Imported {
    if (this.#tools.length === 0) {
      const [first] = this.#skipped
      fail(
        'invalid_input',
        first ? `no tool can be made of it: ${first.operation}: ${first.reason}` : 'it describes no operations',
      )
    }
    return {
      tools: this.#tools,
      secrets: [...this.#secrets].map(([name, of]) => ({ name, of })),
      skipped: this.#skipped,
      skippedCount: this.#skippedCount,
    }
  }
}

/** The name of a secret, of words: `Pet Store`, `api_key` → `PET_STORE_API_KEY`. */
export function secretName(...words: readonly string[]): string {
  const plain = words
    .join('_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^[_0-9]+/, '')
    .toUpperCase()
  return withoutLast(plain, '_').slice(0, 64) || 'KEY'
}
