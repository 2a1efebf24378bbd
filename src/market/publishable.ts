import { fail } from '../core/failure.ts'
import { MAX_PUBLISHED_CHARS } from '../core/limits/marketplace.ts'
import { redact } from '../core/redact.ts'
import type { NewVersion } from '../ports/market.ts'
import { ToolDefinition } from '../registry/definition.ts'
import type { HttpRequestOf, Part } from '../registry/http-request.ts'
import { argumentProblem } from '../registry/schema-sanity.ts'

export interface PublishRules {
  /** Whether there is a built-in tool of that name. */
  readonly isBuiltin: (tool: string) => boolean
  /** Checks an address that the tool would ask. @throws FailureError for a forbidden one */
  readonly checkTarget: (url: string) => void
}

/** Names that stand for the server or its operator: no publisher may have one. */
const RESERVED = new Set(['admin', 'official', 'operator', 'system', 'toolyard', 'marketplace'])

/** Checks a publisher's name. @throws FailureError `invalid_input`, `conflict` */
export function checkPublisher(name: string): void {
  if (!/^[a-z][a-z0-9-]{1,38}$/.test(name)) {
    fail('invalid_input', 'publisher: must be 2 to 39 of a-z, 0-9 and "-", and begin with a letter')
  }
  if (RESERVED.has(name)) fail('conflict', `the publisher ${name} is taken; choose another name`)
}

/** Checks a tool's name. @throws FailureError `invalid_input` */
export function checkToolName(name: string): void {
  if (!/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/.test(name)) {
    fail('invalid_input', 'tool: must be 1 to 64 of a-z, 0-9, ".", "_" and "-", with a letter or digit at both ends')
  }
}

/** A tool's definition as others get it: without the publisher's toolkit, and never hidden. */
export const publicDefinition = (definition: ToolDefinition, id: string): ToolDefinition =>
  // Parsed, so that equal definitions have their fields in one order.
  ToolDefinition.parse({ ...definition, id, toolkit: null, hidden: false })

/** Checks a version. @throws FailureError `invalid_input` naming the part that must not be published, `limit_exceeded` */
export function checkPublishable({ definition, readme, examples }: NewVersion, rules: PublishRules): void {
  const text = textOf({ definition, readme, examples })
  if (text.length > MAX_PUBLISHED_CHARS) {
    fail(
      'limit_exceeded',
      `the definition, readme and examples have ${text.length} characters as JSON; at most ${MAX_PUBLISHED_CHARS} are taken (MAX_PUBLISHED_CHARS)`,
    )
  }
  for (const [where, part] of Object.entries({ definition, readme, examples })) {
    if (hasCredential(JSON.stringify(part))) {
      fail('invalid_input', `${where}: something in it looks like a credential; keep it by PUT /v1/secrets and name it`)
    }
  }
  for (const [at, { args }] of examples.entries()) {
    const wrong = argumentProblem(definition.input_schema, args, `examples[${at}].args`)
    if (wrong !== null) fail('invalid_input', `${wrong}; send examples that it takes, or none: []`)
  }
  checkExecutor(definition, rules)
}

/** Text of a version, as it is counted and stored. */
export const textOf = ({ definition, readme, examples }: Pick<NewVersion, 'definition' | 'readme' | 'examples'>) =>
  JSON.stringify([definition, readme, examples])

function checkExecutor({ executor }: ToolDefinition, { isBuiltin, checkTarget }: PublishRules): void {
  switch (executor.kind) {
    case 'http':
      // A name in braces may stand in the path only, which is not among the checked parts of the address.
      checkTarget(executor.target.replace(/[{}]/g, ''))
      if (executor.request) refuseConstantKeys(executor.request)
      return
    case 'mcp':
      fail(
        'invalid_input',
        `a tool of an MCP server is not published: others register the server themselves, at ${executor.target.slice(0, 200)}`,
      )
      break
    case 'chain': {
      const foreign = executor.chain.steps.find(({ tool }) => !isBuiltin(tool))
      if (foreign) {
        fail(
          'invalid_input',
          `step ${foreign.id} calls ${foreign.tool.slice(0, 64)}, which others do not have: a chain that is published calls tools of this server alone`,
        )
      }
    }
  }
}

const SECRETS = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bAIza[0-9A-Za-z_-]{35}/,
  /\bxox[abprs]-[0-9A-Za-z-]{10,200}/,
  /\bBearer [0-9A-Za-z._~+/=-]{20,500}/i,
  /\beyJ[0-9A-Za-z_-]{10,2000}\.eyJ[0-9A-Za-z_-]{10,4000}\./,
]

const hasCredential = (text: string) => redact(text) !== text || SECRETS.some((pattern) => pattern.test(text))

/** Refuses a constant where a key belongs, since it may be a secret. */
function refuseConstantKeys({ headers, query, cookies, body }: HttpRequestOf): void {
  const fixed = body && 'fixed' in body ? body.fixed : {}
  for (const [name, part] of Object.entries({ ...headers, ...query, ...cookies, ...fixed })) {
    if (/key|token|secret|passw|auth|session|credential/i.test(name) && isConstant(part)) {
      fail(
        'invalid_input',
        `the request has a constant ${name.slice(0, 64)}, which may be a key of yours; keep it by PUT /v1/secrets and name it in auth`,
      )
    }
  }
}

const isConstant = (part: Part | unknown) => typeof part === 'string' && !/\{[^{}]+\}/.test(part)
