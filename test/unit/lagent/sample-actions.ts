import { z } from 'zod'
import { ActionReturn, ActionStatusCode, Tuple, tool, toolApi, toolkit, toStr } from '../../../src/lagent/index.ts'

const nothing = z.object({})

/** A tool that works, and a toolkit whose APIs give back one kind of value each. */
export const Bold = tool(
  toolApi(
    { name: 'Bold', description: 'make text bold', parameters: z.object({ text: z.string().describe('input text') }) },
    ({ text }) => `**${text}**`,
  ),
)

export const Kit = toolkit({
  name: 'Kit',
  doc: 'a toolkit',
  apis: [
    toolApi(
      {
        name: 'add',
        description: 'Add',
        parameters: z.object({ x: z.int().describe('X'), y: z.int().default(2).describe('Y') }),
      },
      ({ x, y }) => ({ sum: x + y, text: '和' }),
    ),
    toolApi({ name: 'items', description: 'Items', parameters: nothing }, () => [1, 'a', null, true]),
    toolApi({ name: 'nothing', description: 'Nothing', parameters: nothing }, () => undefined),
    toolApi(
      { name: 'fail', description: 'Fail', parameters: z.object({ why: z.string().default('no') }) },
      ({ why }) => {
        throw new Error(why)
      },
    ),
    toolApi(
      { name: 'own', description: 'Own ActionReturn', parameters: z.object({ q: z.string() }) },
      () => new ActionReturn({ errmsg: 'down', state: ActionStatusCode.HTTP_ERROR }),
    ),
    toolApi(
      { name: 'own_full', description: 'Own ActionReturn with args and type', parameters: z.object({ q: z.string() }) },
      () =>
        new ActionReturn({
          args: { mine: 1 },
          type: 'Other',
          url: 'http://u',
          thought: 't',
          result: [{ type: 'image', content: '/tmp/a.png' }],
        }),
    ),
    toolApi({ name: 'uni', description: 'Unicode', parameters: nothing }, () => '中文 é ж ї € 😀 end'),
    toolApi({ name: 'floats', description: 'Floats', parameters: nothing }, () => 10.5),
    toolApi(
      {
        name: 'three',
        description: 'Three',
        parameters: z.object({ a: z.string(), b: z.int(), c: z.number().default(1.5) }),
      },
      ({ a, b, c }) => toStr(Tuple.of<unknown>(a, b, c)),
    ),
  ],
})
