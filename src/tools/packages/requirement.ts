import { fail } from '../../core/failure.ts'
import { MAX_REQUIREMENT_CHARS } from '../../core/limits/python.ts'
import { type Saying, say } from '../../core/saying/saying.ts'
import { workspacePath } from '../../core/workspace-path.ts'
import { secretsOf, splitCredentials } from '../url-credentials.ts'

/** Requirement: one thing that pip may be requested to install. */
export interface Requirement {
  /** Text for pip, run in the task root. */
  readonly spec: string
  /** Text for answers: as given, but without credentials. */
  readonly shown: string
  /** Secrets to mask in pip's output. */
  readonly secrets: readonly string[]
  /** True for a directory whose files are to be used where they are. */
  readonly isEditable?: true
}

const FORMS = 'use a form such as "requests", "numpy>=2,<3", "./upload/x.whl" or "https://host/x.whl"'

/**
 * Reads a requirement: a name with an optional version (PEP 508), a path in the task, or an https or git+https URL. pip
 * still parses it; text that pip takes for an option, or reads from other places, never reaches it.
 * @throws FailureError `invalid_input`
 */
export function requirement(given: string): Requirement {
  const spec = given.trim()
  if (spec === '') fail('invalid_input', `packages has an empty entry; ${FORMS}`)
  if (spec.length > MAX_REQUIREMENT_CHARS)
    fail('invalid_input', `a package is longer than ${MAX_REQUIREMENT_CHARS} characters`)
  const [, directory] = /^(?:-e|--editable)(?:\s*=\s*|\s+)(\S.*)$/.exec(spec) ?? []
  if (directory !== undefined && !/^[\w+]+:|\s|^-/.test(directory))
    return { ...plain(`./${workspacePath(directory)}`, spec), isEditable: true }
  if (/^(?:-r|--requirement)(?:$|[\s=])/.test(spec)) return notAllowed(spec)
  if (spec.startsWith('-')) return refuse(spec, 'options are not allowed')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(spec)) return refuse(spec, 'it has control characters')

  const [, name, rest = ''] = /^([A-Za-z0-9][A-Za-z0-9._-]*\s*(?:\[[A-Za-z0-9._,\s-]*\])?)\s*(.*)/.exec(spec) ?? []
  if (rest.startsWith('@')) return fromUrl(rest.slice(1).trim(), `${name?.trim()} @ `)
  if (spec.includes('://')) return fromUrl(spec, '')
  if (spec === '.' || /[/\\]|\.(?:whl|zip|tar\.gz)$/.test(spec)) return plain(`./${workspacePath(spec)}`, given)
  if (name && /^(?:$|[<>=!~(;])/.test(rest)) return plain(spec, given)
  return refuse(spec, 'give each package as an entry of its own')
}

const plain = (spec: string, shown: string): Requirement => ({ spec, shown, secrets: [] })

function fromUrl(text: string, before: string): Requirement {
  const [, prefix = '', address = ''] = /^(git\+)?(https:\/\/.*)$/i.exec(text) ?? []
  const parsed = URL.parse(address)
  if (!parsed) {
    return refuse(text.replace(/\/\/[^/]*@/, '//***@'), 'only https:// and git+https:// URLs are allowed')
  }
  const { url, credentials } = splitCredentials(parsed)
  if (!credentials) return plain(`${before}${text}`, `${before}${text}`)
  const masked = url.href.replace('://', '://***@')
  return { spec: `${before}${text}`, shown: `${before}${prefix}${masked}`, secrets: secretsOf(credentials) }
}

/** Refuses a file of requirements. @param why it cannot be read */
export const notAllowed = (spec: string, why: Saying = []): never =>
  fail(
    'invalid_input',
    say`${quoted(spec)} cannot be installed: ${why}${why.length > 0 ? '; ' : ''}options are not allowed, so give the lines of that file as entries of packages; ${FORMS}`,
  )

const refuse = (spec: string, why: string): never =>
  fail('invalid_input', `${quoted(spec)} cannot be installed: ${why}; ${FORMS}`)

const quoted = (spec: string) => JSON.stringify(spec.slice(0, 120))
