import { type Internet, namedHosts } from '../core/internet.ts'
import { CODE_RUN_DIR, UPLOAD_DIR, VENV_DIR } from '../core/task-layout.ts'

/** Facts about the sandboxes of a server, as configured: what is not known is missing. */
export interface SandboxFacts {
  readonly python?: string | undefined
  readonly packages?: readonly string[] | undefined
  readonly programs?: readonly string[] | undefined
  readonly internet?: boolean | undefined
  /** Whether a sandbox can be kept from the network. */
  readonly offline?: boolean | undefined
  readonly memory_mb?: number | undefined
}

/** Environment of a new session, for a model that reads it once: a few hundred characters, and no guess. */
export interface SessionEnvironment {
  readonly python?: string
  readonly packages?: string
  readonly programs?: string
  readonly memory_mb?: number
  readonly network?: string
  readonly directories: string
}

/**
 * Environment of every session of a server.
 * @param hasOwnIndex whether pip asks an index of the server's rather than PyPI
 */
export function sessionEnvironment(facts: SandboxFacts, hasOwnIndex: boolean): SessionEnvironment {
  const { python, packages = [], programs = [], internet, memory_mb } = facts
  return {
    ...(python !== undefined && { python }),
    ...(packages.length > 0 && { packages: packages.join(' ') }),
    ...(programs.length > 0 && { programs: programs.join(' ') }),
    ...(memory_mb !== undefined && { memory_mb }),
    ...(internet !== undefined && { network: network(internet, hasOwnIndex) }),
    directories: `commands start in ${CODE_RUN_DIR}/; ${UPLOAD_DIR}/ is for files that are given, ${VENV_DIR}/ is the Python environment, logs/ has long outputs`,
  }
}

/** Environment of a session with an internet policy of its own. */
export function underPolicy(environment: SessionEnvironment, internet: Internet): SessionEnvironment {
  if (internet === true) return environment
  return { ...environment, network: internet === false ? network(false, false) : listed(internet) }
}

const listed = (hosts: readonly string[]) =>
  `HTTP and HTTPS to these hosts alone: ${namedHosts(hosts)}; where HTTPS_PROXY is set, by that proxy`

const network = (internet: boolean, hasOwnIndex: boolean) =>
  internet
    ? `public addresses only, as far as the server reaches them; pip asks ${hasOwnIndex ? "the server's own index" : 'PyPI'}`
    : 'none: pip and git reach nothing from commands'
