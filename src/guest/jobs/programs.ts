import MASK from '../mask.py' with { type: 'text' }
import { pythonProgram } from '../python-program.ts'
import JOB from './job.py' with { type: 'text' }
import LOOK from './look.py' with { type: 'text' }
import OUTPUTS from './outputs.py' with { type: 'text' }
import PLACE from './place.py' with { type: 'text' }
import START from './start.py' with { type: 'text' }
import WATCHER from './watcher.py' with { type: 'text' }

/** Program that starts a job, watches over it, and looks at it. */
export const JOB_PROGRAM = pythonProgram({
  modules: {
    mask: MASK,
    'jobs.place': PLACE,
    'jobs.outputs': OUTPUTS,
    'jobs.watcher': WATCHER,
    'jobs.start': START,
    'jobs.look': LOOK,
    'jobs.job': JOB,
  },
  settings: {},
})
