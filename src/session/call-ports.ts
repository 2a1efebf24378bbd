import { once } from '../core/once.ts'
import type { FileHistory } from '../ports/file-history.ts'
import type { OutsidePorts, Ports } from '../ports/index.ts'
import { outermost } from '../registry/chain/budget.ts'
import type { SessionResults } from './begun/session-results.ts'
import type { CallScope } from './call-scope.ts'
import type { FilePorts } from './file-ports.ts'
import type { SandboxPorts } from './sandbox-ports.ts'
import type { SnapshotPorts } from './snapshot-ports.ts'
import type { SessionToolbox } from './toolbox/toolbox.ts'

/** Makers of the ports of calls, one for each part of a session. */
export interface PortMakers {
  /** Ports that all calls share. */
  readonly common: OutsidePorts & Pick<Ports, 'secrets' | 'circuits' | 'clock' | 'notes' | 'people' | 'packages'>
  readonly files: FilePorts
  readonly fileHistory: (callId: string) => FileHistory
  readonly sandbox: SandboxPorts
  readonly snapshots: SnapshotPorts
  readonly toolbox: SessionToolbox
  readonly results: SessionResults
}

/** Ports of one call's tool to its session. A call uses few of these: those that cost something are made on first use. */
export function callPorts(makers: PortMakers, call: CallScope): Ports {
  const files = once(() => makers.files.of(call))
  const sandbox = once(() => makers.sandbox.of(call))
  const toolbox = once(() => {
    const { callId, by, known, account, outer, begun, family } = call
    const nesting = outer?.nesting ?? outermost()
    return makers.toolbox.port({ callId, by, wasNoted: () => known.isMade, account, nesting, ports, begun, family })
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
    get fileHistory() {
      return makers.fileHistory(call.callId)
    },
    get snapshots() {
      return makers.snapshots.of(call)
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
    get results() {
      return makers.results.of(call)
    },
    get toolbox() {
      return toolbox()
    },
  }
  return ports
}
