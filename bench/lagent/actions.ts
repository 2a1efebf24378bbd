import type { ActionReturn } from '../../src/lagent/action-return.ts'
import {
  type BaseAction,
  BaseParser,
  FinishAction,
  InvalidAction,
  JsonParser,
  NoAction,
  type ParserClass,
  TupleParser,
} from '../../src/lagent/index.ts'
import type { LagentParser, PythonModule } from '../../src/ports/python.ts'
import { PythonAction } from '../../src/tools/python-actions/action.ts'
import { type DescribedAction, describeActions } from '../../src/tools/python-actions/described.ts'
import { moduleOf, type PythonCaller } from './sandbox.ts'

/** An async action that the recorded cases of AsyncActionExecutor have beside the source's own. */
const ASYNC_ACTION = `
from lagent.actions import AsyncActionMixin
class AB(AsyncActionMixin, BaseAction):
    async def run(self, text: str):
        """make text italic

        Args:
            text (str): input text
        """
        return '_' + text + '_'
`

const PSEUDO = { InvalidAction, NoAction, FinishAction }
const PARSERS: Readonly<Record<string, ParserClass>> = { JsonParser, TupleParser, BaseParser }

export const parserNamed = (name: string): ParserClass => PARSERS[name] ?? JsonParser

/** The actions of a file's source: described and run in the sandbox. */
export class SourceActions {
  readonly module: PythonModule
  readonly #described: ReadonlyMap<string, DescribedAction>
  readonly #call: PythonCaller

  private constructor(module: PythonModule, described: readonly DescribedAction[], call: PythonCaller) {
    this.module = module
    this.#described = new Map(described.map((action) => [action.entry, action]))
    this.#call = call
  }

  static async of(source: string, call: PythonCaller): Promise<SourceActions> {
    const module = moduleOf(`from lagent.actions import *\n${source}\n${ASYNC_ACTION}`)
    return new SourceActions(module, await describeActions({ call }, module, 20_000), call)
  }

  has(name: string): boolean {
    return this.#described.has(name)
  }

  /** Makes an action. @param text of a case: `Bold`, `Bold()`, `InvalidAction(err_msg="my text")`, `AsyncActionMixin+Bold` */
  make(text: string, parser?: string): BaseAction {
    const [, name = '', given = ''] =
      /^(\w+)(?:\((.*)\))?$/s.exec(text.replace(/^AsyncActionMixin\+\w+/, 'AB').trim()) ?? []
    const [, errMsg] = /err_msg=["'](.*)["']/s.exec(given) ?? []
    const [, named] = /parser=(\w+)/.exec(given) ?? []
    const chosen = named ?? parser
    if (name in PSEUDO) {
      const options = {
        language: 'en' as const,
        ...(chosen && { parser: parserNamed(chosen) }),
        ...(errMsg !== undefined && { errMsg }),
      }
      return new PSEUDO[name as keyof typeof PSEUDO](options)
    }
    const described = this.#described.get(name)
    if (!described) throw new Error(`the source has no action ${text}`)
    const options = {
      module: this.module,
      described,
      timeoutMs: 20_000,
      ...(chosen && { parser: chosen as LagentParser }),
    }
    return new PythonAction(options, { call: this.#call })
  }

  /** The library's own parser over what Python described. */
  parserOf(name: string, parser: string): BaseParser {
    const { description } = this.make(name, parser)
    return new (parserNamed(parser))(description)
  }
}

/** Answer in the form of the recorded cases. */
export const recorded = (answer: ActionReturn) => {
  const { args, url, type, result, errmsg, state, thought, valid } = answer
  return { args, url, type, result, errmsg, state, thought, valid, format_result: answer.formatResult() }
}
