import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_OWN_TOOL_CHARS } from '../../core/limits/sessions.ts'
import { field, say } from '../../core/saying/saying.ts'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { readDocstring } from './docstring.ts'
import { runOwnTool } from './own-tool-program.ts'

const MAX_DOCSTRING_CHARS = 20_000

/**
 * Registers a client's own tool. Source: XAgent ToolServer, core/register, dynamic_register. Unlike there the code runs in
 * the session's sandbox alone.
 */
export const ownToolRegister = defineTool({
  name: 'own_tool_register',
  description:
    'Register a Python function as a tool of this task: it is labelled with @toolwrapper() and described by its docstring, ' +
    'with a line ":param TYPE NAME: text" for each parameter. It runs in the sandbox. Returns the tool as it was read from ' +
    'the docstring. Call it by own_tool_call.',
  effect: 'run',
  uses: ['python', 'toolbox'],
  input: z.object({
    tool_name: requiredText.describe('Name of the function, or the name that @toolwrapper gives it'),
    code: requiredText.describe(`Python that defines it, at most ${MAX_OWN_TOOL_CHARS} characters`),
  }),

  async run({ tool_name, code }, { ports: { python, toolbox } }) {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(tool_name)) {
      fail('invalid_input', say`${field('tool_name')} must be a name in Python of at most 100 characters`)
    }
    if (code.length > MAX_OWN_TOOL_CHARS) {
      fail(
        'limit_exceeded',
        `the code has ${code.length} characters; at most ${MAX_OWN_TOOL_CHARS} are taken (MAX_OWN_TOOL_CHARS)`,
      )
    }
    if (await toolbox.find('function', tool_name)) {
      fail('conflict', `a tool called ${tool_name} is registered already; give another name`)
    }
    const reply = await runOwnTool(python, { name: tool_name, code })
    if ('absent' in reply) {
      const others = reply.absent.length > 0 ? `; labelled are: ${reply.absent.join(', ')}` : ''
      fail('invalid_input', `the code labels no function ${tool_name} with @toolwrapper()${others}`)
    }
    if ('error' in reply) fail('invalid_input', [reply.error, reply.message].filter(Boolean).join(': '))
    if (!('doc' in reply)) return fail('invalid_input', 'the code raises when it is loaded')
    const { description, parameters } = readDocstring(reply.doc.slice(0, MAX_DOCSTRING_CHARS))
    const tool = { name: tool_name, description, parameters, hidden: !reply.visible }
    await toolbox.put('functions', { described: tool, code })
    return { text: `registered ${tool_name}`, data: { tool } }
  },
})
