import type { Executor } from './definition.ts'
import { originText, PLACEHOLDER } from './http-request.ts'

/** `module.path:function_name`, or `module.path:Class.method`. */
export const PYTHON_TARGET = /^([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)$/

/**
 * Reason why no call of a tool could work, as far as its definition shows; null when nothing is wrong. Apart from the
 * definition's schema, since Toolcore's config.yaml may have any text for a target.
 */
export function targetProblem(executor: Executor): string | null {
  switch (executor.kind) {
    case 'http':
      return executor.request === undefined ? addressProblem(executor.target) : null
    case 'mcp':
      return addressProblem(executor.target)
    case 'python':
      return pythonProblem(executor)
    case 'chain':
      return null
  }
}

function addressProblem(target: string): string | null {
  if (!/^https?:$/.test(URL.parse(originText(target))?.protocol ?? '')) {
    return 'target must be an address, http://… or https://…'
  }
  const [, name] = [...target.matchAll(PLACEHOLDER)][0] ?? []
  return name === undefined
    ? null
    : `target: {${name}} is filled only in a request of the tool's own; add "request": {"method": "GET"} beside target, or another one`
}

function pythonProblem({ target, source, files, requirements = [] }: Extract<Executor, { kind: 'python' }>) {
  if (!PYTHON_TARGET.test(target)) return 'target must be module.path:function_name'
  const isEmpty = source === undefined && Object.keys(files ?? {}).length === 0 && requirements.length === 0
  return isEmpty ? 'there is no code; give source or files, or name a requirement that brings the module' : null
}
