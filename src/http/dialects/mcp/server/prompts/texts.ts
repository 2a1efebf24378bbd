import type { Prompt } from '@modelcontextprotocol/server'
import { toolText } from './make-tool.ts'
import { sessionText } from './work-in-session.ts'
import { chainText } from './write-chain.ts'

/** A prompt and its text. */
interface OfferedPrompt extends Prompt {
  /** Text for the model. @param given arguments; required ones are there */
  text(given: Readonly<Record<string, string>>): string
}

/** Prompts of the server, in the order of their list. */
export const PROMPTS: readonly OfferedPrompt[] = [
  {
    name: 'work_in_session',
    title: 'Work in a session',
    description: 'How to do a task with files and commands in a session of this server.',
    arguments: [
      { name: 'task', description: 'What is to be done.', required: true },
      { name: 'session', description: 'Name of the session to work in. Left out: the usual one.' },
    ],
    text: sessionText,
  },
  {
    name: 'make_tool',
    title: 'Make a tool',
    description: 'How to make a tool of your own with tool_create: from an HTTP service, from Python, or as a chain.',
    arguments: [
      { name: 'purpose', description: 'What the tool does, for whom.', required: true },
      { name: 'kind', description: 'http, python or chain. Left out: whichever fits.' },
    ],
    text: toolText,
  },
  {
    name: 'write_chain',
    title: 'Write a chain',
    description:
      'How to write several calls of tools as one chain, with conditions, lists and retries, and keep it as a tool.',
    arguments: [
      { name: 'goal', description: 'What the chain takes, does and gives.', required: true },
      { name: 'tool_id', description: 'Id of the tool that the chain becomes, e.g. notes.sources.' },
    ],
    text: chainText,
  },
]
