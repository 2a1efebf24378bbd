import { z } from 'zod'
import { fail } from '../../core/failure.ts'
import { SHELL_COMMAND_MS } from '../../core/limits/consoles.ts'
import { MAX_OUTPUT_BYTES, MAX_REASON_CHARS } from '../../core/limits/sandbox.ts'
import type { Python } from '../../ports/python.ts'

/**
 * A module around a client's Python, which is loaded with the names that the published server gives it. `answer` describes
 * or calls one function of it, and says so as JSON.
 */
const program = (code: string) => `
import base64, inspect, json, sys, types
CODE = ${JSON.stringify(code)}
found = {}
loaded = False

class ToolExecutionError(Exception):
    pass

def toolwrapper(name=None, enabled=True, disabled_reason=None, visible=True, **_):
    def label(function, name=None if callable(name) else name):
        found[name or function.__name__] = (function, enabled, disabled_reason, visible)
        return function
    return label(name) if callable(name) else label

def module(name, **names):
    made = types.ModuleType(name)
    made.__dict__.update(names)
    sys.modules[name] = made
    return made

own = module('own_tool', toolwrapper=toolwrapper, ToolExecutionError=ToolExecutionError)
for name, names in (('core', {}), ('core.register', {'toolwrapper': toolwrapper}),
                    ('core.exceptions', {'ToolExecutionError': ToolExecutionError})):
    module(name, __path__=[], **names)

def wrapped(value):
    if isinstance(value, (bytes, bytearray)):
        return {'type': 'binary', 'media_type': 'bytes', 'data': base64.b64encode(value).decode()}
    if isinstance(value, tuple):
        if len(value) > 1:
            return {'type': 'composite', 'data': [wrapped(part) for part in value]}
        return {'type': 'simple', 'data': value[0] if value else None}
    return value

async def work(name, arguments):
    global loaded
    if not loaded:
        exec(compile(CODE, '<tool>', 'exec'), own.__dict__)
        loaded = True
    if name not in found:
        return {'absent': sorted(map(str, found))[:20]}
    function, enabled, reason, visible = found[name]
    if not inspect.isroutine(function):
        return {'error': 'TypeError', 'message': 'only functions can be registered'}
    if not enabled:
        return {'error': 'RuntimeError', 'message': 'the tool is disabled' + (': ' + str(reason) if reason else '')}
    if arguments is None:
        return {'doc': str(inspect.getdoc(function) or ''), 'visible': bool(visible)}
    value = function(**arguments)
    return {'value': wrapped(await value if inspect.isawaitable(value) else value)}

def failed(error):
    known = isinstance(error, ToolExecutionError) and error.args
    if known and isinstance(error.args[0], (dict, list)):
        return {'detail': error.args[0]}
    return {'error': '' if known else type(error).__name__, 'message': str(error)}

async def answer(name, arguments):
    try:
        return json.dumps(await work(name, arguments), allow_nan=False)
    except BaseException as error:
        try:
            return json.dumps(failed(error), allow_nan=False)
        except Exception:
            return json.dumps({'error': type(error).__name__, 'message': ''})
`

const Reply = z.union([
  z.object({ value: z.unknown() }).refine((reply) => 'value' in reply),
  z.object({ doc: z.string(), visible: z.boolean() }),
  z.object({ absent: z.array(z.string()) }),
  z.object({ detail: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]) }),
  z.object({ error: z.string(), message: z.string().transform((text) => text.slice(0, MAX_REASON_CHARS)) }),
])

interface Request {
  readonly name: string
  readonly code: string
  /** Calls the function; without them it is described. */
  readonly arguments?: Readonly<Record<string, unknown>>
}

/** @throws FailureError `timeout`; `upstream` when it ended without a reply; else as `Python.call` */
export async function runOwnTool(
  python: Python,
  { name, code, arguments: args }: Request,
): Promise<z.output<typeof Reply>> {
  const module = { files: { 'own_tool_program.py': program(code) }, main: 'own_tool_program', requirements: [] }
  const reply = await python.call({
    module: { ...module, environment: 'task' },
    ask: { do: 'function', entry: 'answer', args: { name, arguments: args ?? null }, context: {} },
    timeoutMs: SHELL_COMMAND_MS,
  })
  if (reply.how === 'timedOut') {
    fail('timeout', `stopped after ${SHELL_COMMAND_MS / 1000} seconds (SHELL_COMMAND_MS); let it do less`)
  }
  const said = reply.how === 'returned' && typeof reply.value === 'string' ? reply.value : ''
  const bytes = reply.how === 'tooLarge' ? reply.bytes : said.length
  if (bytes > MAX_OUTPUT_BYTES) {
    fail(
      'limit_exceeded',
      `its result has ${bytes} bytes; at most ${MAX_OUTPUT_BYTES} are taken (MAX_OUTPUT_BYTES). Let it write a file, and return the path`,
    )
  }
  const answer = Reply.safeParse(parsed(said))
  if (!answer.success) {
    fail('upstream', `the tool ended without a result. ${reply.stderr.text.slice(-MAX_REASON_CHARS).trim()}`.trim())
  }
  return answer.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // the tool wrote there itself
  }
}
