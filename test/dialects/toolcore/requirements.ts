import type { Requirement } from '../../support/requirements.ts'

const document = (section: string) => `document, ${section}`
const routes = (route: string) => `server, services/toolcore/main.py, ${route}`
const http = 'server, services/toolcore/executors/http_executor.py'

/** Behaviours of Toolcore, each verified by a test beside this file; a run of all tests counts. */
export const REQUIREMENTS = {
  'toolcore:secret': {
    source: routes('verify_secret'),
    behaviour: 'without X-Internal-Secret, and with one that is not good, every route is 401 and says so',
  },
  'toolcore:secret:local': {
    source: document('Environment Variables'),
    behaviour: 'the secret of the printed examples works on a local server',
  },
  'toolcore:secret:key': {
    source: routes('verify_secret'),
    behaviour: 'X-Internal-Secret carries an API key, and opens that tenant only',
    differs: 'one secret opens everything, and there are no tenants',
  },
  'toolcore:secret:first': {
    source: routes('POST /internal/tools/call'),
    behaviour: 'a body that is no call is 422 before the secret is looked at',
  },
  'toolcore:health': {
    source: routes('GET /health'),
    behaviour: 'GET /health with the header counts the tools, disabled ones too',
    differs: 'it needs no header; here the Tool Server has that path for those who send none',
  },
  'toolcore:list': {
    source: routes('GET /internal/tools'),
    behaviour: 'the list has the enabled tools in their order, each with exactly five keys',
  },
  'toolcore:list:agent': {
    source: routes('GET /internal/tools'),
    behaviour:
      'with agent_id the list has only what is for all or for that agent; an empty list of agents is for nobody',
  },
  'toolcore:list:wildcard': {
    source: routes('GET /internal/tools'),
    behaviour: 'a name in allowed_agents may have * in it',
    differs: 'names are compared whole',
  },
  'toolcore:list:hidden': {
    source: routes('GET /internal/tools'),
    behaviour: 'hidden tools, of which an imported API has thousands, are not in the list, and are called by name',
    differs: 'none are hidden',
  },
  'toolcore:definition': {
    source: routes('GET /internal/tools/{tool_id}'),
    behaviour: 'a tool is shown whole, also a disabled one, and one whose id has a blank',
  },
  'toolcore:definition:unknown': {
    source: routes('GET /internal/tools/{tool_id}'),
    behaviour: 'an unknown tool is 404, and so is an id with a slash, in other words',
  },
  'toolcore:call': {
    source: routes('POST /internal/tools/call'),
    behaviour: 'the printed call answers 200 with exactly the five keys, and the result that the service gave',
  },
  'toolcore:call:payload': {
    source: http,
    behaviour:
      'the service is sent exactly args and context as JSON, null as an empty object, and nothing of who calls',
  },
  'toolcore:call:chain': {
    source: document('Roadmap, Phase 3.5'),
    behaviour: 'a chain gives its output; one that is no object stands under result',
    differs: 'tools are not chained yet',
  },
  'toolcore:call:unknown': {
    source: routes('POST /internal/tools/call'),
    behaviour: 'a call of an unknown tool is 403, not 404',
  },
  'toolcore:call:disabled': {
    source: routes('POST /internal/tools/call'),
    behaviour: 'a disabled tool is 403, before its list of agents is looked at',
  },
  'toolcore:call:agent': {
    source: routes('POST /internal/tools/call'),
    behaviour: 'an agent that is not in the list is 403 with its name, which is noted and makes no session',
  },
  'toolcore:call:invalid': {
    source: routes('POST /internal/tools/call'),
    behaviour: 'what does not fit is 422 with its place, in the words of FastAPI',
  },
  'toolcore:call:unchecked': {
    source: routes('POST /internal/tools/call'),
    behaviour: 'arguments are not compared with the schema, nor results, unless the tool asks for it',
  },
  'toolcore:http:null': { source: http, behaviour: 'a null of the service is a result' },
  'toolcore:http:status': {
    source: http,
    behaviour: 'a status that is no 2xx is an error with the whole body; no redirect is followed',
  },
  'toolcore:http:refused': { source: http, behaviour: 'a service that is not there is an error that names it' },
  'toolcore:http:timeout': {
    source: http,
    behaviour: 'a service that is too slow is an error with the seconds, also one that drips',
    differs: 'its limit is for each step, so that one that drips outlives it',
  },
  'toolcore:http:rubbish': {
    source: http,
    behaviour: 'what is no JSON, or no object, is an error in the words of the original',
  },
  'toolcore:usage': {
    source: 'server, services/usage-engine, GET /internal/usage/tools',
    behaviour: 'calls, rate of success and mean time of the most used tools, of a microDAO or of all',
    differs: 'another service at another port counts, and nothing tells it of calls',
  },
  'toolcore:usage:summary': {
    source: 'server, services/usage-engine, GET /internal/usage/summary',
    behaviour: 'the summary has the sums of the period, and the agents',
  },
  'toolcore:usage:period': {
    source: 'server, services/usage-engine, GET /internal/usage/tools',
    behaviour: 'a period is 1 to 720 hours; another one is 422',
  },
  'toolcore:paths': {
    source: 'server, FastAPI',
    behaviour: 'other paths are 404, other methods 405, and a slash at the end leads to the path without',
  },
  'toolcore:session': {
    source: document('POST /internal/tools/call'),
    behaviour: 'an agent in a microDAO is one session, whose history has its calls',
    differs: 'calls are logged and nothing is kept',
  },
} as const satisfies Readonly<Record<string, Requirement>>
