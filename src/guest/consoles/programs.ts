import LIVE_MESSAGES from '../live.py' with { type: 'text' }
import MASK from '../mask.py' with { type: 'text' }
import OUTPUT from '../output.py' with { type: 'text' }
import PROCESSES from '../processes.py' with { type: 'text' }
import ACTIVITY from './activity.py' with { type: 'text' }
import CELL_RUN from './cell_run.py' with { type: 'text' }
import ERRORS from './errors.py' with { type: 'text' }
import EXECUTOR from './executor.py' with { type: 'text' }
import HOST from './host.py' with { type: 'text' }
import JSON_TEXT from './json_text.py' with { type: 'text' }
import KERNEL_PROCESS from './kernel_process.py' with { type: 'text' }
import LIVE from './live.py' with { type: 'text' }
import NOTEBOOK from './notebook.py' with { type: 'text' }
import PLACE from './place.py' with { type: 'text' }
import QUESTIONS from './questions.py' with { type: 'text' }
import SCRATCH from './scratch.py' with { type: 'text' }
import SHELLS from './shells.py' with { type: 'text' }

/** Modules of shells alone. */
export const SHELL_MODULES = {
  output: OUTPUT,
  processes: PROCESSES,
  'consoles.errors': ERRORS,
  live: LIVE_MESSAGES,
  'consoles.live': LIVE,
  'consoles.shells': SHELLS,
  'consoles.executor': EXECUTOR,
}

/** Modules of the host of notebook and shells. */
export const HOST_MODULES = {
  ...SHELL_MODULES,
  'consoles.place': PLACE,
  'consoles.json_text': JSON_TEXT,
  'consoles.activity': ACTIVITY,
  mask: MASK,
  'consoles.kernel_process': KERNEL_PROCESS,
  'consoles.cell_run': CELL_RUN,
  'consoles.notebook': NOTEBOOK,
  'consoles.scratch': SCRATCH,
  'consoles.questions': QUESTIONS,
  'consoles.host': HOST,
}
