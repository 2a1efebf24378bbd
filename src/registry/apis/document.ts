import { fail } from '../../core/failure.ts'
import { exceededAt } from '../../core/json-bounds.ts'
import { MAX_API_DOCUMENT_CHARS } from '../../core/limits/imports.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../core/limits/requests.ts'
import { readYaml } from '../import/yaml-file.ts'

/**
 * A document in JSON, or in YAML that says what JSON can say, as a tree of plain values of bounded depth.
 * @throws FailureError `invalid_input`, `limit_exceeded`
 */
export function readDocument(text: string): unknown {
  return /^\s*[[{]/.test(text) ? readJson(text) : readAsYaml(text)
}

function readJson(text: string): unknown {
  if (text.length > MAX_API_DOCUMENT_CHARS) {
    fail(
      'limit_exceeded',
      `the document has ${text.length} characters; at most ${MAX_API_DOCUMENT_CHARS} are read (MAX_API_DOCUMENT_CHARS); import it in parts`,
    )
  }
  const exceeded = exceededAt(text, { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES })
  if (exceeded) {
    fail(
      'limit_exceeded',
      exceeded.what === 'depth'
        ? `the document is nested deeper than ${MAX_JSON_DEPTH} levels (MAX_JSON_DEPTH)`
        : `the document has more than ${MAX_JSON_VALUES} values (MAX_JSON_VALUES); import it in parts`,
    )
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    return fail('invalid_input', 'the document begins as JSON and is none; send it whole', { cause })
  }
}

function readAsYaml(text: string): unknown {
  const read = readYaml(text, '1.2')
  if ('value' in read) return read.value ?? fail('invalid_input', 'the document is empty')
  const [problem] = read.problems
  return fail('invalid_input', `the document, line ${problem?.line ?? 1}: ${problem?.message ?? 'this is not YAML'}`)
}
