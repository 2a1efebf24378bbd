import { MAX_ECHOED_CHARS } from '../../../core/limits/requests.ts'
import { type Outcome, outcomeIn, type Pending } from '../../../core/outcome.ts'
import { ActionReturn } from '../../../lagent/action-return.ts'
import { BaseAction } from '../../../lagent/base-action.ts'
import { ActionStatusCode, ActionValidCode } from '../../../lagent/codes.ts'
import { type ActionDescription, flattened } from '../../../lagent/description.ts'
import { BaseParser } from '../../../lagent/parsers.ts'
import { InvalidAction } from '../../../lagent/pseudo-actions.ts'
import { lagentError, lagentState } from '../../../tools/lagent/state.ts'
import { alikeNames } from '../../alike-names.ts'
import type { Services } from '../../dialect.ts'
import { toolElsewhere } from '../../parameters/nearest-tool.ts'
import type { Api } from './action.ts'
import { actionOf, vocabularyOf } from './vocabulary.ts'

/** Outcome of a call of the core, in Lagent's words. The calling action fills in the arguments and its name. */
export function encodeOutcome(
  given: Outcome,
  api: Api,
  { session, services }: { readonly session: string; readonly services: Pick<Services, 'tools' | 'toolkits'> },
): ActionReturn {
  const outcome = outcomeIn(given, vocabularyOf(services))
  if (outcome.kind === 'pending')
    return goesOn(outcome, session, actionOf(services, outcome.next.tool) ?? outcome.next.tool)
  const errmsg = lagentError(outcome, api.answers)
  // `lagentState` gives the codes of ActionStatusCode, as plain numbers.
  const state = lagentState(outcome, api.answers) as ActionStatusCode
  if (outcome.kind !== 'done' || errmsg !== null) return new ActionReturn({ state, errmsg })
  return new ActionReturn({ state, result: api.contentOf(outcome.result) })
}

/** Answer of pending work: its result so far, then the next call, for which the content of `next` is the body. */
function goesOn({ soFar, next, retryAfterMs }: Pending, session: string, name: string): ActionReturn {
  const seconds = Math.ceil(retryAfterMs / 1_000)
  const call = JSON.stringify({ session, name, inputs: next.args, retry_after_ms: retryAfterMs })
  return new ActionReturn({
    state: ActionStatusCode.ING,
    result: [
      {
        type: 'text',
        content: `${soFar.text}\n\nIt goes on. In ${seconds} s call ${name} with ${JSON.stringify(next.args)}.`,
      },
      { type: 'next', content: call },
    ],
  })
}

/**
 * Answer for an unknown action. Lagent's InvalidAction repeats its input, which helps no model; this one says what is wrong.
 * @param known names of the actions that the caller has
 * @param isUnlisted whether a tool that no list shows can be called by a name
 */
export const unknownAction = (
  name: string,
  known: readonly string[],
  isUnlisted: (name: string) => boolean,
): BaseAction =>
  new BaseAction({
    description: new InvalidAction().description,
    parser: BaseParser,
    caller: (_api, { err_msg }) =>
      new ActionReturn({
        args: { text: err_msg ?? null },
        errmsg: `there is no action ${shorten(name)}; ${offered(nearestActions(name, known, isUnlisted))}`,
        state: ActionStatusCode.API_ERROR,
        valid: ActionValidCode.INVALID,
      }),
  })

function nearestActions(
  name: string,
  known: readonly string[],
  isUnlisted: (name: string) => boolean,
): readonly string[] {
  const elsewhere = toolElsewhere(name.slice(0, MAX_ECHOED_CHARS))
  return elsewhere !== undefined && (known.includes(elsewhere) || isUnlisted(elsewhere))
    ? [elsewhere]
    : alikeNames(name, known)
}

const offered = (names: readonly string[]) =>
  names.length > 0 ? `did you mean ${names.join(', ')}?` : 'call one of the tools that you were given, by its name'

/** Answer of an action that has no api: how to get its result otherwise. */
export const callInstead = ({ name, instead }: { readonly name: string; readonly instead: string }, inputs: unknown) =>
  new ActionReturn({
    args: { inputs, name: 'run' },
    type: name,
    errmsg: instead,
    state: ActionStatusCode.API_ERROR,
  })

/** Answer for an api that the action does not have: Lagent's message, with the action's apis. */
export const invalidApi = (action: ActionDescription, name: string, inputs: unknown) =>
  new ActionReturn({
    args: { inputs, name },
    type: action.name,
    errmsg: `invalid API: ${shorten(name)}; call ${flattened(action)
      .map((api) => api.name)
      .join(', ')}`,
    state: ActionStatusCode.API_ERROR,
  })

/** Answer as it is sent: arguments of megabytes are not sent back whole. */
export function encodeAnswer(answer: ActionReturn) {
  const plain = answer.toJSON()
  return { ...plain, args: shortenedWithin(plain.args), errmsg: shortenedWithin(plain.errmsg) }
}

function shortenedWithin(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value)
  if (Array.isArray(value)) return value.map(shortenedWithin)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortenedWithin(item)]))
}

const shorten = (text: string) =>
  text.length > MAX_ECHOED_CHARS ? `${text.slice(0, MAX_ECHOED_CHARS)}… (${text.length} characters)` : text
