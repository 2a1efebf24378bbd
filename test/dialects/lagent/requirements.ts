import type { Requirement } from '../../support/requirements.ts'

const document = (section: string) => `document, ${section}`
const code = (path: string) => `lagent 0.5.0rc3, ${path}`
const ours = 'ours: Lagent has no HTTP'

/** Lagent's actions over HTTP. Each is verified by a test beside this file; a run of all tests counts. */
export const REQUIREMENTS = {
  'lagent:list': {
    source: document('Dynamic Invocation'),
    behaviour: "the list has each tool, and each toolkit's as Toolkit.api, in Lagent's form",
  },
  'lagent:list:builtins': {
    source: code('actions/'),
    behaviour: "the list has Lagent's own actions, under their names and in their words",
  },
  'lagent:list:words': {
    source: document('Tool Description'),
    behaviour:
      'descriptions say in Chinese, or in English when asked, how arguments are written, as JSON or as a tuple',
  },
  'lagent:list:forms': {
    source: ours,
    behaviour: "the list comes in OpenAI's and in Anthropic's form too, with names and schemas that these allow",
  },
  'lagent:describe': {
    source: document('Tool & Toolkit'),
    behaviour: 'an action is described alone, a toolkit with its api_list',
  },
  'lagent:execute:inputs': {
    source: document('Run a Tool'),
    behaviour: 'inputs are a JSON string, an object, the text of a tuple, or a list for one',
  },
  'lagent:execute:return': {
    source: code('schema.py, ActionReturn'),
    behaviour: 'an execution answers with the eight fields of an ActionReturn in their order, codes as plain numbers',
  },
  'lagent:execute:toolkit': {
    source: document('Dynamic Invocation'),
    behaviour: 'an api of a toolkit is called as Toolkit.api, and its type is the toolkit',
  },
  'lagent:execute:builtin': {
    source: code('actions/'),
    behaviour: "one of Lagent's own actions answers with the JSON that it has there",
  },
  'lagent:execute:interpreters': {
    source: code('actions/ipython_interpreter.py, python_interpreter.py'),
    behaviour:
      'interpreters answer with what they showed or returned, and tell the code as text; its exception is API_ERROR',
  },
  'lagent:variants': {
    source: code('actions/__init__.py'),
    behaviour:
      'the asynchronous and interactive variants are described and called by name, and are in no list; what cannot be called says what to use',
  },
  'lagent:methods': {
    source: ours,
    behaviour: 'a path that is asked by another method than its own answers 405, with the methods that it has',
  },
  'lagent:execute:arguments': {
    source: code('actions/parser.py'),
    behaviour:
      'arguments that cannot be read or do not fit are ARGS_ERROR, in the words of the parsers, with status 200',
  },
  'lagent:execute:fails': {
    source: code('actions/base_action.py'),
    behaviour: 'a tool that fails is API_ERROR, or HTTP_ERROR when another service did, and the model is told why',
  },
  'lagent:execute:invalid-api': {
    source: code('actions/base_action.py'),
    behaviour: 'an api that a toolkit has not is "invalid API"',
  },
  'lagent:execute:unknown': {
    source: code('actions/action_executor.py'),
    behaviour: 'an unknown action is answered by InvalidAction, and the model is told which known ones are like it',
    differs: 'the message is what the call brought as parameters',
  },
  'lagent:execute:pseudo': {
    source: code('actions/builtin_actions.py'),
    behaviour: 'NoAction and FinishAction answer to their names',
  },
  'lagent:execute:characters': {
    source: code('actions/parser.py, parse_outputs'),
    behaviour: 'a result keeps all its characters',
    differs: 'those that GBK has not are dropped',
  },
  'lagent:execute:pending': {
    source: ours,
    behaviour: 'what goes on is ING, and brings the call that waits for it',
  },
  'lagent:execute:next-name': {
    source: ours,
    behaviour:
      "names as OpenAI's and Anthropic's forms have them, and tools of toolkits without their toolkit, are known",
  },
  'lagent:execute:no-call': {
    source: ours,
    behaviour: 'a body that is no call is a problem with status 400 that says what is wrong',
  },
  'lagent:sessions': {
    source: ours,
    behaviour: 'a session is made by its first call; two names have two workspaces, and two tenants too',
  },
  'lagent:registered': {
    source: ours,
    behaviour:
      'tools that the tenant registered are listed and called, by id or as Toolkit.id, unless they are disabled',
  },
  'lagent:python': {
    source: code('actions/base_action.py, BaseAction'),
    behaviour: 'Python with actions is taken for a session, listed and called there as Lagent does it',
  },
  'lagent:python:refused': {
    source: ours,
    behaviour: 'Python that Lagent could not describe is a problem that names the function and the parameter',
  },
  'lagent:echo': {
    source: code('schema.py, ActionReturn'),
    behaviour: 'long arguments come back shortened',
    differs: 'they come back whole',
  },
} as const satisfies Record<string, Requirement>
