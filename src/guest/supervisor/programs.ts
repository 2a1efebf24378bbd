import LIVE_MESSAGES from '../live.py' with { type: 'text' }
import CALLS from './calls.py' with { type: 'text' }
import COMMANDS from './commands.py' with { type: 'text' }
import ENDINGS from './endings.py' with { type: 'text' }
import FLOODS from './floods.py' with { type: 'text' }
import KEPT from './kept.py' with { type: 'text' }
import LINKS from './links.py' with { type: 'text' }
import LIVE from './live.py' with { type: 'text' }
import LOOP from './loop.py' with { type: 'text' }
import OUTPUTS from './outputs.py' with { type: 'text' }
import PROCESSES from './processes.py' with { type: 'text' }
import QUESTIONS from './questions.py' with { type: 'text' }
import REPLIES from './replies.py' with { type: 'text' }
import RUNNING from './running.py' with { type: 'text' }
import SCRIPT from './script.py' with { type: 'text' }
import SUPERVISOR from './supervisor.py' with { type: 'text' }
import SYSTEM from './system.py' with { type: 'text' }
import WATCHER_COUNT from './watcher_count.py' with { type: 'text' }

/** Modules of the supervisor. */
export const SUPERVISOR_MODULES = {
  // First, since it hides the process.
  'supervisor.system': SYSTEM,
  live: LIVE_MESSAGES,
  'supervisor.links': LINKS,
  'supervisor.loop': LOOP,
  'supervisor.replies': REPLIES,
  'supervisor.processes': PROCESSES,
  'supervisor.outputs': OUTPUTS,
  'supervisor.running': RUNNING,
  'supervisor.watcher_count': WATCHER_COUNT,
  'supervisor.floods': FLOODS,
  'supervisor.live': LIVE,
  'supervisor.endings': ENDINGS,
  'supervisor.script': SCRIPT,
  'supervisor.kept': KEPT,
  'supervisor.calls': CALLS,
  'supervisor.commands': COMMANDS,
  'supervisor.questions': QUESTIONS,
  'supervisor.supervisor': SUPERVISOR,
}
