import { JSON_ANSWER, type PublishedDocument, publishedDocument, wholeObject } from './published-document.ts'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const anyObject = { type: 'object', additionalProperties: true } as const
const schemaOf = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const listOf = (name: string) => ({ type: 'array', items: schemaOf(name) })

const NODE_ID = {
  name: 'node_id',
  in: 'cookie',
  schema: text,
  description: 'Node of the request, as /get_cookie sets it: 403 where there is none of that id.',
} as const

/** Operation on a node: all are POST, and take its cookie. */
const onNode = (path: string, id: string, summary: string) => ({
  ...{ method: 'post', path, id, summary },
  parameters: [NODE_ID],
})
/** Statuses of a node that is closed or idle, beside those of every request. */
const NODE = ['500', '503']
const names = (...fields: readonly string[]) => ({
  anyOf: [texts, ...fields.map((field) => ({ type: 'object', properties: { [field]: texts }, required: [field] }))],
})

/** Source: XAgent's ToolServer, its manager and its nodes; the wire facts are those of its tests here. */
export const XAGENT: PublishedDocument = publishedDocument({
  title: 'Toolyard for clients of XAgent',
  description:
    'XAgent’s ToolServer, its manager and its nodes at one address. A node is named by a cookie; a client that sends no header has its key in the URL, `https://host/k/<key>`.',
  tag: { name: 'xagent', description: 'Nodes, their tools and files.' },
  security: 'X-API-Key',
  schemas: {
    Tool: {
      ...anyObject,
      description: 'A tool for a model: `name`, `description` and `parameters` as JSON Schema.',
      properties: { name: text, description: text, parameters: anyObject },
      required: ['name'],
    },
    Env: wholeObject({
      ...{ name: text, description: text, total_tools: { type: 'integer' } },
      tools: { ...texts, description: 'Short names of its tools; `...` behind the last where there are more.' },
    }),
    ToolCall: {
      type: 'object',
      description: 'Its fields may be called `tool` and `parameters`, too.',
      properties: {
        tool_name: { ...text, description: 'Full name, or the short one beside `env_name`.' },
        arguments: { ...anyObject, description: 'An object, or an object as text.' },
        env_name: { type: ['string', 'null'] },
      },
    },
    Directory: {
      type: 'object',
      properties: { name: text, type: { enum: ['directory', 'file'] }, children: listOf('Directory') },
      required: ['name', 'type'],
    },
  },
  operations: [
    {
      ...{ method: 'get', path: '/alive', id: 'alive', summary: 'Look whether the server runs' },
      answer: JSON_ANSWER(text),
      example: {},
    },
    ...(['/get_cookie', '/get_cookies'] as const).map((path) => ({
      ...{ method: 'post', path, id: path === '/get_cookie' ? 'openNode' : 'openNodeToo', summary: 'Open a node' },
      description: 'The answer sets the cookie `node_id`.',
      answer: JSON_ANSWER(wholeObject({ message: text, version: text })),
      more: ['503'],
      example: {},
    })),
    {
      ...onNode('/close_session', 'closeNode', 'End what runs in a node'),
      answer: JSON_ANSWER(text),
      example: {},
    },
    {
      ...onNode('/reconnect_session', 'reconnectNode', 'End what runs in a node, and go on'),
      answer: JSON_ANSWER(text),
      more: ['503'],
      example: {},
    },
    {
      ...onNode('/release_session', 'releaseNode', 'Remove a node with its files'),
      answer: JSON_ANSWER(text),
      example: {},
    },
    ...(['get', 'post'] as const).map((method) => ({
      ...onNode('/', method === 'get' ? 'getNode' : 'postNode', 'Look whether a node runs'),
      method,
      description: 'Without the cookie this path is the Tool Server’s.',
      answer: JSON_ANSWER(wholeObject({ message: text })),
      more: NODE,
      example: {},
    })),
    {
      ...onNode('/get_available_tools', 'listTools', 'List the envs and the tools'),
      answer: JSON_ANSWER(
        wholeObject({ available_envs: listOf('Env'), available_tools: texts, tools_json: listOf('Tool') }),
      ),
      more: NODE,
      example: {},
    },
    {
      ...onNode('/get_json_schema_for_tools', 'getTools', 'Get tools by their names'),
      body: names('tool_names', 'tools'),
      answer: JSON_ANSWER(wholeObject({ tools_json: listOf('Tool'), missing_tools: texts })),
      more: ['422', ...NODE],
      example: { body: { tool_names: ['calculator'] } },
    },
    {
      ...onNode('/get_json_schema_for_envs', 'getEnvs', 'Get envs by their names'),
      body: names('env_names', 'envs'),
      answer: JSON_ANSWER(wholeObject({ envs_json: listOf('Env'), missing_envs: texts })),
      more: ['422', ...NODE],
      example: { body: { env_names: ['FileSystemEnv'] } },
    },
    {
      ...onNode('/retrieving_tools', 'findTools', 'Find tools by a question'),
      body: {
        type: 'object',
        properties: { question: text, top_k: { type: ['integer', 'string'], default: 5 } },
        required: ['question'],
      },
      answer: JSON_ANSWER(wholeObject({ retrieved_tools: texts, tools_json: listOf('Tool') })),
      more: ['422', ...NODE],
      example: { body: { question: 'read a file', top_k: 2 } },
    },
    {
      ...onNode('/execute_tool', 'callTool', 'Call a tool'),
      description: 'A tool that is not done yet is answered 450 with the call to make next; one that failed, 500.',
      body: schemaOf('ToolCall'),
      answer: JSON_ANSWER({ description: 'The value; an object as `{type: "simple", data}`.' }),
      more: ['404', '422', '450', ...NODE],
      example: { body: { tool_name: 'calculator', arguments: { expression: '6 * 7' } } },
    },
    {
      ...onNode('/register_new_tool', 'registerTool', 'Bring a tool as Python'),
      body: {
        type: 'object',
        properties: { tool_name: text, code: { ...text, description: 'Python with `@toolwrapper()`.' } },
        required: ['tool_name', 'code'],
      },
      answer: JSON_ANSWER(schemaOf('Tool')),
      more: ['406', '422', ...NODE],
      example: { body: { tool_name: 'calculator', code: 'there is one already' }, status: 406 },
    },
    {
      ...onNode('/upload_file', 'uploadFile', 'Upload a file under its name'),
      form: {
        type: 'object',
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
        required: ['file'],
      },
      answer: JSON_ANSWER(wholeObject({ message: text })),
      more: ['413', '422', ...NODE],
      example: { body: { file: 'hello' } },
    },
    {
      ...onNode('/download_file', 'downloadFile', 'Download a file'),
      body: { type: 'object', properties: { file_path: text }, required: ['file_path'] },
      answer: { description: 'The file.', content: { '*/*': {} } },
      more: ['400', '404', '422', ...NODE],
      example: { body: { file_path: 'none.txt' }, status: 404 },
    },
    {
      ...onNode('/download_workspace', 'downloadWorkspace', 'Download all files as a zip'),
      answer: { description: 'The archive.', content: { 'application/zip': {} } },
      more: NODE,
      example: {},
    },
    {
      ...onNode('/get_workspace_structure', 'getStructure', 'Get the names of all files as a tree'),
      answer: JSON_ANSWER(schemaOf('Directory')),
      more: NODE,
      example: {},
    },
  ],
})
