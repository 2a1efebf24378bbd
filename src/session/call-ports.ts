import { once } from '../core/once.ts'
import type { OutsidePorts, Ports } from '../ports/index.ts'
import { outermost } from '../registry/chain/budget.ts'
import type { CallScope } from './call-scope.ts'
import type { FilePorts } from './file-ports.ts'
import type { SandboxPorts } from './sandbox-ports.ts'
import type { SessionToolbox } from './toolbox/toolbox.ts'

/** Makers of the ports of calls, one for each part of a session. */
export interface PortMakers {
  /** Ports that all calls share. */
  readonly common: OutsidePorts & Pick<Ports, 'secrets' | 'circuits' | 'clock' | 'notes' | 'people' | 'packages'>
  readonly files: FilePorts
  readonly sandbox: SandboxPorts
  readonly toolbox: SessionToolbox
}

/** Ports of one call's tool to its session. A call uses few of these: those that cost something are made on first use. */
export function callPorts(makers: PortMakers, call: CallScope): Ports {
  const files = once(() => makers.files.of(call))
  const sandbox = once(() => makers.sandbox.of(call))
  const toolbox = once(() => {
    const { callId, by, known, account, outer, begun } = call
    const nesting = outer?.nesting ?? outermost()
    return makers.toolbox.port({ callId, by, wasNoted: () => known.isMade, account, nesting, ports, begun })
  })
  const ports: Ports = {
    ...makers.common,
    get workspace() {
      return files().workspace
    },
    get locks() {
      return files().workspace.locks
    },
    get turn() {
      return files().turn
    },
    get runner() {
      return sandbox().runner
    },
    get consoles() {
      return sandbox().consoles
    },
    get python() {
      return sandbox().python
    },
    get jobs() {
      return sandbox().jobs
    },
    get background() {
      return sandbox().background
    },
    get toolbox() {
      return toolbox()
    },
  }
  return ports
}
