import type { Result } from '../../core/outcome.ts'
import { runChainTool } from './chain-executor.ts'
import type { Execution, ExecutorPorts } from './execution.ts'
import { askService } from './http-executor.ts'
import { callRemote } from './mcp-executor.ts'
import { callPython } from './python-executor.ts'

/** Runs a registered tool. @throws FailureError what the tool could not do */
export function execute(execution: Execution, ports: ExecutorPorts, signal: AbortSignal): Promise<Result> {
  const { executor } = execution.definition
  switch (executor.kind) {
    case 'http':
      return askService(executor, execution, ports, signal)
    case 'chain':
      return runChainTool(executor, execution, ports, signal)
    case 'mcp':
      return callRemote(executor, execution, ports, signal)
    case 'python':
      return callPython(executor, execution, ports, signal)
  }
}
