import { JSON_ANSWER, type PublishedDocument, publishedDocument, wholeObject } from './published-document.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const textOrNull = { type: ['string', 'null'] } as const
const anyObject = { type: 'object', additionalProperties: true } as const
const succeeded = (data: object) => JSON_ANSWER(wholeObject({ success: flag, data }))
/** Answer of infiAgent's routes: `found` or `success`, and what goes with it. */
const either = (field: 'found' | 'success') =>
  JSON_ANSWER({ type: 'object', properties: { [field]: flag, error: text }, required: [field] })
const inPath = (name: string, description: string) =>
  ({ name, in: 'path', required: true, description, schema: text }) as const
const inQuery = (name: string, description: string, required?: true) =>
  ({ name, in: 'query', ...(required && { required }), description, schema: text }) as const
const task = inPath('task_id', 'Id of the task. Its slashes may be sent as they are, or as `%2F`.')
const question = inPath('id', "The client's id of the question.")
const ID = { task_id: 'documented_task' }
const call = { tool_name: text, arguments: anyObject } as const

/** Source: the Tool Server's published document, its version of October 2025, and infiAgent's client. */
export const TOOLSERVER: PublishedDocument = publishedDocument({
  title: 'Toolyard for clients of the Tool Server',
  description:
    'Tasks, and tools that run in them, as clients of the Tool Server and of infiAgent know them. Ids, names and answers are as published. A tool that failed is answered 200 with `success: false`.',
  tag: { name: 'toolserver', description: 'Tasks, their tools, files and questions to people.' },
  security: 'X-API-Key',
  schemas: {
    ToolCall: {
      type: 'object',
      properties: {
        task_id: text,
        tool_name: text,
        params: { ...anyObject, description: 'Arguments of the tool: an object, or an object as text.' },
      },
      required: ['task_id', 'tool_name', 'params'],
    },
    ToolAnswer: wholeObject({
      success: { ...flag, description: 'Whether the tool worked.' },
      data: { type: ['object', 'null'], description: 'Fields of its result.' },
      error: { ...textOrNull, description: 'What was wrong, and what to do.' },
      timestamp: text,
      execution_time: { type: 'number', description: 'Seconds.' },
      task_id: text,
      tool_name: text,
    }),
    ListedTask: wholeObject({ task_id: text, task_name: text, created_at: text, status: text }),
    Task: wholeObject({ task_id: text, task_name: text, created_at: text, path: text }),
    HumanTask: wholeObject({
      ...{ human_task_id: text, task_id: text, human_task: text, completed: flag },
      ...{ created_at: text, completed_at: textOrNull, result: textOrNull },
    }),
  },
  operations: [
    {
      ...{ method: 'get', path: '/', id: 'getServer', summary: 'Get the names of the tools' },
      answer: JSON_ANSWER(wholeObject({ message: text, tools: { type: 'array', items: text }, version: text })),
      example: {},
    },
    {
      ...{ method: 'get', path: '/health', id: 'getHealth', summary: 'Look whether the server runs' },
      answer: JSON_ANSWER(wholeObject({ status: text, service: text, version: text })),
      example: {},
    },
    {
      ...{ method: 'get', path: '/api/tools', id: 'listTools', summary: 'List the names of the tools' },
      answer: succeeded({ type: 'array', items: text }),
      example: {},
    },
    {
      ...{
        method: 'get',
        path: '/api/tools/info',
        id: 'listToolInfo',
        summary: 'List the tools with their parameters',
      },
      answer: succeeded(anyObject),
      example: {},
    },
    {
      ...{ method: 'post', path: '/api/task/create', id: 'createTask', summary: 'Create a task' },
      description:
        'The same names may stand in a body of JSON instead. A task that exists already is refused with 400.',
      parameters: [
        inQuery('task_id', 'Id of your choice.', true),
        inQuery('task_name', 'Title.', true),
        inQuery('requirements', 'Python packages to install, one per line.'),
      ],
      answer: succeeded(wholeObject({ task_id: text, task_name: text, path: text, status: text })),
      more: ['400', '422'],
      example: { query: { ...ID, task_name: 'Documented' } },
    },
    {
      ...{ method: 'get', path: '/api/task/list', id: 'listTasks', summary: 'List the tasks' },
      answer: succeeded({ type: 'array', items: { $ref: '#/components/schemas/ListedTask' } }),
      example: {},
    },
    {
      ...{ method: 'get', path: '/api/task/{task_id}/status', id: 'getTask', summary: 'Get a task' },
      parameters: [task],
      answer: succeeded({ $ref: '#/components/schemas/Task' }),
      more: ['404'],
      example: { params: ID },
    },
    {
      ...{ method: 'post', path: '/api/tool/execute', id: 'callTool', summary: 'Call a tool in a task' },
      body: { $ref: '#/components/schemas/ToolCall' },
      answer: JSON_ANSWER({ $ref: '#/components/schemas/ToolAnswer' }),
      more: ['422'],
      example: {
        body: { ...ID, tool_name: 'file_write', params: { file_path: 'upload/hello.md', content: 'Hello' } },
      },
    },
    {
      ...{ method: 'get', path: '/api/download/{task_id}/{file_path}', id: 'downloadFile', summary: 'Download a file' },
      parameters: [task, inPath('file_path', 'Path of the file, with its slashes.')],
      answer: { description: 'The file.', content: { '*/*': {} } },
      more: ['400', '404'],
      example: { params: { ...ID, file_path: 'upload/hello.md' } },
    },
    {
      ...{
        method: 'get',
        path: '/api/human-tasks/{task_id}',
        id: 'listHumanTasks',
        summary: 'List questions to people',
      },
      parameters: [task],
      answer: succeeded(
        wholeObject({
          task_id: text,
          human_tasks: { type: 'array', items: { $ref: '#/components/schemas/HumanTask' } },
          total_count: { type: 'integer' },
        }),
      ),
      more: ['404'],
      example: { params: ID },
    },
    {
      method: 'get',
      path: '/api/human-tasks/{task_id}/{human_task_id}',
      ...{ id: 'getHumanTask', summary: 'Get a question to people' },
      parameters: [task, inPath('human_task_id', 'Id of the question.')],
      answer: succeeded({ $ref: '#/components/schemas/HumanTask' }),
      more: ['404'],
      example: { params: { ...ID, human_task_id: 'none' }, status: 404 },
    },
    {
      method: 'put',
      path: '/api/human-tasks/{task_id}/{human_task_id}',
      ...{ id: 'answerHumanTask', summary: 'Answer a question' },
      description: 'A long result may stand in a body of JSON, with the same names.',
      parameters: [
        ...[task, inPath('human_task_id', 'Id of the question.')],
        ...[inQuery('completed', '`true` when it is answered.', true), inQuery('result', 'The answer.')],
      ],
      answer: succeeded({ $ref: '#/components/schemas/HumanTask' }),
      more: ['404', '409', '422'],
      example: { params: { ...ID, human_task_id: 'none' }, query: { completed: 'true', result: 'Yes' }, status: 404 },
    },
    {
      method: 'post',
      path: '/api/tool-confirmation/create',
      ...{ id: 'createConfirmation', summary: 'Ask whether a call may be made' },
      body: {
        type: 'object',
        properties: { confirm_id: text, task_id: text, ...call },
        required: ['confirm_id', 'task_id', 'tool_name', 'arguments'],
      },
      answer: either('success'),
      more: ['422'],
      example: {
        body: { confirm_id: 'confirm_1', ...ID, tool_name: 'execute_shell', arguments: { command: 'echo hello' } },
      },
    },
    {
      method: 'get',
      path: '/api/tool-confirmation/workspace/{task_id}',
      ...{ id: 'findConfirmation', summary: 'Find the call of a task that waits for a confirmation' },
      parameters: [task],
      answer: either('found'),
      example: { params: ID },
    },
    {
      ...{ method: 'get', path: '/api/tool-confirmation/{id}', id: 'getConfirmation', summary: 'Get a confirmation' },
      parameters: [question],
      answer: either('found'),
      example: { params: { id: 'confirm_1' } },
    },
    {
      method: 'post',
      path: '/api/tool-confirmation/respond/{id}',
      ...{ id: 'answerConfirmation', summary: 'Allow a call, or not' },
      parameters: [question],
      body: wholeObject({ approved: flag }),
      answer: either('success'),
      more: ['422'],
      example: { params: { id: 'confirm_1' }, body: { approved: true } },
    },
    {
      method: 'get',
      path: '/api/hil/workspace/{task_id}',
      ...{ id: 'findQuestion', summary: 'Find the open question of a task' },
      parameters: [task],
      answer: either('found'),
      example: { params: ID },
    },
    {
      ...{ method: 'get', path: '/api/hil/{id}', id: 'getQuestion', summary: 'Get a question' },
      parameters: [question],
      answer: either('found'),
      example: { params: { id: 'question_1' } },
    },
    {
      ...{
        method: 'post',
        path: '/api/hil/respond/{id}',
        id: 'answerQuestion',
        summary: 'Answer a question by its id',
      },
      parameters: [question],
      body: wholeObject({ response: text }),
      answer: either('success'),
      more: ['422'],
      example: { params: { id: 'question_1' }, body: { response: 'Yes' } },
    },
    {
      ...{ method: 'delete', path: '/api/task/{task_id}', id: 'deleteTask', summary: 'Delete a task with its files' },
      parameters: [task],
      answer: succeeded(wholeObject({ task_id: text, status: text })),
      more: ['400'],
      example: { params: ID },
    },
  ],
})
