import ACTIONS from '../lagent/actions.py' with { type: 'text' }
import BUILT_INS from '../lagent/built_ins.py' with { type: 'text' }
import DESCRIPTIONS from '../lagent/descriptions.py' with { type: 'text' }
import DOCSTRINGS from '../lagent/docstrings.py' with { type: 'text' }
import EXECUTORS from '../lagent/executors.py' with { type: 'text' }
import PARSERS from '../lagent/parsers.py' with { type: 'text' }
import RESULTS from '../lagent/results.py' with { type: 'text' }
import LIVE from '../live.py' with { type: 'text' }
import OUTPUT from '../output.py' with { type: 'text' }
import ERRORS from './errors.py' with { type: 'text' }
import FOLLOWED from './followed.py' with { type: 'text' }
import FORK_SERVER from './fork_server.py' with { type: 'text' }
import FUNCTIONS from './functions.py' with { type: 'text' }
import HOST from './host.py' with { type: 'text' }
import LAGENT_ACTIONS from './lagent_actions.py' with { type: 'text' }
import MASKED from './masked.py' with { type: 'text' }
import MODULE from './module.py' with { type: 'text' }
import MODULE_PROCESS from './module_process.py' with { type: 'text' }
import REPLIES from './replies.py' with { type: 'text' }
import SOURCES from './sources.py' with { type: 'text' }
import SYSTEM from './system.py' with { type: 'text' }
import VALUES from './values.py' with { type: 'text' }

/** Modules of the host of Python modules. */
export const HOST_MODULES = {
  output: OUTPUT,
  live: LIVE,
  'python_host.system': SYSTEM,
  'python_host.errors': ERRORS,
  'python_host.values': VALUES,
  'python_host.functions': FUNCTIONS,
  'python_host.sources': SOURCES,
  'python_host.lagent_actions': LAGENT_ACTIONS,
  'python_host.module': MODULE,
  'python_host.module_process': MODULE_PROCESS,
  'python_host.fork_server': FORK_SERVER,
  'python_host.masked': MASKED,
  'python_host.replies': REPLIES,
  'python_host.followed': FOLLOWED,
  'python_host.host': HOST,
}

/**
 * A package `lagent` for modules of tenants where the real one is not installed: what actions are made of, as of Lagent
 * 0.5.0rc3 (InternLM/lagent 16ca689), and what calls them; nothing of agents and models. Parts in the order in which they
 * are run, when a module imports the package.
 */
export const LAGENT_SOURCES = {
  docstrings: DOCSTRINGS,
  descriptions: DESCRIPTIONS,
  results: RESULTS,
  parsers: PARSERS,
  actions: ACTIONS,
  built_ins: BUILT_INS,
  executors: EXECUTORS,
}
