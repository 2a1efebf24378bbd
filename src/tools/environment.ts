import { fail } from '../core/failure.ts'
import { MAX_ENV_BYTES, MAX_ENV_VARIABLES, MIN_MASKED_CHARS } from '../core/limits/command-input.ts'
import { redact } from '../core/redact.ts'
import { field, say } from '../core/saying/saying.ts'
import { utf8Length } from '../core/utf8-length.ts'
import { anyObject, optional } from './arguments.ts'

/**
 * The argument `env` of a tool that runs something: see {@link environmentOf}. History keeps its names alone, by `secretArgs`.
 * @param of what has the variables, and nothing else
 */
export const environmentInput = (of: 'command' | 'cell') =>
  optional(anyObject).describe(
    `Environment variables of this ${of} alone, by name: {"MODE": "test"}. Default: none besides the usual ones`,
  )

/** Environment that a call gives its command or cell, as fields of it. */
interface Environment {
  readonly env?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
}

/**
 * Environment variables as a command or a cell takes them; `secrets` are values to mask in its output: those that are recognised as secrets, and
 * those whose names say so.
 * @throws FailureError `invalid_input` for names or values that none can have, and for names that decide how a shell starts;
 * `limit_exceeded`
 */
export function environmentOf(given: Readonly<Record<string, unknown>> = {}): Environment {
  const entries = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
  if (entries.length === 0) return {}
  if (entries.length > MAX_ENV_VARIABLES) {
    fail('limit_exceeded', say`${field('env')} has more than ${MAX_ENV_VARIABLES} variables (MAX_ENV_VARIABLES)`)
  }
  const env = Object.fromEntries(entries.map(([name, value]) => [checkedName(name), textOf(name, value)]))
  const bytes = Object.entries(env).reduce((sum, [name, value]) => sum + utf8Length(name) + utf8Length(value), 0)
  if (bytes > MAX_ENV_BYTES) {
    fail(
      'limit_exceeded',
      say`${field('env')} has ${bytes} bytes; at most ${MAX_ENV_BYTES} are taken (MAX_ENV_BYTES): write long texts into a file`,
    )
  }
  const secrets = Object.entries(env)
    .filter(([name, value]) => value.length >= MIN_MASKED_CHARS && (SECRET_NAME.test(name) || redact(value) !== value))
    .map(([, value]) => value)
  return { env, ...(secrets.length > 0 && { secrets }) }
}

function checkedName(name: string): string {
  const shown = JSON.stringify(name.slice(0, MAX_SHOWN_CHARS).toWellFormed())
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    fail('invalid_input', say`${field('env')}: ${shown} is no name of a variable; give letters, digits and "_"`)
  }
  if (OF_THE_SHELL.test(name)) {
    fail(
      'invalid_input',
      say`${field('env')}: ${shown} cannot be set from outside; set it in the command or the code itself`,
    )
  }
  return name
}

function textOf(name: string, value: unknown): string {
  const isSimple = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  if (!isSimple || String(value).includes('\0')) {
    fail('invalid_input', say`${field('env')}: ${name.slice(0, MAX_SHOWN_CHARS)} must be a text`)
  }
  return String(value).toWellFormed()
}

/** Names that decide how a shell or a program starts, before the command itself: with them it would escape its deadline. */
const OF_THE_SHELL =
  /^(?:PATH|ENV|IFS|PS4|SHELLOPTS|BASHOPTS|BASH_.*|LD_.*|PWD|OLDPWD|HOME|VIRTUAL_ENV|TOOLYARD_.*|JOB_PATH)$/

/** Names that say that a value is secret. */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH)(?:_|$)/i

const MAX_SHOWN_CHARS = 60
