import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MACHINE_GIT_CONFIG } from './git-config.ts'
import type { ProcessTree } from './isolation/isolation.ts'
import { INSIDE } from './isolation/mounts.ts'

/** Directories of programs of the machine that isolated sandboxes have. */
export const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin:/usr/games'

/** The variables of every command in a sandbox; those given at create and with a command win. */
export function baseEnvironment(machine: ProcessTree, id: string): Record<string, string> {
  const isolated = machine.runtime === INSIDE.runtime
  const path = isolated
    ? `${machine.home}/.local/bin:${SYSTEM_PATH}:${INSIDE.runtime}/bin:/opt/node/bin`
    : `${machine.home}/.local/bin:${process.env.PATH ?? '/usr/bin:/bin'}`
  return {
    PATH: path,
    HOME: machine.home,
    USER: 'user',
    LOGNAME: 'user',
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_INPUT: '1',
    PIP_BREAK_SYSTEM_PACKAGES: '1',
    ...(isolated && existsSync(INSIDE.ca) ? { NODE_EXTRA_CA_CERTS: INSIDE.ca } : {}),
    npm_config_update_notifier: 'false',
    npm_config_fetch_retries: '1',
    // Inside, the settings stand in /etc/gitconfig.
    ...(isolated ? {} : { GIT_CONFIG_SYSTEM: join(machine.runtime, MACHINE_GIT_CONFIG) }),
    // The reason that commands give for running out of memory.
    ...(machine.memoryLimitBytes > 0 ? { SANDBOX_MEMORY_MB: String(machine.memoryLimitBytes / 1024 / 1024) } : {}),
    ...(machine.egress === null ? {} : proxyVariables(machine.egress.port)),
    E2B_SANDBOX: 'true',
    E2B_SANDBOX_ID: id,
  }
}

/** Variables by which curl, git, pip, npm, Python and others find the proxy of a sandbox with a list of hosts; Node from version 24 on. */
function proxyVariables(port: number): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`
  const variables = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: 'localhost,127.0.0.1,::1' }
  const inLowerCase = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value])
  return { ...variables, ...Object.fromEntries(inLowerCase), NODE_USE_ENV_PROXY: '1' }
}
