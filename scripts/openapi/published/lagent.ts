import { MAX_AGENT_CHARS } from '../../../src/core/limits/registry.ts'
import { JSON_ANSWER, type PublishedDocument, publishedDocument, wholeObject } from './published-document.ts'

const text = { type: 'string' } as const
const anyObject = { type: 'object', additionalProperties: true } as const
const inQuery = (name: string, description: string, schema: object = text) =>
  ({ name, in: 'query', description, schema }) as const

const FORM = [
  inQuery('format', 'Form of the entries: of Lagent, or of a provider of models.', {
    ...{ type: 'string', enum: ['lagent', 'openai', 'anthropic'], default: 'lagent' },
  }),
  inQuery('language', 'Of `parameter_description`.', { type: 'string', enum: ['en', 'zh'], default: 'zh' }),
  inQuery('parser', 'How the model shall write its arguments.', {
    ...{ type: 'string', enum: ['json', 'tuple', 'JsonParser', 'TupleParser'], default: 'json' },
  }),
  inQuery('agent', 'Actions that this agent may call.', { type: 'string', minLength: 1, maxLength: MAX_AGENT_CHARS }),
  inQuery('session', 'Session whose own actions are found too.'),
]

/** Source: Lagent's actions and their ActionReturn; its paths are ours. */
export const LAGENT: PublishedDocument = publishedDocument({
  title: 'Toolyard for clients of Lagent',
  description:
    'The tools as Lagent knows actions: described in its form, called with what its parsers take, answered with its ActionReturn.',
  tag: { name: 'lagent', description: 'Actions of Lagent.' },
  security: 'X-API-Key',
  refusal: 'application/problem+json',
  schemas: {
    Action: {
      ...anyObject,
      description: 'In the form that was asked for: with `name` and `description`, or `type: function`.',
    },
    ActionReturn: wholeObject({
      args: { description: 'The arguments as they were read; null where they were not.' },
      url: { type: ['string', 'null'] },
      type: { type: ['string', 'null'], description: 'The action.' },
      result: { type: ['array', 'null'], items: anyObject, description: 'Parts: `type` and `content`.' },
      errmsg: { type: ['string', 'null'], description: 'What was wrong, and what to do.' },
      state: { type: 'integer', description: '0 is success, 1 that it goes on; all from 0 below are failures.' },
      thought: { type: ['string', 'null'] },
      valid: { type: 'integer' },
    }),
  },
  operations: [
    {
      ...{ method: 'get', path: '/lagent/tools', id: 'listActions', summary: 'List the actions, each api by itself' },
      parameters: [...FORM, inQuery('cursor', 'The next_cursor of the page before.')],
      answer: JSON_ANSWER({
        type: 'object',
        properties: { tools: { type: 'array', items: { $ref: '#/components/schemas/Action' } }, next_cursor: text },
        required: ['tools'],
      }),
      more: ['400'],
      example: { query: { format: 'openai' } },
    },
    {
      ...{ method: 'get', path: '/lagent/tools/{name}', id: 'getAction', summary: 'Get an action' },
      parameters: [
        { name: 'name', in: 'path', required: true, description: 'Name of an action, or `Toolkit.api`.', schema: text },
        ...FORM,
      ],
      answer: JSON_ANSWER({ $ref: '#/components/schemas/Action' }),
      more: ['400', '404'],
      example: { params: { name: 'dir_create' } },
    },
    {
      ...{ method: 'post', path: '/lagent/execute', id: 'callAction', summary: 'Call an action' },
      description: 'The first call makes the session. An action that failed is answered 200 with `errmsg`.',
      body: {
        type: 'object',
        properties: {
          session: { type: ['string', 'number'], default: 'lagent' },
          name: text,
          inputs: { description: 'Arguments: an object, or a text that the parser reads.' },
          parameters: { description: 'Another name of `inputs`.' },
          parser: { type: ['string', 'null'], enum: ['json', 'tuple', 'JsonParser', 'TupleParser', null] },
          agent: { type: ['string', 'null'] },
        },
        required: ['name'],
      },
      answer: JSON_ANSWER({ $ref: '#/components/schemas/ActionReturn' }),
      more: ['400'],
      example: { body: { session: 'documented_lagent', name: 'dir_create', inputs: { dir_path: 'notes' } } },
    },
    {
      ...{ method: 'post', path: '/lagent/actions', id: 'registerActions', summary: 'Bring actions as Python' },
      body: {
        type: 'object',
        properties: {
          session: { type: ['string', 'number'], default: 'lagent' },
          source: { ...text, description: 'Python with classes of BaseAction, or functions with `@tool_api`.' },
          requirements: { type: 'array', items: text, default: [], description: 'Packages to install first.' },
        },
        required: ['source'],
      },
      answer: JSON_ANSWER({ ...anyObject, properties: { actions: { type: 'array', items: anyObject } } }),
      more: ['400', '409'],
      example: { body: { session: 'documented_lagent', source: 'not Python' }, status: 400 },
    },
  ],
})
