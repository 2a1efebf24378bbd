import type { Clock } from './clock.ts'
import type { Packages } from './packages.ts'
import type { Runner } from './runner.ts'
import type { Workspace } from './workspace.ts'

/** All that a tool can reach of the outside. A tool names those that it uses and gets no others. */
export interface Ports {
  readonly clock: Clock
  readonly packages: Packages
  readonly runner: Runner
  readonly workspace: Workspace
}
