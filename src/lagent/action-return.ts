import { ActionStatusCode, ActionValidCode } from './codes.ts'
import { toPlain } from './python/to-plain.ts'
import { toStr, typeName } from './python/to-text.ts'

/** A piece of what a call gave back: `text`, or the place of an image or of other media. */
export interface ReturnedContent {
  readonly type: string
  /** Content: a string, unless an action put another value there, as FinishAction does with its input. */
  readonly content: unknown
}

/** Result of a call. Its fields come in this order, as JSON too. */
export class ActionReturn {
  /** The arguments by name; when they could not be read, `{inputs, name}` of the call. */
  args: unknown
  url: string | null
  /** The action's name; of a toolkit without the API. */
  type: string | null
  /** Result; null when the call failed. */
  result: readonly ReturnedContent[] | null
  /** Error message: text, but Lagent's actions for unknown names put their input there. */
  errmsg: unknown
  /** Status: one of {@link ActionStatusCode}, or a number that an action chose. */
  state: number
  thought: string | null
  /** Validity: one of {@link ActionValidCode}. */
  valid: number | null

  constructor(fields: Partial<Omit<ActionReturn, 'formatResult' | 'toJSON'>> = {}) {
    this.args = fields.args ?? null
    this.url = fields.url ?? null
    this.type = fields.type ?? null
    this.result = fields.result ?? null
    this.errmsg = fields.errmsg ?? null
    this.state = fields.state ?? ActionStatusCode.SUCCESS
    this.thought = fields.thought ?? null
    this.valid = fields.valid === undefined ? ActionValidCode.OPEN : fields.valid
  }

  /**
   * The result as one text: a line for each piece, `[type](content)` for a piece that is no text. '' without a result.
   * @throws TypeError when the content of a `text` is no string
   */
  formatResult(): string {
    return (this.result ?? []).map(lineOf).join('\n')
  }

  /** Plain data, as Lagent's `dataclass2dict`; what only Python has becomes what JSON has (sets become arrays). */
  toJSON() {
    const { args, url, type, result, errmsg, state, thought, valid } = this
    const shown = { args: toPlain(args), url: toPlain(url), type, result: toPlain(result), errmsg: toPlain(errmsg) }
    return { ...shown, state, thought: toPlain(thought), valid }
  }
}

function lineOf({ type, content }: ReturnedContent): string {
  if (type !== 'text') return `[${type}](${toStr(content)})`
  if (typeof content !== 'string') throw new TypeError(`the content of a text is no string but ${typeName(content)}`)
  return content
}
