import { fail } from '../../core/failure.ts'
import { exceededAt } from '../../core/json-bounds.ts'
import { MAX_TOOL_FILE_CHARS } from '../../core/limits/imports.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../core/limits/requests.ts'
import type { ReadingOptions } from '../../ports/reader.ts'
import type { FileProblem, ReadFile } from '../../registry/import/place.ts'
import { readTools, type ToolFile } from '../../registry/import/tool-file.ts'
import { readYaml } from '../../registry/import/yaml-file.ts'
import { refusesTaken } from '../../registry/taken-ids.ts'

/** Tools of a file, YAML or JSON, or its mistakes with their places. @throws FailureError `limit_exceeded`, `invalid_input` */
export async function readToolFile(bytes: Uint8Array, { taken }: ReadingOptions['tool_file']): Promise<ToolFile> {
  const read = readFile(decoded(bytes))
  return 'problems' in read ? read : readTools(read, refusesTaken(new Set(taken)))
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch (cause) {
    return fail('invalid_input', 'the body is not valid UTF-8; send UTF-8', { cause })
  }
}

/** JSON is YAML as well; as YAML it is read for places alone, since that takes a hundred times as long. */
function readFile(text: string): ReadFile | { readonly problems: readonly FileProblem[] } {
  if (text.length > MAX_TOOL_FILE_CHARS) {
    fail(
      'limit_exceeded',
      `the file has ${text.length} characters; at most ${MAX_TOOL_FILE_CHARS} are read (MAX_TOOL_FILE_CHARS), send several`,
    )
  }
  const json = parsedJson(text)
  if (!json) return readYaml(text)
  let places: ReturnType<typeof readYaml> | undefined
  return {
    value: json.value,
    locate: (path) => {
      places ??= readYaml(text)
      return 'locate' in places ? places.locate(path) : null
    },
  }
}

/** Value of JSON. @returns null for other text, or too much of it: the reader of YAML then reports the mistake */
function parsedJson(text: string): { readonly value: unknown } | null {
  if (!/^\s*[[{]/.test(text) || exceededAt(text, { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES })) return null
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}
