import { fail } from '../core/failure.ts'
import { isToolId } from './definition.ts'

/** Choice of a tool's version. `compatible`: the newest from there on without a breaking change in between. */
export type VersionChoice =
  | { readonly kind: 'stable' }
  | { readonly kind: 'latest' }
  | { readonly kind: 'exact'; readonly version: number }
  | { readonly kind: 'compatible'; readonly version: number }
  | { readonly kind: 'range'; readonly from: number; readonly to: number }

export interface ToolReference {
  readonly id: string
  readonly choice: VersionChoice
}

/**
 * `my.tool` (its stable version), `my.tool@3`, `my.tool@latest`, `my.tool@^3`, `my.tool@>=2`, `my.tool@2-4`.
 * @throws FailureError `invalid_input`
 */
export function toolReference(text: string): ToolReference {
  const at = text.indexOf('@')
  const id = at === -1 ? text : text.slice(0, at)
  if (!isToolId(id)) fail('invalid_input', 'a tool is named by its id, and may be followed by "@" and a version')
  return { id, choice: at === -1 ? { kind: 'stable' } : versionChoice(text.slice(at + 1)) }
}

function versionChoice(text: string): VersionChoice {
  if (text === 'latest' || text === 'stable') return { kind: text }
  const [, sign, first, last] = /^(\^|>=)?(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? []
  if (first === undefined || (sign !== undefined && last !== undefined)) {
    fail('invalid_input', 'a version is one of 3, latest, stable, ^3 (compatible with 3), >=2 and 2-4')
  }
  const version = Number(first)
  if (sign === '^') return { kind: 'compatible', version }
  if (sign === '>=') return { kind: 'range', from: version, to: Number.MAX_SAFE_INTEGER }
  return last === undefined ? { kind: 'exact', version } : { kind: 'range', from: version, to: Number(last) }
}
