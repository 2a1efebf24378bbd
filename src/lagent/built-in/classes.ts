import { type ActionOptions, BaseAction } from '../base-action.ts'
import type { LagentAction } from './action.ts'
import { LAGENT_ACTIONS } from './action-table.ts'
import { describeAction } from './actions.ts'
import { type ServerOptions, serverCaller } from './server.ts'
import { LAGENT_VARIANTS } from './variants.ts'

/** Options of an action that comes with Lagent. Its work is done by a server, or by `caller`. */
export type BuiltInOptions = ActionOptions & { readonly server?: ServerOptions }

export type BuiltInClass = typeof BaseAction & { new (options?: BuiltInOptions): BaseAction }

/** Classes of the actions that come with Lagent, in its order, variants last. */
export const BUILT_INS: readonly BuiltInClass[] = [...LAGENT_ACTIONS, ...LAGENT_VARIANTS].map(classOf)

function classOf(action: LagentAction): BuiltInClass {
  const { name } = action
  return class extends BaseAction {
    static override readonly toolName: string = name
    static override readonly doc: string = action.description

    constructor({ server, ...options }: BuiltInOptions = {}) {
      const caller = options.caller ?? (server ? serverCaller(name, server) : () => refuse(name))
      super({ ...options, description: options.description ?? describeAction(action), caller })
    }
  }
}

function refuse(name: string): never {
  throw new Error(`${name} is run by a server: make it with {server: {url}}, or give a caller`)
}

const named = (name: string): BuiltInClass => {
  const found = BUILT_INS.find(({ toolName }) => toolName === name)
  if (!found) throw new Error(`there is no action ${name}`)
  return found
}

export const ArxivSearch = named('ArxivSearch')
export const AsyncArxivSearch = named('AsyncArxivSearch')
export const AsyncBINGMap = named('AsyncBINGMap')
export const AsyncGoogleScholar = named('AsyncGoogleScholar')
export const AsyncGoogleSearch = named('AsyncGoogleSearch')
export const AsyncIPythonInteractive = named('AsyncIPythonInteractive')
export const AsyncIPythonInterpreter = named('AsyncIPythonInterpreter')
export const AsyncPPT = named('AsyncPPT')
export const AsyncPythonInterpreter = named('AsyncPythonInterpreter')
export const AsyncWebBrowser = named('AsyncWebBrowser')
export const BINGMap = named('BINGMap')
export const GoogleScholar = named('GoogleScholar')
export const GoogleSearch = named('GoogleSearch')
export const IPythonInteractive = named('IPythonInteractive')
export const IPythonInteractiveManager = named('IPythonInteractiveManager')
export const IPythonInterpreter = named('IPythonInterpreter')
export const PPT = named('PPT')
export const PythonInterpreter = named('PythonInterpreter')
export const WebBrowser = named('WebBrowser')
