import type { PythonReply } from '../ports/python.ts'

/** Why a module gave no answer, in a sentence. */
export function whyNot(reply: PythonReply): string {
  switch (reply.how) {
    case 'returned':
    case 'returnedText':
      return 'it returned something else than was expected'
    case 'raised':
      return `${where(reply.where)}${reply.type}: ${reply.message}`
    case 'unloadable': {
      const missing = reply.missing === undefined ? '' : `; name ${reply.missing} among the requirements if pip has it`
      return `${where(reply.where ?? reply.at)}${reply.type}: ${reply.message}${missing}`
    }
    case 'timedOut':
      return 'it was stopped at its time limit, with all that it had started'
    case 'died':
      return `its process ended with exit code ${reply.exitCode}; was it os._exit, a crash, or too much memory?`
    case 'tooLarge':
      return `it returned ${reply.bytes} bytes, which is too much (MAX_PYTHON_RESULT_BYTES); let it write a file and return its name`
  }
}

const where = (place: string | undefined) => (place === undefined ? '' : `${place}: `)
