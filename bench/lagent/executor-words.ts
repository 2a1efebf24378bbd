import { ActionPreprocessor, type Hook, InternLMActionProcessor } from '../../src/lagent/index.ts'
import type { Case } from './case.ts'

/** The executor of a case as one call, `ActionExecutor(actions=[Bold()], finish_in_action=True)`, and what words stand beside it. */
export function executorWords({ executor = '', hooks }: Pick<Case, 'executor' | 'hooks'>): string {
  const call =
    typeof executor === 'string' ? executor : `ActionExecutor(${Object.entries(executor).map(argument).join(', ')})`
  return withoutConfigs(hooks === undefined ? call : `${call}, hooks=${toPython(hooks)}`)
}

const argument = ([name, value]: readonly [string, unknown]) => `${name}=${toPython(value)}`

/** A value as Python writes it; an action is the call of its class: `{"type": "Bold", "parser": "TupleParser"}` is `Bold(parser=TupleParser)`. */
function toPython(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value ?? 'None')
  const { type, ...options } = value as Readonly<Record<string, unknown>>
  return type === undefined
    ? JSON.stringify(value)
    : `${toPython(type)}(${Object.entries(options).map(argument).join(', ')})`
}

/** Executor with `dict(type=Bold)` or `{'type': Bold}` as a call of the class. */
const withoutConfigs = (executor: string) =>
  executor
    .replaceAll(/dict\(type=['"]?(?:[\w.]+\.)?(\w+)['"]?(?:, )?/g, '$1(')
    .replaceAll(/\{\s*['"]type['"]:\s*['"]?(\w+)['"]?\s*\}/g, '$1()')

/** Whether Python takes `finish_in_action` for true: in the place of a flag there may be a config. */
export function finishesInAction(words: string): boolean {
  const [, value] = /['"]?finish_in_action['"]?\s*[=:]\s*([^,)\]}]+)/.exec(words) ?? []
  return value !== undefined && !/^(?:False|false|None|null|0|''|""|\{|\[|dict\()\s*$/.test(value.trim())
}

/** The hooks that the words name, in their order. */
export const hooksOf = (words: string): Hook[] =>
  [...words.matchAll(/(ActionPreprocessor|InternLMActionProcessor)(?:\(([^)]*)\))?/g)].map(([, name, given = '']) => {
    if (name === 'ActionPreprocessor') return new ActionPreprocessor()
    const [, codeParameter] =
      /code_parameter\s*[=:]\s*['"]?(\w+)/.exec(`${given} ${/code_parameter.*/.exec(words) ?? ''}`) ?? []
    return new InternLMActionProcessor(codeParameter === undefined ? {} : { codeParameter })
  })
