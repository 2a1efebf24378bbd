import { fail } from '../../core/failure.ts'
import { MAX_ENV_NAME_CHARS } from '../../core/limits/imports.ts'
import { MAX_TOOL_ID_CHARS } from '../../core/limits/registry.ts'

/** Words that are none of a function's names in Python, or would read as a value. */
const RESERVED: ReadonlySet<string> = new Set(['from', 'class', 'return', 'false', 'true', 'id', 'and'])

/** Envs that XAgent's nodes have of their own. */
export const OWN_ENVS: ReadonlySet<string> = new Set(['FileSystemEnv', 'WebEnv', 'PythonNotebook', 'ShellEnv'])

/**
 * Name as XAgent writes those of RapidAPI's tools: any character but a letter, digit, `^` or a Chinese character becomes
 * `_`.
 * Source: XAgent, ToolServerNode/utils/retriever.py, `standardizing`.
 */
export function standardName(name: string): string {
  const plain = name.replace(/[^\u4e00-\u9fa5^a-zA-Z0-9_]/g, '_').replace(/_+/g, '_')
  return plain.replace(/^_|_$/g, '').toLowerCase()
}

/** Standard name with `is_` before a word of Python. Source: ToolServerNode/extensions/envs/rapidapi.py */
export function standardCallName(name: string): string {
  const standard = standardName(name)
  return RESERVED.has(standard) ? `is_${standard}` : standard
}

/** Name of an env. @throws FailureError `invalid_input` for text that cannot stand before a tool's name */
export function envName(given: string): string {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(given) || given.length > MAX_ENV_NAME_CHARS) {
    fail(
      'invalid_input',
      `env must be 1 to ${MAX_ENV_NAME_CHARS} of A-Z, a-z and 0-9, and begin with a letter: "_" ends it in the names of its tools`,
    )
  }
  if (OWN_ENVS.has(given)) fail('invalid_input', `every node has an env ${given} of its own; choose another name`)
  return given
}

/** Names given so far, and the number at which to go on for the next of a kind: thousands may be alike. */
class Given {
  readonly #names = new Set<string>()
  readonly #next = new Map<string, number>()

  /** First free name. @param nameAt candidate by its number, from 1 */
  take(kind: string, nameAt: (n: number) => string): string {
    let n = this.#next.get(kind) ?? 1
    while (this.#names.has(nameAt(n))) n++
    this.#next.set(kind, n + 1)
    this.#names.add(nameAt(n))
    return nameAt(n)
  }
}

/** Allocator of tool ids within an env: `<Env>_<name>`, with a number where that is taken. */
export class ToolIds {
  readonly #env: string
  readonly #given = new Given()

  constructor(env: string) {
    this.#env = env
  }

  of(name: string): string {
    const room = MAX_TOOL_ID_CHARS - this.#env.length - 8
    const whole = `${this.#env}_${(name || 'call').slice(0, room)}`
    return this.#given.take(whole, (n) => (n === 1 ? whole : `${whole}_${n}`))
  }
}

/** The names of arguments: models take letters, digits, `_`, `-` and `.`, and each name once. */
export class ArgumentNames {
  readonly #given = new Given()

  /** Free id for a tool. @param place appended where the id is taken already */
  of(name: string, place: string): string {
    const cleaned = name.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, MAX_ARGUMENT_CHARS)
    // No object of JavaScript has a plain field of that name.
    const plain = cleaned === '__proto__' ? 'proto' : cleaned || 'value'
    const behind = (n: number) => (n === 2 ? `${plain}_${place}` : `${plain}_${place}_${n - 1}`)
    return this.#given.take(`${plain} ${place}`, (n) => (n === 1 ? plain : behind(n)))
  }
}

/** Greatest length of an argument's name, as for the functions that models call. */
const MAX_ARGUMENT_CHARS = 64
