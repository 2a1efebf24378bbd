import { z } from 'zod'
import { ActionRegistry, BaseAction, getTool, listTools, register, toolApi } from '../../../src/lagent/index.ts'

const words = z.object({ text: z.string().describe('input text') })

@register
export class PhraseEmphasis extends BaseAction {
  static override readonly doc = 'a toolkit which provides different styles of text emphasis'
  readonly #mark = '*'

  @toolApi({ description: 'make text bold', parameters: words })
  bold({ text }: z.output<typeof words>) {
    return this.#mark.repeat(2) + text + this.#mark.repeat(2)
  }

  @toolApi({ description: 'make text italic', parameters: words })
  async italic({ text }: z.output<typeof words>) {
    return this.#mark + text + this.#mark
  }

  @toolApi({ name: 'rule', parameters: z.object({}) })
  line() {
    return this.#mark.repeat(3)
  }

  notAnApi() {
    return 'secret'
  }
}

export class Bold extends BaseAction {
  @toolApi({ description: 'make text bold', parameters: words, returnsNamedValue: true, returns: words })
  run({ text }: z.output<typeof words>) {
    return `**${text}**`
  }
}

export const ownRegistry = new ActionRegistry()

@ownRegistry.register
export class Listed extends BaseAction {}

export { getTool, listTools }
