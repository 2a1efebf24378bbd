import { field, ifKnown, type Saying, say } from '../core/saying/saying.ts'
import { worded } from '../core/saying/worded.ts'
import type { PythonReply } from '../ports/python.ts'

/** Sentence that says why a module gave no answer. */
export const whyNot = (reply: PythonReply): string => worded(sayWhyNot(reply))

/** Message parts of {@link whyNot}, for a failure. */
export function sayWhyNot(reply: PythonReply): Saying {
  switch (reply.how) {
    case 'returned':
    case 'returnedText':
      return say`it returned something else than was expected`
    case 'raised':
      return say`${where(reply.where)}${reply.type}: ${reply.message}`
    case 'unloadable': {
      const missing = reply.missing === undefined ? '' : bring(reply.missing)
      return say`${where(reply.where ?? reply.at)}${reply.type}: ${reply.message}${missing}`
    }
    case 'timedOut':
      return say`it was stopped at its time limit, with all that it had started`
    case 'died':
      return say`its process ended with exit code ${reply.exitCode}; was it os._exit, a crash, or too much memory?`
    case 'tooLarge':
      return say`it returned ${reply.bytes} bytes, which is too much (MAX_PYTHON_RESULT_BYTES); let it write a file and return its name`
  }
}

const bring = (name: string) =>
  ifKnown(
    say`; name ${name} among the ${field('requirements')} if pip has it`,
    `; whoever made this must have ${name} installed with it`,
  )

const where = (place: string | undefined) => (place === undefined ? '' : `${place}: `)
